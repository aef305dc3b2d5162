import { deflateRawSync, zstdCompressSync } from "node:zlib";
import { type MadeEntry, makeZip } from "./zip-maker.ts";

/** A file that a stranger sends, and what an import makes of it. */
export interface HostileFile {
  readonly name: string;
  readonly file: string;
  readonly make: () => string | Uint8Array;
  /** Episodes that are imported all the same. */
  readonly episodes: number;
  /** What is said, with the 1-based line of it where lines are told apart. */
  readonly says: RegExp;
  readonly line?: number;
}

const chat = (more: object = {}, content = "hello"): object => ({
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content },
  ],
  ...more,
});
export const GOOD = JSON.stringify(chat());
const deepText = (levels: number, open = "[", close = "]"): string =>
  open.repeat(levels) + close.repeat(levels);
const withExtra = (json: string): string => `${GOOD.slice(0, -1)},"x":${json}}`;
const between = (line: string | Buffer): string | Uint8Array =>
  typeof line === "string"
    ? `${GOOD}\n${line}\n${GOOD}\n`
    : Buffer.concat([Buffer.from(`${GOOD}\n`), line, Buffer.from(`\n${GOOD}\n`)]);
const usage = (tokens: string): string =>
  withExtra("1").replace('"x":1', `"usage":{"prompt_tokens":${tokens}}`);
const callWith = (text: string): string =>
  JSON.stringify({
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: text } }] },
    ],
  });

const line = (name: string, bad: () => string | Buffer, says: RegExp, episodes = 2): HostileFile => ({
  name,
  file: "x.jsonl",
  make: () => between(bad()),
  episodes,
  says,
  line: 2,
});

const DEEP = /Line 2: it is left out: it is nested more than 200 levels deep/;
const NO_JSON = /Line 2: this is no JSON/;
const NUMBER = /Line 2: `prompt_tokens` .*a number from 0 to 2\^53-1 is expected/;

/** Bad lines between two good ones. */
export const HOSTILE_LINES: readonly HostileFile[] = [
  line("300 levels of arrays", () => withExtra(deepText(300)), DEEP),
  line("20,000 levels of arrays", () => withExtra(deepText(20_000)), DEEP),
  line("a million levels that never close", () => withExtra("[".repeat(1_000_000)), DEEP),
  line(
    "a million levels of objects",
    () => withExtra(deepText(1_000_000, '{"a":', "}").replace(":}", ":1}")),
    DEEP,
  ),
  line(
    "arrays and objects in turn",
    () => withExtra(deepText(10_000, '[{"a":', "}]").replace(":}", ":1}")),
    DEEP,
  ),
  line("levels between blanks", () => withExtra(deepText(5_000, " [ ", " ] ")), DEEP),
  line("a line that is one deep array", () => deepText(100_000), DEEP),
  line(
    "6 million empty objects",
    () => withExtra(`[${"{},".repeat(6_000_000)}1]`),
    /Line 2: .*more than 5000000 values/,
  ),
  line(
    "9 million numbers",
    () => withExtra(`[${"0,".repeat(9_000_000)}1]`),
    /Line 2: .*more than 5000000 values/,
  ),
  line(
    "65 MiB in one line",
    () => withExtra(`"${"a".repeat(65 * 1024 * 1024)}"`),
    /Line 2: the line is over 64 MiB/,
  ),
  line("NUL bytes", () => "\0".repeat(100), NO_JSON),
  line("a word", () => "none", NO_JSON),
  line("bytes that are no UTF-8", () => Buffer.from([0xff, 0xfe, 0x80, 0x81]), NO_JSON),
  line("a lone quote", () => '"', NO_JSON),
  line("backslashes without an end", () => `"${"\\".repeat(500_001)}`, NO_JSON),
  line("closing brackets", () => "]".repeat(100_000), NO_JSON),
  line("a control character in a text", () => '{"messages":"\u0001"}', /Line 2: /),
  line("a number", () => "7", /Line 2: /),
  line("null", () => "null", /Line 2: /),
  line("an object of another kind", () => '{"__proto__":{"messages":[]}}', /Line 2: /),
  line("1e21 tokens", () => usage("1e21"), NUMBER, 3),
  line("-1 tokens", () => usage("-1"), NUMBER, 3),
  line("1.5 tokens", () => usage("1.5"), NUMBER, 3),
  line("1e999 tokens", () => usage("1e999"), NUMBER, 3),
  line("2^53 tokens", () => usage("9007199254740992"), NUMBER, 3),
  line("tokens as the text NaN", () => usage('"NaN"'), NUMBER, 3),
  line("tokens as the text 1e400", () => usage('"1e400"'), NUMBER, 3),
  line("tokens as a list", () => usage("[1,[2]]"), NUMBER, 3),
  line("tokens as an object", () => usage('{"toString":1}'), NUMBER, 3),
  line("tokens as true", () => usage("true"), NUMBER, 3),
];

