import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseProposal,
  renderProposal,
  withoutReasoning,
} from "../../../../src/evolve/author/parse-proposal.ts";
import { CLEAN, replyWith } from "./author-support.ts";

const codesOf = (reply: string, cutOff = false): readonly string[] =>
  parseProposal(reply, cutOff).diagnostics.map(({ code, severity }) => `${severity} ${code}`);

test("blocks under headings, with words around them", () => {
  const reply = `Sure!\n\n${replyWith()}\nThis skill would help.\n\n\`\`\`\nhasp validate\n\`\`\`\n`;
  expect(parseProposal(reply)).toEqual({ files: CLEAN, diagnostics: [] });
});

test.each([
  ["bold names", "**SKILL.md**", "**pf.ts**:", "**cases.yaml**"],
  ["code and a list", "1. `SKILL.md`", "2. `pf.ts`:", "3. `cases.yml`"],
  ["paths", "# skills/web-search/x/SKILL.md", "# skills/web-search/x/pf.ts", "# x/cases.yaml"],
  ["plain", "File: SKILL.md", "File: pf.ts", "File: cases.yaml"],
])("headings as models write them: %s", (_, ...headings) => {
  const texts = [CLEAN["SKILL.md"], CLEAN["pf.ts"], CLEAN["cases.yaml"]];
  const reply = headings.map((heading, i) => `${heading}\n\n\`\`\`text\n${texts[i]}\`\`\`\n`).join("\n");
  expect(parseProposal(reply.replaceAll("\n", "\r\n"))).toEqual({ files: CLEAN, diagnostics: [] });
});

test("names in the info strings, and languages alone", () => {
  const { "SKILL.md": md, "pf.ts": pf, "cases.yaml": cases } = CLEAN;
  const named = `\`\`\`markdown title="SKILL.md"\n${md}\`\`\`\n\`\`\`ts pf.ts\n${pf}\`\`\`\n\`\`\`yaml:cases.yaml\n${cases}\`\`\``;
  expect(parseProposal(named).files).toEqual(CLEAN);
  const bare = `\`\`\`md\n${md}\`\`\`\n~~~typescript\n${pf}~~~\n\`\`\`yml\n${cases}\`\`\``;
  expect(parseProposal(bare).files).toEqual(CLEAN);
});

test("a SKILL.md in three backticks keeps the blocks within it", () => {
  const md = `${CLEAN["SKILL.md"]}\n## Examples\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n\`\`\`\nSEARCH\n\`\`\`\n\nThe end.\n`;
  const reply = `### SKILL.md\n\`\`\`markdown\n${md}\`\`\`\n\n### pf.ts\n\`\`\`ts\n${CLEAN["pf.ts"]}\`\`\`\n`;
  expect(parseProposal(reply).files).toEqual({ "SKILL.md": md, "pf.ts": CLEAN["pf.ts"] });
});

test("missing files", () => {
  expect(codesOf("I cannot do that.")).toEqual(["error HASP645", "error HASP645", "warning HASP646"]);
  expect(codesOf(renderProposal({ "SKILL.md": "a\n", "cases.yaml": "b\n" }))).toEqual(["error HASP645"]);
});

test("a block without an end does not swallow the next file", () => {
  const reply = `### SKILL.md\n\`\`\`\na\n\`\`\`\n### pf.ts\n\`\`\`ts\nb\n\n### cases.yaml\n\`\`\`yaml\nc\n\`\`\`\n`;
  expect(parseProposal(reply).files).toEqual({ "SKILL.md": "a\n", "pf.ts": "b\n", "cases.yaml": "c\n" });
  expect(codesOf(reply)).toEqual(["warning HASP647"]);
});

test("a reply that was cut off is an error", () => {
  const reply = `### SKILL.md\n\`\`\`\na\n\`\`\`\n### pf.ts\n\`\`\`ts\nclass`;
  expect(codesOf(reply, true)).toEqual(["warning HASP646", "error HASP647"]);
});

test("reasoning is dropped, drafts in it included", () => {
  const draft = "<think>\nLet me try.\n### pf.ts\n```ts\nwrong\n";
  expect(parseProposal(`${draft}</think>\n${replyWith()}`).files).toEqual(CLEAN);
  expect(withoutReasoning("<think>\nand so on")).toBe("");
  expect(withoutReasoning("I would say so.\n</think>\nYes.").trim()).toBe("Yes.");
  const quoting = replyWith({ "SKILL.md": `${CLEAN["SKILL.md"]}\n</think>\n` });
  expect(parseProposal(quoting).files["SKILL.md"]).toContain("</think>");
});

test("of two blocks for one file the last counts", () => {
  expect(parseProposal(`### pf.ts\n\`\`\`ts\nold\n\`\`\`\nBetter:\n${replyWith()}`).files).toEqual(CLEAN);
});

/** Lines that look like the form of a reply, among others. */
const line = fc.oneof(
  fc.constantFrom(
    "```",
    "```ts",
    "````",
    "~~~",
    "~~~yaml",
    "### pf.ts",
    "SKILL.md",
    "---",
    "**cases.yaml**",
    "</think>",
    "",
  ),
  fc.string().map((text) => text.replaceAll(/[\r\n]/g, " ")),
);
const text = fc.array(line, { minLength: 1 }).map((lines) => `${lines.join("\n")}x\n`);

test("what is rendered is read back, whatever is in the files", () => {
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      const files = { "SKILL.md": a, "pf.ts": b, "cases.yaml": c };
      expect(parseProposal(renderProposal(files))).toEqual({ files, diagnostics: [] });
    }),
  );
});

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, cutOff) => {
      const { files, diagnostics } = parseProposal(lines.join("\n"), cutOff);
      expect(diagnostics.length).toBeGreaterThanOrEqual(3 - Object.keys(files).length);
    }),
  );
});

test.each([
  ["fences", "```\n".repeat(400_000)],
  ["fences of another kind", "```ts\n~~~ts\n".repeat(150_000)],
  ["blocks that do not end", "### pf.ts\n```ts\n".repeat(100_000)],
  ["headings", "### SKILL.md\n".repeat(150_000)],
  ["blocks of a SKILL.md", "### SKILL.md\n```\n".repeat(100_000)],
  ["blanks behind a name", `SKILL.md${" ".repeat(400_000)}x`],
  ["marks before a name", `${"*".repeat(400_000)}x`],
  ["thoughts", `${"### pf.ts\n".repeat(100_000)}</think>`],
  ["more than is read", "```ts\n".repeat(4_000_000)],
])("takes no time to speak of for a reply of %s", (_what, reply) => {
  // The square of this many would take minutes, which the time limit of tests ends.
  expect(parseProposal(reply).diagnostics.map(({ code }) => code)).toContain("HASP645");
});

test("a reply that is longer than any is cut off", () => {
  const reply = `${renderProposal(CLEAN)}\n${"x".repeat(2_000_000)}\n### cases.yaml\n\`\`\`yaml\nother\n\`\`\`\n`;
  expect(parseProposal(reply).files).toEqual(CLEAN);
  expect(codesOf("x".repeat(3_000_000))[0]).toBe("error HASP645");
  expect(parseProposal("x".repeat(3_000_000)).diagnostics[0]?.message).toContain("cut off");
});
