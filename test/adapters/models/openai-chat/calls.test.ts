import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, calls, callsOf, chunk, entry, finish, replyTo, type Frame } from "./chatting.ts";

interface Case {
  readonly title: string;
  readonly frames: readonly Frame[];
  /** Id, tool, arguments. */
  readonly gives: readonly unknown[];
}

const cases: readonly Case[] = [
  {
    title: "by index, id and name in the first delta only [P04]",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: "" })),
      calls(entry({ index: 1, id: "b", name: "list", args: "" })),
      calls(entry({ index: 0, args: '{"p":' }), entry({ index: 1, args: "{}" })),
      calls(entry({ index: 0, args: "1}" })),
    ],
    gives: [
      ["a", "read", { p: 1 }],
      ["b", "list", {}],
    ],
  },
  {
    title: "by index and never an id [P04]",
    frames: [
      calls(entry({ index: 0, name: "read", args: '{"p"' })),
      calls(entry({ index: 1, name: "read", args: '{"q"' })),
      calls(entry({ index: 0, args: ":1}" }), entry({ index: 1, args: ":2}" })),
    ],
    gives: [
      [null, "read", { p: 1 }],
      [null, "read", { q: 2 }],
    ],
  },
  {
    title: "the head of the second has the index of the first: their arguments are not glued [P02]",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p":1}' })),
      calls(entry({ index: 0, id: "b", name: "read", args: '{"q"' })),
      calls(entry({ index: 1, args: ":2}" })),
    ],
    gives: [
      ["a", "read", { p: 1 }],
      ["b", "read", { q: 2 }],
    ],
  },
  {
    title: "a head on a used index while the first is under way is another call all the same [P02]",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p"' })),
      calls(entry({ index: 0, id: "b", name: "read", args: '{"q"' })),
      calls(entry({ index: 1, args: ":2}" })),
    ],
    gives: [
      ["a", "read", '{"p"'],
      ["b", "read", { q: 2 }],
    ],
  },
  {
    title: "a known id wins over the index [P02]",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p"' })),
      calls(entry({ index: 1, id: "b", name: "read", args: '{"q"' })),
      calls(entry({ index: 1, id: "a", args: ":1}" }), entry({ index: 0, id: "b", args: ":2}" })),
    ],
    gives: [
      ["a", "read", { p: 1 }],
      ["b", "read", { q: 2 }],
    ],
  },
  {
    title: "the index of the id differs from that of the arguments [P05]",
    frames: [
      calls(entry({ index: 1, id: "a", name: "read", args: "" })),
      calls(entry({ index: 0, args: '{"p"' })),
      calls(entry({ index: 0, args: ":1}" })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "indexes start above 0 and skip [P05]",
    frames: [
      calls(entry({ index: 3, id: "a", name: "read", args: "{}" })),
      calls(entry({ index: 7, id: "b", name: "list", args: '{"p"' })),
      calls(entry({ index: 7, args: ":1}" })),
    ],
    gives: [
      ["a", "read", {}],
      ["b", "list", { p: 1 }],
    ],
  },
  {
    title: "two calls share one id, at two indexes [P13]",
    frames: [
      calls(entry({ index: 0, id: "x", name: "read", args: '{"p":1}' })),
      calls(entry({ index: 1, id: "x", name: "read", args: "" })),
      calls(entry({ index: 1, args: '{"p":2}' })),
    ],
    gives: [
      ["x", "read", { p: 1 }],
      ["x", "read", { p: 2 }],
    ],
  },
  {
    title: "two calls share id and index, whole in one chunk each [P13]",
    frames: [
      calls(entry({ index: 0, id: "0", name: "read", args: '{"p":1}' })),
      calls(entry({ index: 0, id: "0", name: "read", args: '{"p":2}' })),
    ],
    gives: [
      ["0", "read", { p: 1 }],
      ["0", "read", { p: 2 }],
    ],
  },
  {
    title: "two calls in one list without index and id",
    frames: [
      calls(entry({ name: "read", args: '{"p":1}' }), entry({ name: "read", args: '{"p":2}' })),
    ],
    gives: [
      [null, "read", { p: 1 }],
      [null, "read", { p: 2 }],
    ],
  },
  {
    title: "two calls in one list without arguments, ids and indexes",
    frames: [calls(entry({ name: "list" }), entry({ name: "list" }))],
    gives: [
      [null, "list", {}],
      [null, "list", {}],
    ],
  },
  {
    title: "no index and no id, one after the other",
    frames: [
      calls(entry({ name: "read", args: '{"p"' })),
      calls(entry({ args: ":1}" })),
      calls(entry({ name: "list", args: "{}" })),
    ],
    gives: [
      [null, "read", { p: 1 }],
      [null, "list", {}],
    ],
  },
  {
    title: "ids are empty or null behind the head",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: "" })),
      calls(entry({ index: 0, id: "", args: '{"p"' })),
      calls(entry({ index: 0, id: null, args: ":1}" })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "the id comes after the name",
    frames: [
      calls(entry({ index: 0, name: "read", args: "" })),
      calls(entry({ index: 0, id: "a", args: '{"p":1}' })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "a server makes up an id for each delta: the first one stays",
    frames: [
      calls(entry({ index: 0, id: "r1", name: "read", args: "" })),
      calls(entry({ index: 0, id: "r2", args: '{"p"' })),
      calls(entry({ index: 0, id: "r3", args: ":1}" })),
    ],
    gives: [["r1", "read", { p: 1 }]],
  },
  {
    title: "the name comes in pieces",
    frames: [
      calls(entry({ index: 0, id: "a", name: "list_", args: "" })),
      calls(entry({ index: 0, name: "files" })),
      calls(entry({ index: 0, args: "{}" })),
    ],
    gives: [["a", "list_files", {}]],
  },
  {
    title: "the name comes again in every delta, or grows",
    frames: [
      calls(entry({ index: 0, id: "a", name: "re", args: "" })),
      calls(entry({ index: 0, id: "a", name: "read", args: "" })),
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p"' })),
      calls(entry({ index: 0, id: "a", name: "read", args: ":1}" })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "the name is empty later",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p"' })),
      calls(entry({ index: 0, name: "", args: ":1}" })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "the name comes after the arguments, by id or by index",
    frames: [
      calls(entry({ id: "a", args: '{"p":1}' })),
      calls(entry({ index: 4, args: '{"p":2}' })),
      calls(entry({ id: "a", name: "read", args: "" })),
      calls(entry({ index: 4, name: "list" })),
    ],
    gives: [
      ["a", "read", { p: 1 }],
      [null, "list", { p: 2 }],
    ],
  },
  {
    title: "arguments are null, or never come",
    frames: [
      calls(entry({ index: 0, id: "a", name: "list", args: null })),
      calls(entry({ index: 1, id: "b", name: "list" })),
    ],
    gives: [
      ["a", "list", {}],
      ["b", "list", {}],
    ],
  },
  {
    title: "arguments are an object, once or growing",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: { p: 1 } })),
      calls(entry({ index: 1, id: "b", name: "read", args: {} })),
      calls(entry({ index: 1, id: "b", args: { p: "two" } })),
    ],
    gives: [
      ["a", "read", { p: 1 }],
      ["b", "read", { p: "two" }],
    ],
  },
  {
    title: "arguments that are no object are kept as they came",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: 7 })),
      calls(entry({ index: 1, id: "b", name: "read", args: '"{}"' })),
      calls(entry({ index: 2, id: "c", name: "read", args: "{'p': 1}" })),
    ],
    gives: [
      ["a", "read", "7"],
      ["b", "read", '"{}"'],
      ["c", "read", "{'p': 1}"],
    ],
  },
  {
    title: "a whole call that comes again is the same call",
    frames: [
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p":1}' })),
      calls(entry({ index: 0, id: "a", name: "read", args: '{"p":1}' })),
    ],
    gives: [["a", "read", { p: 1 }]],
  },
  {
    title: "brackets and quotes inside of strings end nothing",
    frames: [
      calls(entry({ index: 0, id: "a", name: "write", args: '{"c":"}\\"]{' })),
      calls(entry({ index: 0, id: "a", name: "write", args: '\\\\"}' })),
    ],
    gives: [["a", "write", { c: '}"]{\\' }]],
  },
  {
    title: "the old field function_call is a call",
    frames: [
      chunk({ function_call: { name: "read", arguments: '{"p"' } }),
      chunk({ function_call: { arguments: ":1}" } }),
    ],
    gives: [[null, "read", { p: 1 }]],
  },
];

for (const { title, frames, gives } of cases) {
  test(`calls: ${title}`, async () => {
    const reply = await replyTo([...frames, finish("tool_calls")]);
    assert.deepEqual(brief(reply), gives);
    assert.ok(callsOf(reply).every(({ complete }) => complete));
  });
}

test("entries that are nothing of the kind do no harm", async () => {
  const odd = chunk({ tool_calls: [null, 7, "x", [], {}] as unknown as string[] });
  const reply = await replyTo([odd, chunk({ tool_calls: "no" }), finish("stop")]);
  assert.ok(callsOf(reply).every(({ tool }) => tool === ""));
});

test("what a gateway hides in a call comes back with it, unchanged", async () => {
  const extra = { google: { thought_signature: "c2ln" } };
  const reply = await replyTo([
    calls({ ...entry({ index: 0, id: "a", name: "read", args: "" }), extra_content: extra }),
    calls(entry({ index: 0, args: "{}" })),
    finish("tool_calls"),
  ]);
  assert.deepEqual(callsOf(reply)[0]?.opaque, {
    provider: "openai-compatible",
    data: { extra_content: extra },
  });
});
