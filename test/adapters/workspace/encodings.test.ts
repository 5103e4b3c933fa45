import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { codecFor, detectEncoding, showable } from "#adapters/workspace";

const zh = "# 统计文件里的行数和字数，用于报告。\r\nprint('你好，世界')\r\n";
const tw = "# 統計檔案裡的行數與字數，用於報告。這是繁體中文的說明文字。\n";
const ja = "# ファイルの行数を数えて報告する。これは日本語の説明です。\n";
const ko = "# 파일의 줄 수를 세어 보고합니다. 한국어 설명입니다.\n";
const fr = "# Compte les lignes du fichier, café, déjà vu, naïve, où, garçon – « œuvre »\n";
const bom = Buffer.from([0xef, 0xbb, 0xbf]);

const texts: readonly (readonly [what: string, bytes: Buffer, encoding: string | null])[] = [
  ["plain ASCII", Buffer.from("a = 1\n"), "utf-8"],
  ["UTF-8", Buffer.from("naïve 零一二 👩‍💻\n"), "utf-8"],
  ["UTF-8 with a mark", Buffer.concat([bom, Buffer.from(zh)]), "utf-8"],
  ["UTF-8 cut inside a character", Buffer.from(zh).subarray(0, 9), "utf-8"],
  ["UTF-8 with one broken byte", Buffer.concat([Buffer.from(zh), Buffer.of(0xff)]), "utf-8"],
  ["GBK", iconv.encode(zh, "gbk"), "gb18030"],
  ["GBK, one short comment", iconv.encode("a=1 # 注释\n", "gbk"), "gb18030"],
  ["GB18030 with four-byte characters", iconv.encode("名字：𠀀㐂㐃\n", "gb18030"), "gb18030"],
  ["Big5", iconv.encode(tw, "big5"), "big5"],
  ["Shift_JIS", iconv.encode(ja, "shift_jis"), "shift_jis"],
  ["EUC-JP", iconv.encode(ja, "euc-jp"), "euc-jp"],
  ["EUC-KR", iconv.encode(ko, "euc-kr"), "euc-kr"],
  ["windows-1252", iconv.encode(fr, "windows-1252"), "windows-1252"],
  ["Latin-1, one word", Buffer.from("caf\xe9\n", "latin1"), "windows-1252"],
  ["UTF-16LE with a mark", Buffer.from(`\ufeff${zh}`, "utf16le"), "utf-16le"],
  ["UTF-16BE with a mark", Buffer.from(`\ufeff${zh}`, "utf16le").swap16(), "utf-16be"],
  [
    "UTF-16LE without a mark",
    Buffer.from("name = value\r\nsecond line\r\n", "utf16le"),
    "utf-16le",
  ],
  ["UTF-16BE without a mark", Buffer.from("name = value\n", "utf16le").swap16(), "utf-16be"],
  ["UTF-16LE without a mark, Chinese", Buffer.from(zh, "utf16le"), "utf-16le"],
  ["UTF-16BE without a mark, Korean", Buffer.from(ko, "utf16le").swap16(), "utf-16be"],
  [
    "numbers of two bytes",
    Buffer.from(Uint16Array.from({ length: 400 }, (_, n) => n * 157).buffer),
    null,
  ],
  ["UTF-32 with a mark", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), null],
  ["a program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]), null],
  ["control characters without NUL", Buffer.from([1, 2, 3, 4, 5, 6, 14, 15, 16]), null],
];

test("[N04] the ladder tells the encoding of every kind of file", async () => {
  const found = [];
  for (const [what, bytes] of texts) {
    found.push([what, (await detectEncoding(bytes))?.encoding ?? null]);
  }
  assert.deepEqual(
    found,
    texts.map(([what, , encoding]) => [what, encoding]),
  );
});

test("[N04] decoding and encoding gives the same bytes for every text", async () => {
  const changed = [];
  for (const [what, bytes] of texts) {
    const detected = await detectEncoding(bytes);
    if (detected === null) continue;
    const codec = await codecFor(detected.encoding);
    const again = codec.encode(codec.decode(bytes.subarray(detected.bomBytes)));
    if ("unmappable" in again || !again.equals(bytes.subarray(detected.bomBytes))) {
      changed.push(what);
    }
  }
  assert.deepEqual(changed, []);
});

test("any bytes at all survive UTF-8 and windows-1252", async () => {
  const every = Buffer.from(Array.from({ length: 65_536 }, (_, n) => [n >> 8, n & 255]).flat());
  const same = [];
  for (const encoding of ["utf-8", "windows-1252"] as const) {
    const codec = await codecFor(encoding);
    const again = codec.encode(codec.decode(every));
    same.push("unmappable" in again ? again.unmappable : again.equals(every));
  }
  assert.deepEqual(same, [true, true]);
});

test("[N01] a character the encoding lacks is named, not replaced", async () => {
  const gbk = await codecFor("big5");
  assert.deepEqual(gbk.encode("好👍"), { unmappable: "👍" });
  const western = await codecFor("windows-1252");
  assert.deepEqual(western.encode("é→"), { unmappable: "→" });
});

test("[W05] text made of broken bytes can be shown without lone surrogates", async () => {
  const codec = await codecFor("utf-8");
  assert.equal(showable(codec.decode(Buffer.from([0x61, 0xff, 0x62]))), "a\ufffdb");
});
