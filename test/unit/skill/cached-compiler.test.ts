import { REGISTERED } from "../../../src/domains/registered.ts";
import { expect, test } from "vitest";
import type { Compiler } from "../../../src/skill/compiler.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { cachedCompiler } from "../../../src/skill/cached-compiler.ts";
import { transpile } from "../../../src/skill/transpile.ts";

/** A compiler that notes what it is asked, and fails where the code says so. */
function asked(): { readonly compiler: Compiler; readonly calls: string[] } {
  const calls: string[] = [];
  const note = (what: string, file: string): void => void calls.push(`${what} ${file}`);
  const compiler: Compiler = {
    domains: async () => REGISTERED,
    async check(file, source) {
      note("check", file);
      if (source.includes("worker dies")) throw new Error("the worker ended");
      return [];
    },
    async transpile(file, source) {
      note("transpile", file);
      return transpile(source, file);
    },
    async promptEquivalence(file) {
      note("promptEquivalence", file);
      return { promptEquivalent: false, canModify: true, buildsText: true };
    },
    async parseCases(file, text) {
      note("parseCases", file);
      return parseCases(text, file, REGISTERED);
    },
    instrument: () => Promise.reject(new Error("nobody asks why here")),
    close: async () => undefined,
  };
  return { compiler, calls };
}

const SKILL = `---
name: look-again
description: Use when remembered.
metadata:
  hasp:
    skill_id: look_again
---

# Look again
`;

const files = (texts: Readonly<Record<string, string>>) => ({
  list: async () => Object.keys(texts),
  async readText(path: string) {
    const text = texts[path.slice(path.lastIndexOf("/") + 1)];
    return text === undefined ? { kind: "absent" as const } : { kind: "text" as const, text };
  },
});

test("of a skill that has not changed nothing is compiled or parsed again", async () => {
  const { compiler, calls } = asked();
  const cached = cachedCompiler(compiler);
  const texts = { "SKILL.md": SKILL, "pf.ts": "export default 1;", "cases.yaml": "cases: []" };
  const first = await readSkillFolder(files(texts), cached, "skills/look-again");
  expect(calls.splice(0)).toEqual([
    "parseCases skills/look-again/cases.yaml",
    "transpile skills/look-again/pf.ts",
    "promptEquivalence skills/look-again/pf.ts",
  ]);
  const second = await readSkillFolder(files(texts), cached, "skills/look-again");
  expect(calls).toEqual([]);
  expect(second).toEqual(first);
  expect(second.skill).toBe(first.skill);
  expect(second.cases).toBe(first.cases);
});

test("of one whose file has changed that file alone is read anew, and told as without a memory", async () => {
  const { compiler, calls } = asked();
  const cached = cachedCompiler(compiler);
  const texts = { "SKILL.md": SKILL, "pf.ts": "export default 1;", "cases.yaml": "cases: []" };
  await readSkillFolder(files(texts), cached, "skills/look-again");
  calls.splice(0);
  const changed = { ...texts, "cases.yaml": "cases: [1" };
  const read = await readSkillFolder(files(changed), cached, "skills/look-again");
  expect(calls).toEqual(["parseCases skills/look-again/cases.yaml"]);
  expect(read).toEqual(await readSkillFolder(files(changed), compiler, "skills/look-again"));
});

test("the same text in another file is another question", async () => {
  const { compiler, calls } = asked();
  const cached = cachedCompiler(compiler);
  await cached.check("a/pf.ts", "1");
  await cached.check("b/pf.ts", "1");
  await cached.check("a/pf.ts", "1");
  expect(calls).toEqual(["check a/pf.ts", "check b/pf.ts"]);
});

test("what failed is asked again", async () => {
  const { compiler, calls } = asked();
  const cached = cachedCompiler(compiler);
  await expect(cached.check("a/pf.ts", "worker dies")).rejects.toThrow("the worker ended");
  await expect(cached.check("a/pf.ts", "worker dies")).rejects.toThrow("the worker ended");
  expect(calls).toHaveLength(2);
});
