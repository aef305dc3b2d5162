import { modesOf } from "../../../src/model/domain-spec.ts";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { fromPortable, isPortable, toPortable } from "../../../src/skill/portable.ts";
import { ACTIONS, CONDITIONS } from "../../../src/skill/vocabulary.ts";
import { readYaml } from "../../../src/skill/yaml-tree.ts";
import { sourceText } from "../../../src/skill/source-text.ts";
import { ROOT } from "../../support/core.ts";
import { ALL_FORMS } from "../../support/shipped.ts";

const where = { file: "SKILL.md", folder: "late-read" };
const read = (text: string, folder = "late-read") =>
  parseSkill(text, { file: "SKILL.md", folder }, REGISTERED).value;

function metadataValues(text: string): unknown[] {
  const yaml = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? "";
  const { root } = readYaml(yaml, sourceText(yaml), 0);
  const metadata = root?.kind === "map" ? root.entries.get("metadata")?.value : undefined;
  return metadata?.kind === "map" ? [...metadata.entries.values()].map(({ value }) => value) : [];
}

const words = fc.array(fc.constantFrom(...Object.keys(CONDITIONS)), { maxLength: 3 });
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((s) => s.trim() !== "" && s === s.trim() && !/[\0\u0080-\u009f\ud800-\udfff]/.test(s));
const phase = fc.record(
  {
    conditions: words,
    priority_boost: fc.double({ min: -1, max: 1, noNaN: true }).map((n) => n + 0),
    action: fc.constantFrom(...Object.keys(ACTIONS)),
    text,
  },
  { requiredKeys: ["conditions", "text"] },
);
const hasp = fc.record(
  {
    skill_id: fc.constantFrom("late_read", "a1", "true"),
    title: fc.oneof(text, fc.constantFrom("1:30", "yes", "null", "0x1f", "# no comment", "- a", "{}", '"')),
    version: fc.integer({ min: 1, max: 1_000_000 }),
    priority: fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0),
    error_category: text,
    applicable_modes: fc.array(fc.constantFrom(...Object.keys(modesOf(REGISTERED))), { maxLength: 3 }),
    system_summary: text,
    phases: fc.record({ pre_final: phase, post_search: phase }, { requiredKeys: [] }),
    supersedes: fc.constantFrom([], ["other_skill", "third"]),
  },
  { requiredKeys: ["skill_id"] },
);

test("a skill that was made portable and brought back has lost nothing", () => {
  fc.assert(
    fc.property(hasp, text, (keys, body) => {
      const front = stringify({
        name: "late-read",
        description: "When.",
        metadata: { author: "me", hasp: keys },
      });
      const skillMd = `---\n${front}---\n\n# ${body}\n`;
      const { value: portable, diagnostics } = toPortable(skillMd, where, REGISTERED);
      fc.pre(diagnostics.length === 0);
      expect(isPortable(portable ?? "")).toBe(true);
      for (const value of metadataValues(portable ?? ""))
        expect(value).toMatchObject({ kind: "scalar", value: expect.any(String) });
      const back = fromPortable(portable ?? "", "SKILL.md");
      expect(back.diagnostics).toEqual([]);
      expect(read(back.value ?? "")).toEqual(read(skillMd));
    }),
    { numRuns: 300 },
  );
});

test("every shipped skill comes back as it was", () => {
  const agents = path.join(ROOT, "skills/coding-agent");
  const guards = readdirSync(agents).map((name) => path.join(agents, name));
  for (const folder of [...ALL_FORMS.map((one) => path.join(ROOT, one)), ...guards]) {
    const skillMd = readFileSync(path.join(folder, "SKILL.md"), "utf8");
    const name = path.basename(folder);
    const { value = "" } = toPortable(skillMd, { file: "SKILL.md", folder: name }, REGISTERED);
    expect(metadataValues(value).length).toBeGreaterThan(3);
    expect(read(fromPortable(value, "SKILL.md").value ?? "", name)).toEqual(read(skillMd, name));
  }
});

test("the paper's top-level keys become portable, and what is broken says why", () => {
  const paper = `---\nname: late-read\ndescription: When.\nskill_id: late_read\npriority: 0.7\n---\nText\n`;
  const { value = "" } = toPortable(paper, where, REGISTERED);
  expect(value).toContain('hasp_priority: "0.7"');
  expect(value).not.toMatch(/^skill_id/m);
  expect(toPortable("no frontmatter", where, REGISTERED).diagnostics[0]?.code).toBe("HASP103");
  expect(fromPortable("---\nmetadata:\n  hasp_title: [\n---\n", "SKILL.md").diagnostics[0]?.code).toBe(
    "HASP106",
  );
  const plain = "---\nname: x\ndescription: y\n---\n";
  expect(fromPortable(plain, "SKILL.md").value).toBe(plain);
});

test("no text makes the way back throw", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (noise) => {
      fromPortable(`---\nmetadata:\n  hasp_title: ${noise}\n---\n`, "SKILL.md");
      toPortable(noise, where, REGISTERED);
    }),
  );
});
