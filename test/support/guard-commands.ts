import type { Library } from "../../src/analysis/library.ts";
import { codingAgent } from "../../src/domains/coding-agent/coding-agent.ts";
import type { Action } from "../../src/model/action.ts";
import { z } from "../../src/model/zod.ts";
import { FRESH_STATE, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { initialContext, withProposal } from "../../src/trace/context-at.ts";
import { CODING_FACTS } from "./coding-session.ts";
import { loadSkills, openCore } from "./core.ts";

/** A command line of a fixture, and what a skill must do about it; without `skill`, none may act. */
export const guardedLineSchema = z.strictObject({
  command: z.string(),
  shell: z.literal("PowerShell").optional(),
  skill: z.string().optional(),
  does: z.enum(["refuse", "change", "inform"]).optional(),
  becomes: z.string().optional(),
});
export type GuardedLine = z.infer<typeof guardedLineSchema>;

export interface GuardDeed {
  readonly skill: string;
  readonly does: string;
  readonly becomes?: string;
}

/** Before the first step of a session in which the person asked for nothing in particular. */
const START = initialContext(
  "Please look at the open issue and mend it.",
  { ...CODING_FACTS, cwd: "/home/anna/shop" },
  codingAgent.contextRules,
);

function doneBy(skillId: string, verdict: PfVerdict, proposed: Action): GuardDeed[] {
  const skill = skillId.replaceAll("_", "-");
  if (verdict.kind === "skipped") return [];
  if (verdict.kind !== "fired") return [{ skill, does: verdict.kind }];
  const { intervention } = verdict;
  if (intervention.type === "NOOP") return [];
  if (intervention.type === "INJECT_CONTEXT") return [{ skill, does: "inform" }];
  if (intervention.newActionType === "REFUSE") return [{ skill, does: "refuse" }];
  const { command } = z
    .object({ command: z.string() })
    .parse(JSON.parse(intervention.newActionArg ?? proposed.arg));
  return [{ skill, does: "change", becomes: command }];
}

/** The whole library of a coding agent in a real sandbox. */
export async function openGuards(): Promise<{
  judge(line: GuardedLine): Promise<readonly GuardDeed[]>;
  close(): Promise<unknown>;
}> {
  const core = openCore();
  const library: Library = await loadSkills(core, "skills/coding-agent");
  return {
    async judge({ command, shell }) {
      const action = { type: shell ?? "Bash", arg: JSON.stringify({ command }) };
      const proposal = { thought: "", action, world: { branch: "work" } };
      const context = withProposal(START, proposal, codingAgent.contextRules);
      const states = new Map(library.active.map(({ skill }) => [skill.skillId, FRESH_STATE]));
      const { actionTypes } = codingAgent;
      const asked = { context, proposed: action, actionTypes, maxModifyFires: 1000 };
      const verdicts = await core.host.step(states, asked);
      return library.active.flatMap(({ skill }, i) => {
        const verdict = verdicts[i];
        return verdict === undefined ? [] : doneBy(skill.skillId, verdict, action);
      });
    },
    close: () => Promise.all([core.host.close(), core.compiler.close()]),
  };
}

export const isMet = ({ skill, does, becomes }: GuardedLine, deeds: readonly GuardDeed[]): boolean =>
  deeds.some((one) => one.skill === skill && one.does === does && one.becomes === becomes);

export function inWords(line: GuardedLine, deeds: readonly GuardDeed[] = []): string {
  const what = deeds.map(({ skill, does, becomes }) => [skill, does, becomes].filter(Boolean).join(" "));
  return `${line.command} → ${what.join("; ") || "nothing"}`;
}
