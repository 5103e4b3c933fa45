import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { capabilityValues } from "#adapters/models";
import { wordsFor } from "#i18n";
import { ROOT } from "../../scripts/package-json.ts";
import { readModels } from "../../src/app/config/model-settings.ts";

const words = await wordsFor("en");
const chinese = await wordsFor("zh-CN");

test("the user says of a model what the table does not know", () => {
  const qwen = {
    window: 32_768,
    maxOutputTokens: 4096,
    tools: "text",
    images: "refused",
    thinkingBack: "nothing",
    price: { input: 0, output: 0 },
  };
  assert.deepEqual(readModels({ "qwen3:8b": qwen, other: {} }, words), {
    models: {
      "qwen3:8b": { ...qwen, price: { input: 0, output: 0, cacheRead: null, cacheWrite: null } },
      other: {},
    },
  });
});

const wrongs = [
  { title: "no object", models: 7, says: /^an object such as/ },
  { title: "a model that is none", models: { m: 7 }, says: /"m" is an object/ },
  { title: "a window of nothing", models: { m: { window: 0 } }, says: /"m"\.window is a whole/ },
  {
    title: "a capability nobody has",
    models: { m: { tools: "none" } },
    says: /"m"\.tools is one of native, text/,
  },
  { title: "half a price", models: { m: { price: { input: 1 } } }, says: /"m"\.price is .*output/ },
  {
    title: "a price of a kind there is not",
    models: { m: { price: { input: 1, output: 1, cached: 1 } } },
    says: /"m"\.price/,
  },
  { title: "a key nobody knows", models: { m: { wndow: 7 } }, says: /has no "wndow".*window/ },
  {
    title: "where the key of a provider goes",
    models: { m: { keyHeader: "api-key" } },
    says: /has no "keyHeader"/,
  },
] as const;

for (const { title, models, says } of wrongs) {
  test(`what is wrong with a model in the settings is said: ${title}`, () => {
    const read = readModels(models, words);
    assert.match("problem" in read ? read.problem : "nothing", says);
    const inChinese = readModels(models, chinese);
    assert.match("problem" in inChinese ? inChinese.problem : "", /对象/);
  });
}

test("the schema of the settings knows every capability a model may have", () => {
  const schema = JSON.parse(readFileSync(join(ROOT, "schemas", "config.schema.json"), "utf8")) as {
    readonly properties: {
      readonly providers: {
        readonly additionalProperties: {
          readonly properties: {
            readonly models: {
              readonly additionalProperties: {
                readonly properties: Readonly<Record<string, { readonly enum?: unknown }>>;
              };
            };
          };
        };
      };
    };
  };
  const { models } = schema.properties.providers.additionalProperties.properties;
  const { keyHeader: _, ...own } = capabilityValues;
  const written = Object.entries(models.additionalProperties.properties).flatMap(([name, one]) =>
    one.enum === undefined ? [] : [[name, one.enum] as const],
  );
  assert.deepEqual(Object.fromEntries(written), own);
});
