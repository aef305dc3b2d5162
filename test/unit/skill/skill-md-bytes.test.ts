import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { applyFixes } from "../../../src/skill/fix-skill.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";

const SKILL = (word: string): string =>
  `---\nname: late-read\ndescription: ${word}\n---\n\n# Late read\n\nRead ${word} first.\n`;

let root = "";
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/hasp-bytes-`);
  mkdirSync(`${root}/late-read`);
});
afterEach(() => rmSync(root, { recursive: true }));

const compiler = {
  domains: async () => REGISTERED,
  transpile: async () => ({ value: undefined, diagnostics: [] }),
};
const folder = (): string => `${root}/late-read`;
const read = (files = nodeFiles()) => readSkillFolder(files, compiler, folder());

async function found(bytes: Uint8Array | string) {
  writeFileSync(`${folder()}/SKILL.md`, bytes);
  const { diagnostics, skill } = await read();
  return {
    said: diagnostics.map(
      ({ code, severity, range: { start } }) => `${code} ${severity} ${start.line}:${start.character}`,
    ),
    description: skill?.description,
    next: diagnostics[0]?.next,
  };
}

/** Writes what `hasp validate --fix` would, and what is found then. */
async function fixed(bytes: Uint8Array | string) {
  writeFileSync(`${folder()}/SKILL.md`, bytes);
  const files = await applyFixes(
    nodeFiles(),
    folder(),
    async (overlay, at) => (await readSkillFolder(overlay, compiler, at)).diagnostics,
  );
  for (const { file, after } of files) await nodeFiles().writeText(file, after);
  return {
    left: (await read()).diagnostics.map(({ code }) => code),
    bytes: readFileSync(`${folder()}/SKILL.md`),
  };
}

const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("A byte order mark", () => {
  test.each([
    ["before a plain file", `\uFEFF${SKILL("late")}`],
    ["before a file with Windows line ends", `\uFEFF${SKILL("late").replaceAll("\n", "\r\n")}`],
    ["before a text of other alphabets", `\uFEFF${SKILL("когда 🚀 遅い")}`],
    ["twice", `\uFEFF\uFEFF${SKILL("late")}`],
  ])("%s is a warning at its place, and --fix removes it", async (_, text) => {
    expect(await found(text)).toMatchObject({
      said: ["HASP124 warning 0:0"],
      next: "Save the file as UTF-8 without the mark.",
    });
    const after = await fixed(text);
    expect(after.left).toEqual([]);
    expect(after.bytes.toString()).toBe(text.replace(/^\uFEFF+/, ""));
  });

  test("stands beside what is wrong with the text, whose places it does not move", async () => {
    const text = `\uFEFF${SKILL("Use: late")}`;
    expect((await found(text)).said).toEqual(["HASP124 warning 0:0", "HASP106 error 2:16"]);
    expect((await fixed(text)).left).toEqual([]);
  });
});

describe("UTF-16", () => {
  test.each([
    ["with a mark", utf16(`\uFEFF${SKILL("late")}`)],
    ["of the other byte order", utf16(`\uFEFF${SKILL("late")}`, true)],
    ["without a mark", utf16(SKILL("late"))],
    ["without a mark, of the other byte order", utf16(SKILL("late"), true)],
    ["of another alphabet", utf16(`\uFEFF${SKILL("遅い時に")}`)],
  ])("%s is an error that names it, and --fix makes UTF-8 of it", async (_, bytes) => {
    expect((await found(bytes)).said).toEqual(["HASP125 error 0:0"]);
    const after = await fixed(bytes);
    expect(after.left).toEqual([]);
    expect(after.bytes.toString("utf8")).toMatch(/^---\nname: late-read\n/);
  });

  test("is read: mistakes in it are found at their places", async () => {
    expect((await found(utf16(`\uFEFF${SKILL("Use: late")}`))).said).toEqual([
      "HASP125 error 0:0",
      "HASP106 error 2:16",
    ]);
  });
});

describe("Bytes that are not UTF-8", () => {
  test.each([
    ["of Latin-1 in the description", latin1(SKILL("für alle")), "2:14"],
    ["of Latin-1 in the text", latin1(`${SKILL("late")}\nÜber alles.\n`), "9:0"],
    ["of Windows-1252", Buffer.from([...latin1(SKILL("late")), 0x80, 0x0a]), "8:0"],
    ["after UTF-8", Buffer.concat([Buffer.from(SKILL("spät 🚀 ")), latin1("é")]), "8:0"],
    [
      "that are cut off in the middle of a character",
      Buffer.from(SKILL("late").concat("🚀")).subarray(0, -1),
      "8:0",
    ],
  ])("%s are an error at the first of them", async (_, bytes, at) => {
    expect((await found(bytes)).said).toEqual([`HASP125 error ${at}`]);
  });

  test("may be read as Windows-1252, which a person decides", async () => {
    const bytes = latin1(SKILL("für alle"));
    expect((await fixed(bytes)).bytes.equals(bytes)).toBe(true);
    const fix = (await read()).diagnostics[0]?.fixes?.[0];
    expect(fix).toMatchObject({ byHand: true, edits: [{ newText: SKILL("für alle") }] });
  });

  test("are none where a text holds the replacement character itself", async () => {
    expect((await found(SKILL("late \uFFFD"))).said).toEqual([]);
  });
});

describe("Lines that end with a carriage return alone", () => {
  test.each([
    ["in the whole file", SKILL("late").replaceAll("\n", "\r")],
    ["in the frontmatter", SKILL("late").replace("---\nname: late-read\n", "---\rname: late-read\r")],
    ["behind a byte order mark", `\uFEFF${SKILL("late").replaceAll("\n", "\r")}`],
  ])("%s are an error, and --fix makes line feeds of them", async (_, text) => {
    expect((await found(text)).said).toContain("HASP125 error 0:0");
    const after = await fixed(text);
    expect(after.left).toEqual([]);
    expect(after.bytes.toString()).toBe(SKILL("late"));
  });
});

test("a NUL byte in UTF-8 is one, and no UTF-16", async () => {
  expect((await found(SKILL("la\0te"))).said).toEqual(["HASP101 error 2:15"]);
});

test("what an editor shows is checked, with what is odd about the file", async () => {
  writeFileSync(`${folder()}/SKILL.md`, utf16(`\uFEFF${SKILL("late")}`));
  const disk = nodeFiles();
  const shown = {
    ...disk,
    async readText(path: string, most: number) {
      const found = await disk.readText(path, most);
      return found.kind === "text" ? { ...found, text: SKILL("Use: unsaved") } : found;
    },
  };
  const { diagnostics } = await read(shown);
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP125", "HASP106"]);
});
