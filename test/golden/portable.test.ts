import { REGISTERED } from "../../src/domains/registered.ts";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSkill } from "../../src/skill/parse-skill.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";
import { paperSkill } from "../support/shipped.ts";

/** A workspace that holds nothing of ours but the skills that a test puts there. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-portable-"));
const WORKSPACE = path.join(place, "workspace");

async function hasp(...args: string[]) {
  const { code, out, err } = await haspIn(args, { cwd: WORKSPACE });
  return { code, text: out + err };
}

const at = (...parts: readonly string[]): string => path.join(WORKSPACE, ...parts);
const read = (...parts: readonly string[]): string => readFileSync(at(...parts), "utf8");

/** One with phases and a PF, one with a handler, one of another domain. */
const SKILLS = [
  ["web-search", "retrieval-failure"],
  ["web-search", "answer-confidence-guard"],
  ["coding-agent", "force-push"],
] as const;

beforeAll(() => {
  mkdirSync(WORKSPACE, { recursive: true });
  for (const [domain, name] of SKILLS)
    cpSync(
      path.join(ROOT, domain === "web-search" ? paperSkill(name) : `skills/${domain}/${name}`),
      at("skills", domain, name),
      { recursive: true },
    );
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("A shipped skill in the portable form", () => {
  it.each(SKILLS)("%s/%s goes there and comes back, and nothing of it is lost", async (domain, name) => {
    const there = `portable/${domain}`;
    const exported = await hasp("export", "--portable", `skills/${domain}/${name}`, "-o", there);
    expect(exported, exported.text).toMatchObject({ code: 0 });
    const files = readdirSync(at("skills", domain, name)).toSorted();
    expect(readdirSync(at(there, name)).toSorted()).toEqual(files);
    // What other readers of Agent Skills take: texts, one below `metadata`.
    expect(read(there, name, "SKILL.md")).toMatch(/^metadata:\n(?: {2}[\w-]+: .*\n)*? {2}hasp_\w+: /m);
    expect(read(there, name, "SKILL.md")).not.toMatch(/^ {2}hasp:/m);
    const imported = await hasp("import", "--portable", `${there}/${name}`, "-o", `back/${domain}`);
    expect(imported, imported.text).toMatchObject({ code: 0 });
    const skill = (root: string) =>
      parseSkill(read(root, domain, name, "SKILL.md"), { file: "SKILL.md", folder: name }, REGISTERED);
    expect(skill("back").diagnostics).toEqual([]);
    expect(skill("back").value).toEqual(skill("skills").value);
    for (const file of files.filter((one) => one !== "SKILL.md"))
      expect(read("back", domain, name, file)).toBe(read("skills", domain, name, file));
  });

  it.each(["portable", "back"])("validates clean: %s", async (root) => {
    const validated = await hasp("validate", root);
    expect(validated.text).toContain(`${SKILLS.length} skills: 0 errors, 0 warnings`);
    expect(validated.code).toBe(0);
  });

  it.each(["portable", "back"])("has cases that hold: %s", async (root) => {
    const tested = await hasp("test", root);
    expect(tested.text).toMatch(/^[1-9]\d* cases hold, 0 do not; 0 errors, 0 warnings$/m);
    expect(tested.code).toBe(0);
  });

  it("replaces nothing that is there already", async () => {
    const again = await hasp(
      "export",
      "--portable",
      "skills/web-search/retrieval-failure",
      "-o",
      "portable/web-search",
    );
    expect(again.code).toBe(2);
    expect(again.text).toMatch(/is there already/);
  });
});