/** Odd lines in which nothing is wrong: they are imported without a word. */
export const ODD_LINES: Readonly<Record<string, () => string | Uint8Array>> = {
  "a byte order mark": () => `\uFEFF${GOOD}`,
  "CRLF and blank lines": () => `\r\n${GOOD}\r\n\r\n`,
  "lone surrogates": () => GOOD.replace("hello", "\\ud800 \\udc00"),
  "a key __proto__": () => withExtra('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}'),
  "a key twice": () => withExtra('1,"x":2'),
  "200 levels in the arguments of a call": () => callWith(deepText(199)),
  "100,000 levels in the arguments of a call": () =>
    callWith(deepText(100_000, '{"a":', "}").replace(":}", ":1}")),
  "a million empty keys": () => callWith(`{${'"":0,'.repeat(100_000)}"a":1}`),
  "a list of 100,000": () => withExtra(`[${"1,".repeat(100_000)}1]`),
  "a large exponent in extra": () => withExtra("1e308"),
};

const SAMPLE = {
  id: "q1",
  epoch: 1,
  input: "hi",
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
  ],
};
const HEADER: MadeEntry = { name: "_journal/start.json", data: JSON.stringify({ eval: { task: "t" } }) };
const sample = (id: string, more: Partial<MadeEntry> = {}): MadeEntry => ({
  name: `samples/${id}_epoch_1.json`,
  data: JSON.stringify({ ...SAMPLE, id }),
  ...more,
});
/** A good sample, the bad one, and another good one. */
const around = (bad: MadeEntry): Uint8Array => makeZip([HEADER, sample("a"), bad, sample("c")]);
/** Deflate of a text so long that it is never held as a whole: `piece` again and again. */
function packedRepeat(before: string, piece: string, times: number, after: string): Uint8Array {
  return deflateRawSync(
    Buffer.concat([Buffer.from(before), Buffer.alloc(times * piece.length, piece), Buffer.from(after)]),
    {
      level: 9,
    },
  );
}
const bomb = (piece: string, megabytes: number, before = '{"x":"', after = '"}'): MadeEntry => ({
  name: "samples/bomb.json",
  data: "",
  packed: packedRepeat(before, piece, Math.floor((megabytes * 1024 * 1024) / piece.length), after),
  sizesFollow: "short",
});

const archive = (name: string, bad: () => MadeEntry, says: RegExp, episodes = 2): HostileFile => ({
  name,
  file: "log.eval",
  make: () => around(bad()),
  episodes,
  says,
});
const RATIO = /"samples\/bomb\.json" cannot be read in full: it unpacks to more than 250 times/;

