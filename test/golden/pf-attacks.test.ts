import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attack } from "../support/attacks.ts";
import { ROOT } from "../support/core.ts";
import { openScene, writeSkill, type HookScene } from "../support/hook-process.ts";
import { THOROUGH } from "../support/thorough.ts";

/** What PFs that do not end do to the built command: they are named, the others are judged, and it ends. */
let scene: HookScene;
beforeEach(() => {
  scene = openScene("pf-attack");
});
afterEach(() => scene.close());

const PATIENCE = 240_000;
const CLI = path.join(ROOT, "dist/hasp.cjs");

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
 * Native ones, one that an interrupt ends, and one that fills the memory: each waits out the product's limits. All of them meet the same worker
 * under short ones in test/unit/platform-pf/attacks.test.ts, and a loop meets `hasp validate` in cli.test.ts. The mock calls of validate run
 * `intervene` whatever the trigger says.
 */
const SAMPLE = ["native-join", "loop", "native-index-of", "split-text"].map(attack);

describe.runIf(THOROUGH)("hasp validate over skills that do not end", () => {
  it(
    "ends, names each, and checks the good one between them",
    async () => {
      for (const { name, source } of SAMPLE) writeSkill(scene, name, source);
      writeSkill(scene, "good", GOOD);
      const { code, out } = await scene.start([CLI, "validate", "skills", "--json"], "").ended;
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

describe("hasp serve with a skill that does not end", () => {
  it(
    "names it, asks the good one beside it, and goes on",
    async () => {
      writeSkill(scene, "native-join", attack("native-join").source);
      writeSkill(scene, "good", GOOD);
      const action = { type: "Bash", arg: JSON.stringify({ command: "rm something" }) };
      const requests = [
        ["open", { question: "Do it.", episode_id: "a", action_types: ["Bash", "FINAL"] }],
        ["step", { episode: "a", action }],
        ["ping", {}],
      ].map(([method, params], id) => `${JSON.stringify({ id, method, params })}\n`);
      const args = [CLI, "serve", "--domain", "coding-agent", "--skills", "skills"];
      const { out } = await scene.start(args, requests.join("")).ended;
      const replies = out
        .split("\n")
        .filter((line) => line.startsWith('{"id"'))
        .map((line) => JSON.parse(line) as { id: number; result?: { events?: readonly object[] } });
      // A ping waits for nobody.
      expect(replies.map(({ id }) => id)).toEqual([2, 0, 1]);
      expect(replies[2]?.result?.events).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ skill_id: "native_join", status: "error" }),
          expect.objectContaining({ skill_id: "good", status: "noop" }),
        ]),
      );
      await expect.poll(() => scene.running(), { timeout: 60_000 }).toEqual([]);
    },
    PATIENCE,
  );
});
