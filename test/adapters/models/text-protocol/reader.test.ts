import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, outcomeOf, saying } from "./said.ts";

const block = (...calls: readonly string[]): string =>
  ["<tool_calls>", ...calls, "</tool_calls>"].join("\n");
const call = (tool: string, parameters: Readonly<Record<string, string>> = {}): string =>
  [
    `<invoke name="${tool}">`,
    ...Object.entries(parameters).map(
      ([name, text]) => `<parameter name="${name}">${text}</parameter>`,
    ),
    "</invoke>",
  ].join("\n");
const numbered = (tool: string, name: string, text: string): string =>
  `<invoke name="${tool}"><parameter-2 name="${name}">${text}</parameter-2></invoke>`;

const readA = call("read", { path: "a" });
const aIsRead = ["read", { path: "a" }];
const nested = block(call("write", { path: "b", content: "x" }));

interface Case {
  readonly title: string;
  readonly said: string;
  readonly is: readonly unknown[];
  readonly warns?: RegExp;
  readonly shown?: string;
}

const cases: readonly Case[] = [
  { title: "a text is a text", said: "Hello, <b>world</b>.\n", is: ["Hello, <b>world</b>.\n"] },
  { title: "one call", said: block(readA), is: [aIsRead] },
  { title: "a text and a call", said: `I look.\n\n${block(readA)}`, is: ["I look.", aIsRead] },
  {
    title: "a call behind a text in the same line",
    said: `I look. ${block(readA)}`,
    is: ["I look.", aIsRead],
  },
  {
    title: "two calls in one block",
    said: block(readA, call("time")),
    is: [aIsRead, ["time", {}]],
  },
  {
    title: "two blocks, one right behind the other",
    said: `${block(readA)}\n\n${block(call("time"))}`,
    is: [aIsRead, ["time", {}]],
  },
  {
    title: "a text keeps its line breaks, angle brackets, quotes and what looks like an escape",
    said: block(
      call("write", { content: '\n  if (a < b && c > d) "\\n" &lt; <![CDATA[x]]> $& 你好 😀\n\n' }),
    ),
    is: [["write", { content: '\n  if (a < b && c > d) "\\n" &lt; <![CDATA[x]]> $& 你好 😀\n\n' }]],
  },
  {
    title: "text that looks like other tags is text",
    said: block(
      call("write", { content: "</parameters><invoke><tool_calls></invoke></ parameter>" }),
    ),
    is: [["write", { content: "</parameters><invoke><tool_calls></invoke></ parameter>" }]],
  },
  {
    title: "a value with its own tag in it stands in a numbered tag",
    said: block(
      numbered("write", "content", `${nested}</parameter>\n<parameter-22></parameter-22>`),
    ),
    is: [["write", { content: `${nested}</parameter>\n<parameter-22></parameter-22>` }]],
  },
  {
    title: "a value with a whole call in it and no numbered tag is refused, not cut",
    said: block(call("write", { content: `Example: ${nested} and so on` })),
    is: [["write", "ambiguous"]],
    warns: /ignored/,
  },
  {
    title: "a value that holds closing tags only is refused, not cut",
    said: block(call("write", { content: "a</parameter></invoke> and more" })),
    is: [["write", "ambiguous"]],
  },
  {
    title: "a value that holds the end of the whole block is refused, not cut",
    said: block(call("write", { content: "a</parameter></invoke></tool_calls> and more" })),
    is: [["write", "ambiguous"]],
    warns: /ignored/,
  },
  {
    title: "a value that holds the end of its tag is refused, not cut",
    said: block(call("write", { path: "a", content: "a</parameter> and more" })),
    is: [["write", "ambiguous"]],
  },
  {
    title: "a value that looks like the next parameter is refused, not cut",
    said: block(call("write", { path: "a", content: 'b</parameter><parameter name="c">d' })),
    is: [["write", "unclear"]],
  },
  {
    title: "a parameter that stands there twice is refused",
    said: block(
      `<invoke name="read"><parameter name="path">a</parameter><parameter name="path">b</parameter></invoke>`,
    ),
    is: [["read", "ambiguous"]],
  },
  {
    title: "numbers, booleans, lists and objects are JSON; texts are never",
    said: block(
      call("any", {
        text: "12",
        count: " 1.5e3\n",
        flag: "true",
        list: '["a", "</b>"]',
        object: '{"a": [1, null]}',
        word: "on",
      }),
    ),
    is: [
      [
        "any",
        {
          text: "12",
          count: 1500,
          flag: true,
          list: ["a", "</b>"],
          object: { a: [1, null] },
          word: "on",
        },
      ],
    ],
  },
  {
    title: "where a text is possible among others, what reads as one of the others is that",
    said: block(call("any", { maybe: "null", choice: '["a"]', free: "7" })),
    is: [["any", { maybe: null, choice: ["a"], free: 7 }]],
  },
  {
    title: "and what does not is a text, exactly as it is",
    said: block(call("any", { maybe: " 12 ", choice: "[a", free: " seven\n" })),
    is: [["any", { maybe: " 12 ", choice: "[a", free: " seven\n" }]],
  },
  {
    title: "a list that is no JSON is refused",
    said: block(call("any", { list: "a, b" })),
    is: [["any", "not valid JSON where it must be"]],
  },
  {
    title: "JSON of another type is for the tool to judge",
    said: block(call("any", { list: '{"a": 1}' })),
    is: [["any", { list: { a: 1 } }]],
  },
  {
    title: "names in other quotes, with other spelling and white space",
    said: `<tool_calls>\n\n  <invoke   name = 'read' >\n<parameter name=path>a</parameter >\n</invoke >\n</tool_calls >`,
    is: [aIsRead],
  },
  {
    title: "tags that close themselves",
    said: block('<invoke name="time"/>', '<invoke name="any"><parameter name="text"/></invoke>'),
    is: [
      ["time", {}],
      ["any", { text: "" }],
    ],
  },
  {
    title: "an unknown tool is a call",
    said: block(call("fly", { to: "7" })),
    is: [["fly", { to: 7 }]],
  },
  {
    title: "results the model made up are not believed, and what it does with them neither",
    said: `${block(readA)}\n<tool_results>\n<result tool="read">\nfake\n</result>\n</tool_results>\n\nNow ${block(call("time"))}`,
    is: [aIsRead],
    warns: /went on behind its calls/,
  },
  {
    title: "a call in a code block is a text",
    said: `So:\n\n\`\`\`xml\n${block(readA)}\n\`\`\`\nThat is it.`,
    is: [`So:\n\n\`\`\`xml\n${block(readA)}\n\`\`\`\nThat is it.`],
    warns: /shows a call of read/,
  },
  {
    title: "a call in a longer code block with a shorter one in it, or of tildes, is a text",
    said: `\`\`\`\`\n\`\`\`\n${block(readA)}\n\`\`\`\`\n~~~\n${block(readA)}\n~~~`,
    is: [`\`\`\`\`\n\`\`\`\n${block(readA)}\n\`\`\`\`\n~~~\n${block(readA)}\n~~~`],
    warns: /shows a call/,
  },
  {
    title: "a call behind a code block is a call",
    said: `\`\`\`\ncode\n\`\`\`\n${block(readA)}`,
    is: ["```\ncode\n```", aIsRead],
  },
  {
    title: "a call in a span of code is a text",
    said: 'Write `<tool_calls> <invoke name="read">` or ``<invoke name="x">``, then `</invoke>`.',
    is: ['Write `<tool_calls> <invoke name="read">` or ``<invoke name="x">``, then `</invoke>`.'],
    warns: /shows a call of read/,
  },
  {
    title: "a call of several lines in a span of code is a text",
    said: `Write \`${block(readA)}\` for it.`,
    is: [`Write \`${block(readA)}\` for it.`],
    warns: /shows a call of read/,
  },
  {
    title: "a lone backtick hides no call in a later line",
    said: `The key is \`.\n${block(readA)}`,
    is: ["The key is `.", aIsRead],
  },
  {
    title: "a span of code that never ends is over with its paragraph",
    said: `So \`<tool_calls> <invoke name="read"> it\nis.\n\n${block(readA)}`,
    is: ['So `<tool_calls> <invoke name="read"> it\nis.', aIsRead],
  },
  {
    title: "tags that are only mentioned are text",
    said: "The tags <tool_calls>, <invoke>, <parameter> and <tool_call> are ours.\n<tool_calls>\nare words.",
    is: [
      "The tags <tool_calls>, <invoke>, <parameter> and <tool_call> are ours.\n<tool_calls>\nare words.",
    ],
  },
  {
    title: "a call in a thought is none; thoughts in the text are thoughts",
    said: `<think>\nI could ${block(readA)}.\n</think>\n\nNo. ${block(call("time"))}`,
    is: [{ type: "thinking", text: `\nI could ${block(readA)}.\n` }, "No.", ["time", {}]],
    shown: "No.",
  },
  {
    title: "an invoke tag without a block around it",
    said: `I look.\n${readA}\n${call("time")}\n`,
    is: ["I look.", aIsRead, ["time", {}]],
  },
  {
    title: "what follows an invoke tag without a block is ignored",
    said: `${readA}\nIt says 7.`,
    is: [aIsRead],
    warns: /10 characters were ignored/,
  },
  {
    title: "a block by another name",
    said: `<function_calls>\n${readA}\n</function_calls>`,
    is: [aIsRead],
  },
  {
    title: "an invoke tag with JSON in it",
    said: block(
      '<invoke name="any">{"text": "</invoke>", "count": 1}</invoke>',
      '<invoke name="time">\n</invoke>',
    ),
    is: [
      ["any", { text: "</invoke>", count: 1 }],
      ["time", {}],
    ],
  },
  {
    title: "an invoke tag with something else in it is refused",
    said: block('<invoke name="read">a</invoke>'),
    is: [["read", "not valid JSON"]],
  },
  {
    title: "calls as Hermes and Qwen write them",
    said: `So.\n<tool_call>\n{"name": "read", "arguments": {"path": "</tool_call>"}}\n</tool_call>\n<tool_call>{"name":"time","parameters":{}}</tool_call>`,
    is: ["So.", ["read", { path: "</tool_call>" }], ["time", {}]],
  },
  {
    title: "the same with arguments as a text, and broken ones",
    said: `<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}</tool_call>\n<tool_call>{"name": "read", "arguments": [1]}</tool_call>\n<tool_call>{"path": "a"}</tool_call>`,
    is: [aIsRead, ["read", "not an object"], ["", "without the name of a tool"]],
  },
  {
    title: "a code block that says it is a call",
    said: 'So:\n```tool_call\n{"name": "read", "arguments": {"path": "```"}}\n```\n',
    is: ["So:", ["read", { path: "```" }]],
  },
  {
    title: "a code block of JSON is a text",
    said: '```json\n{"name": "read", "arguments": {"path": "a"}}\n```',
    is: ['```json\n{"name": "read", "arguments": {"path": "a"}}\n```'],
  },
  {
    title: "a call without its end is cut",
    said: `I look.\n<tool_calls>\n<invoke name="read">\n<parameter name="path">a`,
    is: ["I look.", ["read", {}, "cut"]],
  },
  {
    title: "a call that has only begun is cut",
    said: "I look.\n<tool_calls>\n<inv",
    is: ["I look.", ["", {}, "cut"]],
  },
  {
    title: "a block whose end the model forgot",
    said: `<tool_calls>\n${readA}`,
    is: [aIsRead],
  },
  {
    title: "the beginning of a tag at the end is text",
    said: "a <tool_cal",
    is: ["a <tool_cal"],
  },
];

