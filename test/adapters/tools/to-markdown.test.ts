import assert from "node:assert/strict";
import { test } from "node:test";
import { toMarkdown } from "../../../src/adapters/tools/fetch/to-markdown.ts";

const address = "https://example.com/docs/page";

const forms = [
  { title: "paragraphs and blanks", html: "<p>a\n  b</p><p>c&nbsp;d", is: "a b\n\nc d" },
  { title: "divs follow each other by lines", html: "<div>a</div><div>b</div>", is: "a\nb" },
  { title: "line breaks", html: "<p>a<br>b<br><br>c", is: "a\nb\nc" },
  { title: "headings", html: "<h1>A</h1>x<h3> B </h3>y<h2></h2>", is: "# A\n\nx\n\n### B\n\ny" },
  { title: "emphasis", html: "a <b>b</b>, <em> c </em>d <del>e</del>", is: "a **b**, *c* d ~~e~~" },
  { title: "emphasis of nothing", html: "a<b> </b>c<i></i>", is: "a c" },
  {
    title: "links",
    html: "<a href='x?y=1'>here</a> <a href=javascript:alert(1)>no</a> <a>plain</a> <a href=/e></a>",
    is: "[here](https://example.com/docs/x?y=1) no plain",
  },
  {
    title: "links by the base of the page",
    html: "<base href='/other/'><a href=x>here</a>",
    is: "[here](https://example.com/other/x)",
  },
  {
    title: "images with a text",
    html: "<img src=/a.png alt='A\n thing'><img src=b.png><img alt=c src=data:image/png;base64,AA>",
    is: "![A thing](https://example.com/a.png)",
  },
  {
    title: "lists in lists",
    html: "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d</p><p>e</p></ul>f",
    is: "- a\n  3. b\n  4. c\n- d\n\n  e\n\nf",
  },
  { title: "quotes", html: "<blockquote><p>a<p>b</blockquote>c", is: "> a\n>\n> b\n\nc" },
  {
    title: "code keeps its lines and its language",
    html: "<p>x<pre><code class='language-ts'>a  &lt;b&gt;\n  <span>c</span>\n</code></pre>",
    is: "x\n\n```ts\na  <b>\n  c\n```",
  },
  { title: "code with fences in it", html: "<pre>```\na</pre>", is: "````\n```\na\n````" },
  {
    title: "tables",
    html: "<table><tr><th>a<th>b|c<tr><td>1<td><b>2</b><tr><td>3</table>",
    is: "| a | b\\|c |\n| --- | --- |\n| 1 | **2** |\n| 3 |  |",
  },
  {
    title: "tables for the layout",
    html: "<table><tr><td><p>a<p>b<td><table><tr><td>c<td>d</table></table>",
    is: "a\n\nb\n\n| c | d |\n| --- | --- |",
  },
  {
    title: "what nobody sees is left out",
    html: "<script>x</script><style>y</style><!-- z --><p hidden>a<p style='display: none'>b<p aria-hidden=true>c<p>d",
    is: "d",
  },
  { title: "nothing is escaped", html: "a_b * c &lt;d&gt; [e]", is: "a_b * c <d> [e]" },
  { title: "elements with odd names", html: "<constructor>a</constructor><tostring>b", is: "ab" },
  { title: "Chinese", html: "<h2>标题</h2><p>你好<b>世界</b>！", is: "## 标题\n\n你好**世界**！" },
];

for (const { title, html, is } of forms) {
  test(`HTML becomes Markdown: ${title}`, () => {
    assert.equal(toMarkdown(html, address).markdown, is);
  });
}

test("the title is read apart, once", () => {
  const { title, markdown } = toMarkdown("<title> A\n b </title><svg><title>no</title></svg>c", "");
  assert.deepEqual([title, markdown], ["A b", "c"]);
});

const hostile = [
  { title: "100,000 nested divs", html: `${"<div>".repeat(100_000)}x` },
  { title: "100,000 nested lists", html: `${"<ul><li>".repeat(100_000)}x` },
  { title: "100,000 nested quotes", html: `${"<blockquote>a".repeat(100_000)}x` },
  { title: "100,000 nested tables", html: `${"<table><tr><td>".repeat(100_000)}x` },
  { title: "100,000 links that never end", html: `${"<a href=x>".repeat(100_000)}x` },
  {
    title: "a row of 100,000 cells",
    html: `<table><tr>${"<td>a".repeat(100_000)}<tr><td>x</table>`,
  },
  { title: "tags that never close", html: "<".repeat(100_000) + "<a ".repeat(100_000) + ">x" },
];

for (const { title, html } of hostile) {
  test(`a hostile page costs neither the stack nor much time: ${title}`, () => {
    const startedMs = performance.now();
    const { markdown } = toMarkdown(html, address);
    assert.ok(performance.now() - startedMs < 5000);
    assert.ok(markdown.length < html.length * 20, `${markdown.length} characters`);
  });
}
