import assert from "node:assert/strict";
import { test } from "node:test";

import { languageOfLocale, parseLanguage, wordsFor } from "#i18n";

/** `usage.title`, `progress.outcome.ok`: every place that holds a text or a function. */
function leaves(value: unknown, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

test("both catalogues have the same keys, and nothing is left in English", async () => {
  const [english, chinese] = [await wordsFor("en"), await wordsFor("zh-CN")];
  assert.deepEqual(leaves(chinese).toSorted(), leaves(english).toSorted());
  const same = Object.entries(english.options).filter(
    ([key, text]) => Reflect.get(chinese.options, key) === text,
  );
  assert.deepEqual(same, []);
});

test("one thing is one, two are several", async () => {
  const { endings, interactive, facts, progress } = await wordsFor("en");
  assert.match(endings.turns(1), /limit of 1 turn\./);
  assert.match(endings.toolCalls(2), /limit of 2 tool calls\./);
  const used = { calls: 1, cached: 0, usd: "$0" };
  assert.equal(interactive.cost(1, 1, used), "1 turn, 1 tool call, 1 token, $0");
  assert.match(
    interactive.cost(2, 900, { ...used, cached: 800 }),
    /900 tokens \(800 from the cache\)/,
  );
  assert.equal(facts.inputWithdrawn(1), "1 queued input taken back");
  assert.match(progress.degraded(1), /^1 step after the damage no longer fits and is left out/);
});

test("an agent has one name in Chinese", async () => {
  const texts = JSON.stringify(await wordsFor("zh-CN"), (_key, value: unknown) =>
    typeof value === "function" ? String(value) : value,
  );
  assert.match(texts, /智能体/);
  // A proxy is a server.
  assert.doesNotMatch(texts, /代理(?!服务器)/);
});

const locales = [
  { title: "zh_CN.UTF-8 is Chinese", env: { LANG: "zh_CN.UTF-8" }, language: "zh-CN" },
  { title: "LC_ALL wins over LANG", env: { LC_ALL: "zh_CN", LANG: "en_US" }, language: "zh-CN" },
  { title: "an empty LC_ALL counts as absent", env: { LC_ALL: "", LANG: "zh" }, language: "zh-CN" },
  { title: "other languages get English", env: { LANG: "fr_FR.UTF-8" }, language: "en" },
  { title: "zha_CN is not Chinese", env: { LANG: "zha_CN" }, language: "en" },
  { title: "no locale is English", env: {}, language: "en" },
];

for (const { title, env, language } of locales) {
  test(title, () => assert.equal(languageOfLocale(env), language));
}

test("a language is read whatever its case; an unknown one is none", () => {
  assert.deepEqual(["ZH-cn", "en", "fr"].map(parseLanguage), ["zh-CN", "en", null]);
});
