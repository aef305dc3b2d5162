import { openSkillChecks, type SkillRun } from "../../app/check-skill.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { HOST_RULES } from "../../skill/host-rules.ts";
import { loadCommandsIn } from "../../skill/load-commands.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { counted } from "../../model/counted.ts";
import { answer, oneLine } from "./answer.ts";
import { findSkill } from "./find-skill.ts";
import type { ValidateInput } from "./inputs.ts";
import { cancellable, type AssistAnswer, type AssistCall, type AssistWorld } from "./world.ts";

function told(diagnostic: Diagnostic, world: AssistWorld) {
  const { file, range, severity, code, message, next } = diagnostic;
  return {
    ...(file !== undefined && {
      place: `${world.shown(file)}:${range.start.line + 1}:${range.start.character + 1}`,
    }),
    severity,
    code,
    message,
    ...(next !== undefined && { next }),
  };
}

function line({ place, severity, code, message, next }: ReturnType<typeof told>): string {
  const at = place === undefined ? "" : ` at ${oneLine(place)}`;
  return `- ${severity} ${code}${at}: ${oneLine(message, 600)}${next === undefined ? "" : ` → ${oneLine(next)}`}`;
}

function verdict(folder: SkillFolder, ran: SkillRun | undefined, world: AssistWorld): string[] {
  if (folder.isForeign)
    return [
      "It is a plain Agent Skill: no HASP keys, no pf.ts, no cases.yaml. HASP checks what hosts make of its file alone.",
    ];
  if (folder.pfSource === undefined) return ["It has no pf.ts: its text alone takes part."];
  if (!world.mayRun) return [`Nothing was run: a person has to say first that it may: ${world.howToTrust}.`];
  if (ran === undefined) return ["Nothing was run: fix the errors first."];
  const { checks, cases = [] } = ran;
  const passed = checks.filter(({ outcome }) => outcome === "passed").length;
  const held = cases.filter((result) => result.passed).length;
  return [
    `${passed} of ${checks.length} executable checks passed; ${held} of ${counted(cases.length, "case")} hold.`,
  ];
}

/** Shell lines that nobody judged here; a host runs them before a person or a model reads the skill. */
function unjudged({ skillMd }: SkillFolder, { guards }: AssistWorld): string[] {
  const { commands } =
    guards === undefined && skillMd !== undefined ? loadCommandsIn(skillMd) : { commands: [] };
  if (commands.length === 0) return [];
  const [lines, them] =
    commands.length === 1 ? ["a shell line", "it"] : [`${commands.length} shell lines`, "them"];
  return [
    `Claude Code runs ${lines} when it loads the skill. Not judged here: \`hasp validate\` judges ${them}.`,
  ];
}

/** Everything that can be said about one skill; where the workspace is trusted and nothing is wrong so far, its PF and its cases run. */
export async function validateSkill(
  world: AssistWorld,
  { skill }: ValidateInput,
  call: AssistCall,
): Promise<AssistAnswer> {
  const folder = await findSkill(world, skill);
  call.onProgress(1, 2, "types, rules, mock calls and cases");
  const mockCalls = world.mayRun ? "where clean" : "never";
  const { ran, diagnostics } = await cancellable(world, call, async (judging) => {
    const checks = openSkillChecks({
      ...judging,
      ...(world.guards !== undefined && { guards: world.guards }),
    });
    try {
      return await checks.check({ folder, mockCalls, cases: true });
    } finally {
      await checks.close();
    }
  });
  const all = diagnostics
    .filter(({ code }) => !folder.isForeign || HOST_RULES.has(code))
    .map((diagnostic) => told(diagnostic, world));
  const ok = all.every(({ severity }) => severity !== "error");
  const id = folder.skill?.skillId ?? world.shown(folder.folder);
  return answer(
    [
      `${oneLine(id, 100)}: ${ok ? "no error" : "has errors"}; ${counted(all.length, "finding")}.`,
      ...verdict(folder, ran, world),
      ...unjudged(folder, world),
      ...all.map(line),
    ],
    {
      skillId: folder.skill?.skillId,
      folder: world.shown(folder.folder),
      ok,
      ran: ran !== undefined,
      findings: all,
      checks: (ran?.checks ?? []).map(({ name, outcome }) => ({ name, outcome })),
      cases: (ran?.cases ?? []).map(({ case: { name }, passed, expected, actual }) => ({
        name,
        passed,
        expected,
        actual,
      })),
    },
  );
}
