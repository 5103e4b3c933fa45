import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { ToolEnd } from "#core";
import { fetchTool } from "../../../src/adapters/tools/fetch/index.ts";
import { isPrivate } from "../../../src/adapters/tools/fetch/addresses.ts";
import { said, start, use, workbench, type Workbench } from "./workbench.ts";
import { web, type Web } from "./web.ts";

const page = (response: ServerResponse, html: string | Uint8Array, type = "text/html"): void => {
  response.writeHead(200, { "content-type": type }).end(html);
};

const fetchFrom = (
  site: Web,
  path: string,
  bench: Pick<Workbench, "env" | "isHidden"> = workbench(),
): Promise<ToolEnd> =>
  use(fetchTool({ privateHosts: [site.host] }), { url: site.url(path) }, bench);

test("a page comes as Markdown, its request is an effect, and the result says what came", async () => {
  await using site = await web((_, response) =>
    page(response, "<title>Pawl &amp; co</title><h1>Hi</h1><p>See <a href='/more'>more</a>."),
  );
  const end = await fetchFrom(site, "/a?b=c#part");
  assert.equal(end.outcome, "ok");
  assert.equal(
    said(end),
    [
      `[${site.url("/a?b=c")}: status 200, text/html, utf-8, 71 bytes, as Markdown]`,
      "",
      "# Pawl & co",
      "",
      "# Hi",
      "",
      `See [more](${site.url("/more")}).`,
    ].join("\n"),
  );
  assert.deepEqual(end.effects, [{ type: "request_sent", url: site.url("/a?b=c"), status: 200 }]);
  assert.deepEqual(site.asked, ["/a?b=c"]);
});

test("what is no HTML stays as it is: JSON, plain text", async () => {
  await using site = await web((request, response) =>
    request.url === "/json"
      ? page(response, '{"a": "<b>"}', "application/json")
      : page(response, "<b>not a page", "text/plain; charset=utf-8"),
  );
  assert.match(said(await fetchFrom(site, "/json")), /\n\{"a": "<b>"\}$/);
  assert.match(said(await fetchFrom(site, "/text")), /\n<b>not a page$/);
});

const gb = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac, 0xca, 0xc0, 0xbd, 0xe7]); // 你好，世界 in GB18030
const inGb = (before: string): Buffer => Buffer.concat([Buffer.from(before), gb]);

const encodings = [
  { title: "by the header", type: "text/html; charset=gb18030", body: inGb("<p>") },
  { title: "by the header, in quotes", type: 'text/html; charset="GB2312"', body: inGb("<p>") },
  { title: "by meta charset", type: "text/html", body: inGb("<meta charset=gbk><p>") },
  {
    title: "by meta http-equiv",
    type: "text/html",
    body: inGb('<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><p>'),
  },
  {
    title: "by the XML declaration",
    type: "application/xhtml+xml",
    body: inGb('<?xml version="1.0" encoding="GB18030"?><p>'),
  },
  { title: "by its bytes", type: "text/html", body: inGb("<p>") },
  {
    title: "by its bytes, when the header is wrong",
    type: "text/html; charset=utf-8",
    body: inGb("<p>"),
  },
  {
    title: "by its bytes, when the name is none",
    type: "text/html; charset=klingon",
    body: inGb("<p>"),
  },
  {
    title: "by its mark, whatever the header says",
    type: "text/html; charset=gbk",
    body: Buffer.from("\ufeff<p>你好，世界"),
  },
  {
    title: "UTF-16 with a mark",
    type: "text/html",
    body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<p>你好，世界", "utf16le")]),
  },
];

for (const { title, type, body } of encodings) {
  test(`the encoding is told ${title}`, async () => {
    await using site = await web((_, response) => page(response, body, type));
    assert.match(said(await fetchFrom(site, "/")), /\n你好，世界$/);
  });
}

const privateAddresses = [
  "127.0.0.1",
  "127.1.2.3",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2001::1",
  "no address",
];
const publicAddresses = [
  "1.1.1.1",
  "172.15.0.1",
  "172.32.0.1",
  "100.128.0.1",
  "223.255.255.255",
  "2606:4700::1111",
  "::ffff:1.1.1.1",
  "64:ff9b::101:101",
];

