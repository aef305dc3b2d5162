import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { loadingBy } from "../../../src/skill/host-loading.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { SKILL_KINDS, type SkillKind } from "../../support/skill-kinds.ts";

const WORDS = { yes: "yes", "without frontmatter": "bare", no: "no" } as const;

async function findings({ folder, bytes }: SkillKind): Promise<string[]> {
  const files = {
    readText: async (path: string) =>
      path.endsWith("SKILL.md")
        ? ({ kind: "text", text: new TextDecoder().decode(bytes), bytes } as const)
        : ({ kind: "absent" } as const),
    list: async () => ["SKILL.md"],
  };
  const compiler = {
    domains: async () => REGISTERED,
    transpile: async () => ({ value: undefined, diagnostics: [] }),
  };
  const { diagnostics } = await readSkillFolder(files, compiler, `skills/agent/${folder}`);
  return diagnostics.filter(({ severity }) => /error|warning/.test(severity)).map(({ code }) => code);
}

describe.each(SKILL_KINDS)("A SKILL.md of the kind $folder", (kind) => {
  const { folder, bytes, claudeCode, codex } = kind;

  test(`is loaded by Claude Code: ${claudeCode}, by Codex: ${codex}`, () => {
    expect(WORDS[loadingBy("claude-code", bytes, folder).loads]).toBe(claudeCode);
    expect(WORDS[loadingBy("codex", bytes, folder).loads]).toBe(codex);
  });

  if (claudeCode !== "yes" || codex !== "yes")
    test("has a finding, since a host does not load it as it is meant", async () => {
      expect(await findings(kind)).not.toEqual([]);
    });
});

test("what both hosts load as it is meant and the format allows has none", async () => {
  for (const kind of SKILL_KINDS.filter(({ folder }) =>
    /^(?:plain|windows-lines|blanks-behind-fence|block|emoji-description)$/.test(folder),
  ))
    expect(await findings(kind), kind.folder).toEqual([]);
});

test("no bytes make the rules throw", () => {
  let state = 7;
  for (let n = 0; n < 2_000; n++) {
    const { bytes } = SKILL_KINDS[n % SKILL_KINDS.length] as SkillKind;
    const broken = Uint8Array.from(bytes);
    for (let i = 0; i < 4 && broken.length > 0; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      broken[state % broken.length] = state >>> 24;
    }
    for (const host of ["claude-code", "codex"] as const) loadingBy(host, broken, "any");
  }
});
