import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { imageIntake } from "#adapters/images";
import { commonImageLimits } from "#adapters/models";
import type { Rule } from "#core";
import { wordsFor } from "#i18n";
import { gif, png } from "../adapters/images/made.ts";
import { attachImages, type Attached } from "../../src/app/attach-images.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pawl-attach-")));
after(() => rmSync(cwd, { recursive: true }));
mkdirSync(join(cwd, "secret"));
for (const name of ["a.png", "b c.png", "no-ending", "截图.png", "secret/d.png"]) {
  writeFileSync(join(cwd, name), png(4, 2));
}
writeFileSync(join(cwd, "cut.gif"), gif(1).subarray(0, 20));
writeFileSync(join(cwd, "text.png"), "no picture");
symlinkSync("secret/d.png", join(cwd, "link.png"));

const words = await wordsFor("en");

const attach = (said: string, rules: readonly Rule[] = []): Promise<Attached> =>
  attachImages(said, {
    cwd,
    policy: { mode: "ask", rules, roots: [cwd], questions: "deny" },
    grants: [],
    takeImage: imageIntake(commonImageLimits),
    words,
  });

/** What is attached, by the label that stands before each image. */
const labels = async (said: string): Promise<readonly string[]> =>
  (await attach(said)).blocks.flatMap((block) =>
    block.type === "text" && typeof block.text === "string" ? [block.text.trim()] : [],
  );

const mentions: readonly (readonly [said: string, attached: readonly string[]])[] = [
  ["what is in @a.png?", ["[image a.png]"]],
  ["@a.png", ["[image a.png]"]],
  ["(see @a.png, @./a.png and @no-ending.)", ["[image a.png]", "[image no-ending]"]],
  ['@"b c.png" and @b\\ c.png', ["[image b c.png]"]],
  ["看@截图.png里的按钮。", ["[image 截图.png]"]],
  [`@${cwd}/a.png`, [`[image ${cwd}/a.png]`]],
  ["mail me@a.png", []],
  ["@missing.png @text.png @secret @/dev/zero @", []],
];
for (const [said, attached] of mentions) {
  test(`a person's "${said.replace(cwd, "/…")}" attaches ${attached.length} images`, async () => {
    assert.deepEqual(await labels(said), attached);
  });
}

test("a rule that denies reading a file denies attaching it, also through a link", async () => {
  const rule = { verdict: "deny", tool: "read", pattern: "secret/**", source: "user" } as const;
  const { blocks, notices } = await attach("@link.png @a.png", [rule]);
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ["text", "text", "image"],
  );
  assert.match(notices.join("\n"), /^link\.png is not attached: .*secret/);
});

test("an image that is cut off is told to the person and to the model", async () => {
  const { blocks, notices } = await attach("@cut.gif");
  const why = "it is cut off before its end (image/gif)";
  assert.deepEqual(blocks, [{ type: "text", text: `\n[image cut.gif is left out: ${why}]` }]);
  assert.deepEqual(notices, [`cut.gif is not attached: ${why}`]);
});
