import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attack } from "../support/attacks.ts";
import { openScene, writeSkill, type HookScene } from "../support/hook-process.ts";

/** What PFs that do not end do to the built command: they are named, the others are judged, and it ends. */
let scene: HookScene;
beforeEach(() => {
  scene = openScene("pf-attack");
});
afterEach(() => scene.close());

const PATIENCE = 240_000;

const GOOD = `import { ProgramFunction, noop, type ActionType, type Intervention, type StepContext } from "hasp";

export default class Good extends ProgramFunction {
  shouldActivate(_ctx: StepContext, _type: ActionType, arg: string): boolean {
    return arg.includes("something");
  }
  intervene(): Intervention {
    return noop("good");
  }
}
`;

interface Validated {
  readonly skills: readonly {
    readonly skillId: string;
    readonly executable?: { readonly checks: readonly { readonly name: string; readonly outcome: string }[] };
    readonly diagnostics: readonly {
      readonly code: string;
      readonly message: string;
      readonly next?: string;
    }[];
  }[];
}

/** What the checks in the sandbox found. */
function messagesOf(skill: Validated["skills"][number] | undefined): string {
  const found = skill?.diagnostics.filter(({ code }) => code.startsWith("HASP25")) ?? [];
  return found.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

/**
 * A native one at each of two moments, one that an interrupt ends, and one that fills the memory: each waits out the product's limits.
 * All others meet the same worker in test/unit/platform-pf/attacks.test.ts. The mock calls of validate run \`intervene\` whatever the trigger says.
 */
const SAMPLE = ["native-index-of", "loop", "native-join", "split-text"].map(attack);

describe("hasp validate over skills that do not end", () => {
  it(
    "ends, names each, and checks the good one between them",
    async () => {
      for (const { name, source } of SAMPLE) writeSkill(scene, name, source);
      writeSkill(scene, "good", GOOD);
      const { code, out } = await scene.hasp("validate", "skills", "--json");
      expect(code).toBe(1);
      const { skills } = JSON.parse(out) as Validated;
      const found = new Map(skills.map((one) => [one.skillId, one]));
      for (const { name } of SAMPLE)
        expect(messagesOf(found.get(name.replaceAll("-", "_")))).toMatch(/: (?:ran|calls|makes) /);
      const [loops] = found.get("loop")?.diagnostics.filter(({ code }) => code === "HASP251") ?? [];
      expect(loops?.next).toContain("no loop");
      expect(found.get("good")?.executable?.checks.map(({ outcome }) => outcome)).toEqual(
        Array.from({ length: 4 }, () => "passed"),
      );
      await expect.poll(() => scene.running(), { timeout: 60_000 }).toEqual([]);
    },
    PATIENCE,
  );
});
