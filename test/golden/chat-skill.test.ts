import { REGISTERED } from "../../src/domains/registered.ts";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ASSIST_TOOLS } from "../../src/agents/assist/tools.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";

/** What teaches an assistant to write PFs teaches nothing that does not hold. */
const FOLDER = "assistant/write-program-functions";
const text = readFileSync(path.join(ROOT, FOLDER, "SKILL.md"), "utf8");
const place = mkdtempSync(path.join(tmpdir(), "hasp-chat-skill-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function sample(language: string): string {
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

test("its own file is a plain Agent Skill, as VS Code loads it, and ships", () => {
  const { value, diagnostics } = parseSkill(
    text,
    { file: "SKILL.md", folder: "write-program-functions" },
    REGISTERED,
  );
  expect(diagnostics).toEqual([]);
  expect(value?.name).toBe("write-program-functions");
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    contributes: { chatSkills: unknown };
  };
  expect(manifest.contributes.chatSkills).toEqual([{ path: `./${FOLDER}/SKILL.md` }]);
  expect(readFileSync(path.join(ROOT, ".vscodeignore"), "utf8")).toContain("!assistant/**");
});

test("the skill that it shows validates clean and its cases hold", async () => {
  const folder = path.join(place, "skills/web-search/late-read");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "SKILL.md"), sample("markdown"));
  writeFileSync(path.join(folder, "pf.ts"), sample("ts"));
  writeFileSync(path.join(folder, "cases.yaml"), sample("yaml"));
  const hasp = async (...args: string[]) => (await haspIn(args, { cwd: place })).out;
  const validated = await hasp("validate", "skills");
  expect(validated).toContain("✓ late_read: 4 of 4 executable checks passed");
  expect(validated).toContain("0 errors, 0 warnings");
  expect(await hasp("test", "skills")).toContain("3 of 3 cases hold");
});

test("it names the tools that there are", () => {
  for (const { name } of ASSIST_TOOLS) expect(text).toContain(name);
  const named = text.match(/hasp_[a-z]+_[a-z]+/g) ?? [];
  expect(named.filter((name) => ASSIST_TOOLS.every((tool) => tool.name !== name))).toEqual([]);
});