test("R67 loopback, private, link-local and wrapped addresses are told from those out on the net", () => {
  assert.deepEqual(
    privateAddresses.filter((one) => !isPrivate(one)),
    [],
  );
  assert.deepEqual(publicAddresses.filter(isPrivate), []);
});

test("a private address is refused however it is written, nothing is sent, and the error says what allows it", async () => {
  await using site = await web((_, response) => page(response, "secret"));
  const tool = fetchTool();
  const written = ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"];
  for (const host of written) {
    const end = await use(tool, { url: `http://${host}:${site.port}/` }, workbench());
    assert.equal(end.outcome, "error", host);
    assert.match(said(end), /an address of this machine[\s\S]*"privateHosts"/);
    assert.deepEqual(end.effects, []);
  }
  assert.deepEqual(site.asked, []);
});

test("the address that is connected to is the one that was judged: a name that changes its meaning gains nothing", async () => {
  await using site = await web((_, response) => page(response, "secret"));
  const answers: LookupAddress[][] = [
    [{ address: "127.0.0.1", family: 4 }],
    [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
  ];
  let asked = 0;
  for (const found of answers) {
    const resolve = (): Promise<LookupAddress[]> => {
      asked += 1;
      return Promise.resolve(found);
    };
    const url = `http://rebind.test:${site.port}/`;
    const end = await use(fetchTool({ resolve }), { url }, workbench());
    assert.match(said(end), /rebind\.test:\d+ is 127\.0\.0\.1/);
  }
  // Looked up once each, for the connection itself: there is no second answer to be different.
  assert.equal(asked, 2);
  assert.deepEqual(site.asked, []);
});

test("a host the settings name may be private, by name, with its port or without", async () => {
  await using site = await web((_, response) => page(response, "<p>mine"));
  for (const host of [`localhost:${site.port}`, "localhost", "LocalHost"]) {
    const resolve = (): Promise<LookupAddress[]> =>
      Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const tool = fetchTool({ privateHosts: [host], resolve });
    const end = await use(tool, { url: `http://localhost:${site.port}/` }, workbench());
    assert.match(said(end), /\nmine$/);
  }
  const other = fetchTool({ privateHosts: ["localhost:1"] });
  const end = await use(other, { url: `http://localhost:${site.port}/` }, workbench());
  assert.equal(end.outcome, "error");
});

const leads = (to: string) => (_: unknown, response: ServerResponse) =>
  response.writeHead(302, { location: to }).end();

test("a redirect that stays with its host is followed, and each request is an effect", async () => {
  await using site = await web((request, response) =>
    request.url === "/old" ? leads("/new")(request, response) : page(response, "<p>here"),
  );
  const end = await fetchFrom(site, "/old");
  assert.match(said(end), /\/new: status 200[\s\S]*\nhere$/);
  assert.deepEqual(
    end.effects.map((one) => one.type === "request_sent" && one.status),
    [302, 200],
  );
});

test("a redirect to another host is not followed: it is a call of its own for the gate", async () => {
  await using other = await web((_, response) => page(response, "other"));
  await using site = await web(leads(other.url("/x")));
  const tool = fetchTool({ privateHosts: [site.host, other.host] });
  const end = await use(tool, { url: site.url("/") }, workbench());
  assert.equal(end.outcome, "error");
  assert.ok(said(end).includes(`redirects to ${other.url("/x")}, which was not asked for`));
  assert.deepEqual(other.asked, []);
});

test("R65 a redirect to what a rule denies or asks about is not followed", async () => {
  await using site = await web(leads("/private/x"));
  const end = await fetchFrom(site, "/", {
    ...workbench(),
    isHidden: (url) => url.includes("/private/"),
  });
  assert.match(said(end), /redirects to \S+\/private\/x, which was not asked for/);
  assert.deepEqual(site.asked, ["/"]);
});

test("redirects in a circle, and to what is no page of the web, end with what happened", async () => {
  for (const [to, says] of [
    ["/", /redirects more than 10 times/],
    ["file:///etc/passwd", /file:\/\/\/etc\/passwd, which cannot be fetched/],
    ["http://user:word@127.0.0.1/", /which cannot be fetched/],
  ] as const) {
    await using site = await web(leads(to));
    assert.match(said(await fetchFrom(site, "/")), says);
  }
});

test("R110 an answer without an end is cut at 10 MB, unpacked, and said to be cut", async () => {
  const bomb = gzipSync(Buffer.alloc(60_000_000, "a word "));
  await using site = await web((_, response) =>
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(bomb),
  );
  const bench = workbench();
  const end = await fetchFrom(site, "/", bench);
  assert.match(said(end), /10\.5 MB, cut off/);
  assert.ok(said(end).length < 31_000);
  const [file = ""] = /\S+-page\.md/.exec(said(end)) ?? [];
  assert.ok(readFileSync(file, "utf8").length > 10_000_000);
});

test("R112 an error of the server is an error with what it said", async () => {
  await using site = await web((_, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end("<h1>No such page</h1>"),
  );
  const end = await fetchFrom(site, "/");
  assert.equal(end.outcome, "error");
  assert.match(said(end), /status 404[\s\S]*# No such page/);
});

test("R112 what is no text, what breaks off and what does not answer is said", async () => {
  await using site = await web((request, response) => {
    if (request.url === "/image") page(response, Buffer.from([137, 80, 78, 71]), "image/png");
    else if (request.url === "/none") page(response, Buffer.from([0, 1, 2, 0, 3]), "");
    else if (request.url === "/half") {
      response.writeHead(200, { "content-type": "text/plain", "content-length": 100 });
      response.write("half", () => response.destroy());
    } else response.destroy();
  });
  assert.match(said(await fetchFrom(site, "/image")), /4 bytes of image\/png, which is no text/);
  assert.match(said(await fetchFrom(site, "/none")), /which is no text/);
  assert.match(said(await fetchFrom(site, "/half")), /cut off[\s\S]*\nhalf$/);
  const cut = await fetchFrom(site, "/cut");
  assert.match(said(cut), /gave no answer/);
  assert.deepEqual(cut.effects, [{ type: "request_sent", url: site.url("/cut"), status: null }]);
});

test("R110 an interrupt ends a silent server and a page that takes for ever", async () => {
  await using site = await web((request, response) => {
    if (request.url === "/hostile")
      page(response, `${"<b>".repeat(9000)}${"</i>".repeat(1_000_000)}`);
  });
  for (const path of ["/silent", "/hostile"]) {
    const tool = fetchTool({ privateHosts: [site.host] });
    const started = await start(tool, { url: site.url(path) }, workbench());
    assert.ok(typeof started !== "string");
    const stop = new AbortController();
    setTimeout(() => stop.abort("interrupt"), 250);
    const end = await started.run({ signal: stop.signal });
    assert.equal(end.outcome, "interrupted", path);
  }
});

test("what is no address of the web is refused before anything is judged", async () => {
  const wrong = [
    ["example.com", /no complete address/],
    ["file:///etc/passwd", /must begin with http/],
    ["https://me:secret@example.com/", /password/],
    [`https://example.com/${"a".repeat(4000)}`, /longer than 4000/],
  ] as const;
  for (const [url, says] of wrong) {
    const started = await start(fetchTool(), { url }, workbench());
    assert.match(typeof started === "string" ? started : "", says);
  }
});

test("R62 permission judges the address as it goes out", async () => {
  const started = await start(
    fetchTool(),
    { url: " HTTPS://EXAMPLE.com:443/a/../b#c " },
    workbench(),
  );
  assert.ok(typeof started !== "string");
  assert.deepEqual(started.need, { access: "network", resources: ["https://example.com/b"] });
});

test("V01 a proxy of the environment is used, and the address is judged all the same", async () => {
  const lines: string[] = [];
  await using site = await web((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    page(response, "<p>through the proxy");
  });
  const before = process.env["http_proxy"];
  process.env["http_proxy"] = `http://${site.host}`;
  try {
    const found = { public: "93.184.216.34", private: "10.0.0.1" };
    const ask = (address: string): Promise<ToolEnd> =>
      use(
        fetchTool({
          resolve: (name) =>
            Promise.resolve(
              name.endsWith(".test")
                ? [{ address, family: 4 }]
                : [{ address: "127.0.0.1", family: 4 }],
            ),
        }),
        { url: "http://somewhere.test/x" },
        workbench(),
      );
    assert.match(said(await ask(found.public)), /\nthrough the proxy$/);
    assert.match(said(await ask(found.private)), /somewhere\.test is 10\.0\.0\.1/);
    assert.deepEqual(lines, ["GET http://somewhere.test/x"]);
  } finally {
    if (before === undefined) delete process.env["http_proxy"];
    else process.env["http_proxy"] = before;
  }
});