for (const { title, said, is, warns, shown } of cases) {
  test(`R106 ${title}, wherever the text is cut`, async () => {
    const isTool = is.some((one) => Array.isArray(one));
    const texts = is.filter((one) => typeof one === "string").join("");
    const characters = Array.from(said);
    const splits = characters.map((_, at) => [
      characters.slice(0, at).join(""),
      characters.slice(at).join(""),
    ]);
    for (const pieces of [...splits, characters]) {
      const outcome = await outcomeOf(saying(pieces));
      assert.deepEqual(brief(outcome.reply), is, JSON.stringify(pieces));
      assert.equal(outcome.shown, shown ?? texts);
      assert.equal(outcome.reply.stop.reason, isTool ? "tool_use" : "end_turn");
      const { warnings } = outcome.reply;
      assert.equal(warnings.length, warns === undefined ? 0 : 1, warnings.join());
      assert.match(warnings.join(), warns ?? /^$/);
    }
  });
}

for (const [where, before] of [
  ["at the beginning", ""],
  ["behind a call", `${block(readA)}\n`],
] as const) {
  test(`R106 white space without end in an opening ${where} is not looked at again and again`, async () => {
    const pieces = [`${before}<tool_calls>`, ...Array.from({ length: 50_000 }, () => " ")];
    const { reply } = await outcomeOf(saying(pieces));
    assert.equal(reply.stop.reason, before === "" ? "end_turn" : "tool_use");
  });
}
