import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { applyEdits } from "../../../src/skill/fix-skill.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

const KEYS = "name: late-read\ndescription: Use late.\n";
const BODY = "\n# Late read\n\nRead first.\n";
const parse = (text: string) => parseSkill(text, { file: "SKILL.md", folder: "late-read" }, REGISTERED);

function found(text: string): string[] {
  return parse(text).diagnostics.map(
    ({ code, range: { start, end } }) =>
      `${code} ${start.line}:${start.character}-${end.line}:${end.character}`,
  );
}

/** The text with the first fix of what is found. */
function fixed(text: string): string {
  const [{ fixes = [] } = {}] = parse(text).diagnostics;
  return applyEdits(text, fixes[0]?.edits ?? []);
}

describe("Fences", () => {
  test.each([
    ["blanks behind the opening one", `---  \n${KEYS}---\n${BODY}`],
    ["a tab behind it", `---\t\n${KEYS}---\n${BODY}`],
    ["blanks behind the closing one", `---\n${KEYS}--- \t\n${BODY}`],
    ["Windows line ends and blanks", `---  \r\n${KEYS.replaceAll("\n", "\r\n")}---  \r\n${BODY}`],
    ["nothing behind the closing one", `---\n${KEYS}---`],
    ["a rule in the text", `---\n${KEYS}---\n${BODY}\n---\n\nMore.\n`],
  ])("may have %s", (_, text) => {
    const { value, diagnostics } = parse(text);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ name: "late-read", description: "Use late." });
    expect(value?.body).not.toMatch(/^[- \t]/);
  });

  test.each([
    ["a blank line", `\n---\n${KEYS}---\n${BODY}`, "0:0-1:0"],
    ["blank lines of Windows", `\r\n  \r\n---\r\n${KEYS}---\n${BODY}`, "0:0-2:0"],
    ["blanks", `  ---\n${KEYS}---\n${BODY}`, "0:0-0:2"],
  ])("are not found below %s, which a fix deletes", (_, text, at) => {
    expect(found(text)).toEqual([`HASP103 ${at}`]);
    expect(fixed(text).replaceAll("\r", "")).toBe(`---\n${KEYS}---\n${BODY}`);
  });

  test.each([
    ["a comment", "<!-- MIT -->\n", "0:0-0:12"],
    ["a heading and a blank line", "# Late read\n\n", "0:0-0:11"],
    ["three lines", "One\ntwo\nthree\n", "0:0-2:5"],
  ])("are not found below %s, which a fix moves", (_, above, at) => {
    const text = `${above}---\n${KEYS}---\n${BODY}`;
    expect(found(text)).toEqual([`HASP103 ${at}`]);
    expect(fixed(text)).toBe(`---\n${KEYS}---\n\n${above.trim()}\n${BODY}`);
  });

  test.each(["----", "--", "—", "—-", "–––", " ----"])("do not begin with %j", (line) => {
    const text = `${line}\n${KEYS}---\n${BODY}`;
    expect(found(text)).toEqual([`HASP103 0:0-0:${line.length}`]);
    expect(fixed(text)).toBe(`---\n${KEYS}---\n${BODY}`);
  });

  test.each(["...", "----", " ---", "—", "\t---", "--"])("do not end with %j", (line) => {
    const text = `---\n${KEYS}${line}\n${BODY}`;
    expect(found(text)).toEqual([`HASP105 3:0-3:${line.length}`]);
    expect(fixed(text)).toBe(`---\n${KEYS}---\n${BODY}`);
  });

  test.each([
    ["a rule of five dashes far below", `---\n${KEYS}${BODY}\nOne\n-----\n`],
    ["dots that are a text", `---\n${KEYS}${BODY}\n...\n`],
    ["nothing", `---\n${KEYS}`],
  ])("that are missing are not %s", (_, text) => {
    expect(found(text)).toEqual(["HASP105 0:0-0:3"]);
    expect(parse(fixed(text)).diagnostics).toEqual([]);
  });

  test("that end too early for some hosts are a warning at the dashes", () => {
    const text = `---\n${KEYS.replace("late.", "late --- or never.")}---\n${BODY}`;
    expect(found(text)).toEqual(["HASP126 2:22-2:25"]);
    expect(found(`---\n# -----\n${KEYS}---\n${BODY}`)).toEqual(["HASP126 1:2-1:7"]);
    expect(found(`---\n${KEYS}metadata:\n  note: |\n    a\n    ---\n    b\n---\n`)).toEqual([
      "HASP126 6:4-6:7",
    ]);
    expect(found(`---\n${KEYS.replace("late.", "a -- b — c.")}---\n${BODY}`)).toEqual([]);
  });

  test("of a hostile file take no time", () => {
    const start = performance.now();
    found(`${"\n".repeat(500_000)}---\n`);
    found(`---\n${"a\n".repeat(400_000)}`);
    found(`---\n${"- ".repeat(8_000)}\n---\n`);
    found(`---\n${'a: "\n'.repeat(3_000)}---\n`);
    found(`---\n${"a: [\n".repeat(3_000)}---\n`);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("Lengths are counted in characters", () => {
  const long = (description: string): string => `---\nname: late-read\ndescription: ${description}\n---\n`;
  test.each([
    ["600 emoji", long("🚀".repeat(600)), []],
    ["1,024 emoji", long("🚀".repeat(1_024)), []],
    ["1,025 emoji", long("🚀".repeat(1_025)), ["HASP115 2:13-2:2063"]],
    ["1,024 letters", long("é".repeat(1_024)), []],
    ["1,025 letters", long("é".repeat(1_025)), ["HASP115 2:13-2:1038"]],
    ["a compatibility of 500", `---\n${KEYS}compatibility: ${"🦀".repeat(500)}\n---\n`, []],
    [
      "a compatibility of 501",
      `---\n${KEYS}compatibility: ${"🦀".repeat(501)}\n---\n`,
      ["HASP115 3:15-3:1017"],
    ],
    ["a name of 65 letters", `---\n${KEYS.replace("late-read", "a".repeat(65))}---\n`, ["HASP113 1:6-1:71"]],
    ["frontmatter of 16,000 emoji", `---\n${KEYS}license: ${"🚀".repeat(16_000)}\n---\n`, []],
    [
      "frontmatter of 17,000 letters",
      `---\n${KEYS}license: ${"a".repeat(17_000)}\n---\n`,
      ["HASP102 0:0-0:3"],
    ],
  ])("%s", (_, text, wanted) => expect(found(text)).toEqual(wanted));

  test("the number in the message is that of characters, and the fix cuts none in two", () => {
    const [d] = parse(long("🚀".repeat(1_100))).diagnostics;
    expect(d?.message).toBe("The description has 1100 characters; it may have 1024.");
    const text = fixed(long("🚀".repeat(1_100)));
    expect(text.isWellFormed()).toBe(true);
    expect(found(text)).toEqual([]);
  });
});
