import type { Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { hasFired } from "../model/pf-facet.ts";
import type { BacktestReport, SkillBacktest } from "./backtest.ts";
import type { CaseResult } from "./run-cases.ts";

/** Fewer cases say nothing about a trigger. */
const ENOUGH_CASES = 2;
/** Fewer recorded episodes say nothing about a trigger. */
const ENOUGH_EPISODES = 10;
/** Fewer steps on which both modify may be chance. */
const ENOUGH_STEPS = 3;

type Told = Pick<Diagnostic, "code" | "message" | "next">;

const hint = (told: Told, file: string): Diagnostic => ({
  ...told,
  severity: "hint",
  file,
  range: START_OF_FILE,
});

/**
 * A trigger that all of its cases agree on (HASP311 always, HASP312 never), so that none of them shows where it ends.
 * `file` is the cases.yaml.
 */
export function triggerOnCases(results: readonly CaseResult[], file: string): readonly Diagnostic[] {
  const decided = results.flatMap(({ now }) => (now === undefined ? [] : [now.fires]));
  if (decided.length < ENOUGH_CASES || decided.length < results.length) return [];
  const n = decided.length;
  if (decided.every(Boolean))
    return [
      hint(
        {
          code: "HASP311",
          message: `The PF fires in all ${n} cases: none shows when it keeps silent.`,
          next: "Add a case of a step that is right as it is, with `expect: { fires: false }`.",
        },
        file,
      ),
    ];
  if (decided.some(Boolean)) return [];
  return [
    hint(
      {
        code: "HASP312",
        message: `The PF fires in none of the ${n} cases: none shows what it is for.`,
        next: "Add a step on which it should act: Add Step as Case in the replay.",
      },
      file,
    ),
  ];
}

/** Steps of the episodes that a skill was asked about, by the backtest's own count of evaluations. */
function stepsAsked({ evaluations, skills }: BacktestReport): number | undefined {
  const asked = new Set(
    skills.map(({ counts }) => Object.values(counts).reduce((n, c) => n + c.retrieved, 0)),
  );
  // Only where every skill was asked about the same episodes is each one's share of the evaluations known.
  return asked.size === 1 && skills.length > 0 ? evaluations / skills.length : undefined;
}

function onRecords(skill: SkillBacktest, steps: number | undefined, file: string): readonly Diagnostic[] {
  const episodes = Object.values(skill.counts).reduce((n, { retrieved }) => n + retrieved, 0);
  if (episodes < ENOUGH_EPISODES || skill.errors > 0) return [];
  if (skill.hits.length === 0)
    return [
      hint(
        {
          code: "HASP313",
          message: `The PF fires on none of the ${episodes} recorded episodes.`,
          next: "Look with Explain why not on a step for which it was made; or the runs hold no such failure.",
        },
        file,
      ),
    ];
  if (steps === undefined || skill.hits.length < steps) return [];
  return [
    hint(
      {
        code: "HASP314",
        message: `The PF fires on every step of the ${episodes} recorded episodes.`,
        next: "Leave it where that is meant; else narrow shouldActivate down.",
      },
      file,
    ),
  ];
}

/** A trigger that is never (HASP313) or always true (HASP314) on recorded episodes; `fileOf` is the pf.ts of a skill. */
export function triggerOnRecords(
  report: BacktestReport,
  fileOf: (skillId: string) => string | undefined,
): readonly Diagnostic[] {
  const steps = stepsAsked(report);
  return report.skills.flatMap((skill) => {
    const file = fileOf(skill.skillId);
    return file === undefined ? [] : onRecords(skill, steps, file);
  });
}

/** Steps that a skill wants to modify, each as one text. */
export interface Modified {
  readonly skillId: string;
  /** The first of them wins the step. */
  readonly turn: number;
  readonly steps: ReadonlySet<string>;
}

/** From a backtest: a PF that was applied or overridden wanted to modify. An applied context is not told apart, so `modifiers` says who can. */
export function modifiedOnRecords(report: BacktestReport): readonly Modified[] {
  const can = new Set(report.modifiers.skillIds);
  return report.skills.flatMap(({ skillId, hits }, turn) => {
    const wanted = hits.filter(({ status, diverged }) => !diverged && hasFired(status) && status !== "noop");
    const steps = new Set(wanted.map(({ run, index, t }) => `${run}#${index}/${t}`));
    return can.has(skillId) && steps.size > 0 ? [{ skillId, turn, steps }] : [];
  });
}

/** Skills that modify wherever an earlier one does already (HASP409): they never get their way. */
export function sharedModifications(
  modified: readonly Modified[],
  fileOf: (skillId: string) => string | undefined,
): readonly Diagnostic[] {
  return modified.flatMap((second) => {
    if (second.steps.size < ENOUGH_STEPS) return [];
    const first = modified.find(
      ({ turn, steps }) => turn < second.turn && [...second.steps].every((step) => steps.has(step)),
    );
    const file = fileOf(second.skillId);
    if (first === undefined || file === undefined) return [];
    return [
      {
        code: "HASP409",
        severity: "information" as const,
        message: `${second.skillId} wants to modify ${second.steps.size} steps, and ${first.skillId}, which is asked first, modifies all of them: it never gets its way.`,
        next: "Give the two different conditions, merge them, or let one supersede the other.",
        file,
        range: START_OF_FILE,
      },
    ];
  });
}
