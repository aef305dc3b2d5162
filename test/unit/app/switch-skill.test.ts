import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { switchSkill } from "../../../src/app/switch-skill.ts";
import { parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";
import { applyEdits } from "../../../src/skill/fix-skill.ts";

function switched(text: string, id: string, enable: boolean): string {
  const done = switchSkill(text, id, enable);
  if (done.kind !== "edit") return done.kind;
  return applyEdits(text, [done.edit]);
}

const disabledIn = (text: string): readonly string[] =>
  parseWorkspaceConfig(text, "hasp.yaml").value.disabledSkills;

describe("Enabling and disabling a skill", () => {
  it.each([
    ["", "disabled_skills: [late_read]\n"],
    ["libraries:\n  - skills", "libraries:\n  - skills\ndisabled_skills: [late_read]\n"],
    ["disabled_skills: [a] # why\n", "disabled_skills: [a, late_read] # why\n"],
    [
      "disabled_skills:\n  # old\n  - a # why\nsetting: full\n",
      "disabled_skills:\n  # old\n  - a # why\n  - late_read\nsetting: full\n",
    ],
    ["disabled_skills:\n- a", "disabled_skills:\n- a\n- late_read"],
    ["disabled_skills:\n  # - a\nsetting: full\n", "disabled_skills: [late_read]\n  # - a\nsetting: full\n"],
    ["disabled_skills: []\r\nsetting: full\r\n", "disabled_skills: [late_read]\r\nsetting: full\r\n"],
    ["disabled_skills: [late_read]\n", "same"],
    ["disabled_skills: nothing\n", "refused"],
    ["{ setting: full }", "refused"],
    ["setting: [", "refused"],
  ])("writes it into %j", (before, after) => {
    expect(switched(before, "late_read", false)).toBe(after);
    if (after.length > 8) expect(disabledIn(after)).toContain("late_read");
  });

  it.each([
    [
      "libraries: [skills]\ndisabled_skills: [late_read]\nsetting: full\n",
      "libraries: [skills]\nsetting: full\n",
    ],
    ["disabled_skills:\n  - late_read\nsetting: full\n", "setting: full\n"],
    ["disabled_skills:\n  - a\n  - late_read # why\n  - b\n", "disabled_skills:\n  - a\n  - b\n"],
    ["disabled_skills: [a, late_read]\n", "disabled_skills: [a]\n"],
    ["disabled_skills: [\n  late_read,\n]\nsetting: full\n", "setting: full\n"],
    ["setting: full\n", "same"],
  ])("takes it out of %j", (before, after) => {
    expect(switched(before, "late_read", true)).toBe(after);
    if (after.length > 8) expect(disabledIn(after)).not.toContain("late_read");
  });

  it("leaves what it cannot read alone, and otherwise gives back the old list when it is undone", () => {
    const id = fc.constantFrom("a", "late_read", "x_1");
    const part = fc.constantFrom(
      "libraries: [skills]\n",
      "# a note\n",
      "setting: full\n",
      "tools:\n  top_k: 3\n",
      "",
    );
    const list = fc.constantFrom(
      "disabled_skills: [a, b]\n",
      "disabled_skills:\n  - a # x\n  - b\n",
      "disabled_skills:\n",
      "",
    );
    fc.assert(
      fc.property(part, list, part, id, (before, middle, after, name) => {
        const text = before === after ? before + middle : before + middle + after;
        const off = switched(text, name, false);
        if (off === "same") {
          expect(disabledIn(text)).toContain(name);
          return;
        }
        expect(disabledIn(off)).toEqual([...disabledIn(text), name]);
        const on = switched(off, name, true);
        expect(disabledIn(on)).toEqual(disabledIn(text));
      }),
    );
  });
});