/** Archives with one bad entry between two good ones, or bad as a whole. */
export const HOSTILE_ARCHIVES: readonly HostileFile[] = [
  archive("200 MB of one letter", () => bomb("a", 200), RATIO),
  archive("200 MB of open brackets", () => bomb("[", 200, "", ""), RATIO),
  archive("200 MB of objects", () => bomb('{"a":', 200, "", ""), RATIO),
  archive("200 MB of blanks", () => bomb(" ", 200, "", "{}"), RATIO),
  archive(
    "a bomb whose size is told",
    () => {
      const { sizesFollow: _, ...made } = bomb("a", 50);
      return made;
    },
    RATIO,
  ),
  archive(
    "a bomb that says it has 10 bytes",
    () => {
      const { sizesFollow: _, ...made } = bomb("a", 50);
      return { ...made, declaredBytes: 10 };
    },
    RATIO,
  ),
  archive(
    "a deep sample",
    () => sample("b", { data: deepText(10_000) }),
    /b_epoch_1\.json" cannot .*200 levels deep/,
  ),
  archive(
    "6 million objects",
    () => sample("b", { data: `[${"{},".repeat(6_000_000)}1]`, method: 0 }),
    /5000000 values/,
  ),
  archive(
    "a sample that says it has 5 bytes more",
    () => sample("b", { declaredBytes: 5 }),
    /says that it has 5 bytes, and it has/,
  ),
  archive("a sample that is no JSON", () => sample("b", { data: "none" }), /b_epoch_1\.json" cannot/),
  archive("an empty sample", () => sample("b", { data: "" }), /b_epoch_1\.json" cannot/),
  archive("a sample that is a list", () => sample("b", { data: "[1]" }), /sample of the log is no object/),
  archive(
    "damaged bytes",
    () => sample("b", { packed: Buffer.alloc(500, 0xff) }),
    /compressed bytes are damaged/,
  ),
  archive(
    "bytes that break off",
    () => {
      const packed = deflateRawSync(Buffer.from(JSON.stringify(SAMPLE)));
      return sample("b", { packed: packed.subarray(0, packed.length - 9) });
    },
    /compressed bytes break off/,
  ),
  archive(
    "an encrypted sample",
    () => sample("b", { flags: 1 }),
    /b_epoch_1\.json" cannot .*it is encrypted/,
  ),
  archive("AES", () => sample("b", { method: 99 }), /it is encrypted/),
  archive("Zstandard", () => sample("b", { method: 93 }), /compressed bytes are damaged/),
  archive(
    "Zstandard that breaks off",
    () => sample("b", { method: 93, packed: zstdCompressSync(JSON.stringify(SAMPLE)).subarray(0, -3) }),
    /compressed bytes break off/,
  ),
  archive(
    "200 MB of Zstandard",
    () => sample("b", { method: 93, packed: zstdCompressSync(Buffer.alloc(200_000_000)) }),
    /more than 5000 times its size/,
  ),
  archive(
    "a million empty frames of Zstandard",
    () => sample("b", { method: 93, packed: Buffer.alloc(9_000_000, zstdCompressSync("")) }),
    /more than 2000 frames/,
  ),
  archive("bzip2", () => sample("b", { method: 12 }), /compressed with bzip2/),
  archive("a method nobody knows", () => sample("b", { method: 4711 }), /compressed with method 4711/),
  archive(
    "a name with ..",
    () => ({ ...sample("b"), name: "samples/../../../.bashrc.json" }),
    /its name leads out/,
  ),
  archive("a name with a NUL", () => ({ ...sample("b"), name: "samples/a\0b.json" }), /its name leads out/),
  archive(
    "a name with backslashes",
    () => ({ ...sample("b"), name: "samples/..\\..\\x.json" }),
    /its name leads out/,
  ),
  archive(
    "a name of 60,000 letters",
    () => ({ ...sample("b", { data: "none" }), name: `samples/${"n".repeat(60_000)}.json` }),
    /samples\/n{192}" cannot/,
  ),
  archive("a name twice", () => sample("a"), /id "a_epoch_1" was used before/, 3),
  archive(
    "zip64 sizes of 2^63",
    () => sample("b", { zip64: [2n ** 63n, 2n ** 63n] }),
    /b_epoch_1\.json" cannot .*it breaks off/,
  ),
  archive("zip64 sizes of 0", () => sample("b", { zip64: [0n, 0n] }), /cannot be read in full/),
  archive(
    "packed bytes that reach past the end",
    () => sample("b", { packedBytes: 1_000_000 }),
    /it breaks off/,
  ),
  archive(
    "packed bytes that are too few",
    () => sample("b", { packedBytes: 3 }),
    /the archive is damaged at byte/,
  ),
  {
    name: "entries of other names, 120,000",
    file: "log.eval",
    make: () =>
      makeZip([
        sample("a"),
        ...Array.from({ length: 120_000 }, (_, n) => ({ name: `${n}`, data: "", method: 0 })),
      ]),
    episodes: 1,
    says: /it has more than 100000 entries/,
  },
  {
    name: "junk between the entries",
    file: "log.eval",
    make: () =>
      Buffer.concat([
        makeZip([sample("a")], { end: false }),
        Buffer.alloc(300_000, "PK"),
        makeZip([sample("c")]),
      ]),
    episodes: 2,
    says: /the archive is damaged at byte \d+; samples before and after/,
  },
  {
    name: "no end",
    file: "log.eval",
    make: () => makeZip([sample("a")], { end: false }),
    episodes: 1,
    says: /not read to its end: it breaks off/,
  },
  {
    name: "two letters of an archive",
    file: "log.eval",
    make: () => "PK",
    episodes: 0,
    says: /format of the file was not recognised|holds no sample/,
  },
  {
    name: "a million times PK",
    file: "log.eval",
    make: () => Buffer.alloc(2_000_000, "PK"),
    episodes: 0,
    says: /the archive holds no sample/,
  },
];

/** Archives that writers of streams make: nothing is wrong with them. */
export const ODD_ARCHIVES: Readonly<Record<string, () => Uint8Array>> = {
  "sizes that follow": () => makeZip([HEADER, sample("a", { sizesFollow: "short" })]),
  "long sizes that follow": () => makeZip([HEADER, sample("a", { sizesFollow: "long" })]),
  "stored, sizes that follow, with the mark of one inside": () => {
    const mark = JSON.stringify({ ...SAMPLE, id: "PK\u0007\u0008" });
    return makeZip([HEADER, { ...sample("a"), data: mark, method: 0, sizesFollow: "short" }]);
  },
  "zip64 sizes that are true": () => {
    const data = JSON.stringify(SAMPLE);
    const packed = deflateRawSync(Buffer.from(data));
    return makeZip([HEADER, { ...sample("a"), data, zip64: [BigInt(data.length), BigInt(packed.length)] }]);
  },
};
