import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, ToolEnd } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, use, workbench, type Workbench } from "./workbench.ts";

const call = (name: string, input: JsonObject, bench: Workbench): Promise<ToolEnd> => {
  const tool = builtInTools().find((one) => one.name === name);
  assert.ok(tool);
  return use(tool, { path: "n.ipynb", ...input }, bench);
};

/** As Jupyter writes it, with escapes as another program might. */
const notebook = String.raw`{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "cell-1",
   "metadata": {},
   "source": [
    "# \u4f60\u597d\n",
    "some \"text\""
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "cell-10",
   "metadata": {},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["1\n", "2\n"]},
    {"data": {"image/png": "iVBOR", "text/plain": ["<Figure>"]}, "output_type": "display_data"},
    {"ename": "ValueError", "evalue": "no", "output_type": "error", "traceback": []}
   ],
   "source": [
    "for i in range(2):\n",
    "    print(\"i\", i)\n",
    "x = 1"
   ]
  },
  { "cell_type": "code", "id": "cell-2", "source": "x = 1\ny = 2" },
  {"cell_type": "raw", "source": []}
 ],
 "nbformat": 4
}
`;

test("a notebook is shown as its cells, outputs included", async () => {
  const bench = workbench({ "n.ipynb": notebook });
  assert.equal(
    said(await call("read", {}, bench)),
    [
      "1\t[cell 1, markdown, id cell-1]",
      "2\t# 你好",
      '3\tsome "text"',
      "4\t[cell 2, code, id cell-10]",
      "5\tfor i in range(2):",
      '6\t    print("i", i)',
      "7\tx = 1",
      "8\t[output]",
      "9\t1",
      "10\t2",
      "11\t[output (not shown: image/png)]",
      "12\t<Figure>",
      "13\t[output]",
      "14\tValueError: no",
      "15\t[cell 3, code, id cell-2]",
      "16\tx = 1",
      "17\ty = 2",
      "18\t[cell 4, raw]",
      "[a notebook, shown as its cells; edit takes old_text from the text of a cell]",
    ].join("\n"),
  );
  const part = said(await call("read", { offset: 5, limit: 1 }, bench));
  assert.match(part, /^5\tfor i in range\(2\):\n\[line 5 of 18; go on with offset 6\]/);
});

const edits: readonly (readonly [what: string, edit: JsonObject, from: string, to: string])[] = [
  [
    "lines of a cell",
    { old_text: '    print("i", i)\nx = 1', new_text: '    print("j")\n\nx = "2"\n' },
    String.raw`    "    print(\"i\", i)\n",
    "x = 1"
   ]`,
    String.raw`    "    print(\"j\")\n",
    "\n",
    "x = \"2\"\n"
   ]`,
  ],
  [
    "lines that stay keep their escapes",
    { old_text: 'some "text"', new_text: "more" },
    String.raw`"some \"text\""`,
    `"more"`,
  ],
  [
    "a cell that is one string",
    { old_text: "y = 2", new_text: "z = '\\n'" },
    String.raw`"x = 1\ny = 2"`,
    String.raw`"x = 1\nz = '\\n'"`,
  ],
  [
    "the file as it is",
    { old_text: '"nbformat": 4', new_text: '"nbformat": 5' },
    '"nbformat": 4',
    '"nbformat": 5',
  ],
];

test("[E22] an edit of a notebook's cell leaves every other byte alone", async () => {
  const wrong = [];
  for (const [what, edit, from, to] of edits) {
    const bench = workbench({ "n.ipynb": notebook });
    const end = await call("edit", edit, bench);
    if (bench.text("n.ipynb") !== notebook.replace(from, () => to)) wrong.push([what, said(end)]);
    JSON.parse(bench.text("n.ipynb"));
  }
  assert.deepEqual(wrong, []);
});

const refused: readonly (readonly [what: string, edit: JsonObject, says: RegExp])[] = [
  ["in two cells", { old_text: "x = 1", new_text: "x" }, /old_text is at 2 places/],
  ["nowhere", { old_text: "z = 1", new_text: "x" }, /old_text is not in n\.ipynb/],
];

test("[E22] an edit that fits two cells of a notebook, or none, changes nothing", async () => {
  const wrong = [];
  for (const [what, edit, says] of refused) {
    const bench = workbench({ "n.ipynb": notebook });
    const end = await call("edit", edit, bench);
    if (!says.test(said(end)) || bench.text("n.ipynb") !== notebook) wrong.push([what, said(end)]);
  }
  assert.deepEqual(wrong, []);
});

test("a notebook that is no JSON is shown as the text it is, and one without cells is said to be so", async () => {
  const broken = workbench({ "n.ipynb": "{ cells\n" });
  assert.equal(said(await call("read", {}, broken)), "1\t{ cells");
  const empty = workbench({ "n.ipynb": '{"cells": []}' });
  assert.equal(said(await call("read", {}, empty)), "[the notebook has no cells]");
});

test("[E11] an edit that makes JSON invalid is done and says so", async () => {
  const bench = workbench({ "a.json": '{"a": 1}\n', "b.json": "{ no json\n" });
  const broken = await call("edit", { path: "a.json", old_text: "1}", new_text: "1,}" }, bench);
  const before = await call("edit", { path: "b.json", old_text: "no", new_text: "yes" }, bench);
  assert.match(said(broken), /\n\[it was valid JSON and is not any more: .+\]$/);
  assert.doesNotMatch(said(before), /valid JSON/);
});

test("a PDF is answered with what gives its text", async () => {
  const bench = workbench({ "n.ipynb": "%PDF-1.7\n1 0 obj\n" });
  const end = await call("read", {}, bench);
  assert.equal(end.outcome, "error");
  assert.match(said(end), /is a PDF of 17 bytes; read does not show these\. .*pdftotext/);
});
