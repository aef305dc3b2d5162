import type { CaseResult } from "../model/case-result.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { hasFired } from "../model/pf-facet.ts";
import {
  aboveRandomWords,
  countWorths,
  NOT_SEPARATING,
  firesAlways,
  separates,
  totalWorth,
  worthWords,
} from "../model/worth.ts";
import { partRanges } from "../skill/language/places.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { BacktestHit, BacktestReport, SkillBacktest } from "./backtest.ts";
import { stepKey } from "./step-key.ts";

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

const stepOf = ({ run, index, t }: BacktestHit): string => stepKey(run, index, t);

const stepsOf = (hits: readonly BacktestHit[]): ReadonlySet<string> => new Set(hits.map(stepOf));

const episodesOf = ({ counts }: SkillBacktest): number =>
  Object.values(counts).reduce((n, { retrieved }) => n + retrieved, 0);

/** Too few episodes, or errors among them, say nothing about a trigger. */
const saysEnough = (skill: SkillBacktest): boolean =>
  episodesOf(skill) >= ENOUGH_EPISODES && skill.errors === 0;

/** A trigger that is always true (HASP314): it fires on every step of ten recorded episodes and more. */
export function firesEverywhere(skill: SkillBacktest): boolean {
  // One step may have two proposals.
  return saysEnough(skill) && skill.hits.length > 0 && stepsOf(skill.hits).size >= skill.stepsAsked;
}

function onRecords(skill: SkillBacktest): Told | undefined {
  if (!saysEnough(skill)) return undefined;
  const episodes = episodesOf(skill);
  if (skill.hits.length === 0)
    return {
      code: "HASP313",
      message: `The PF fires on none of the ${episodes} recorded episodes.`,
      next: "Look with Explain why not on a step for which it was made; or the runs hold no such failure.",
    };
  if (!firesEverywhere(skill)) return undefined;
  return {
    code: "HASP314",
    message: `The PF fires on every step of the ${episodes} recorded episodes.`,
    next: "Leave it where that is meant; else narrow shouldActivate down.",
  };
}

/** Of a skill that acts on every answer, and not on every step (HASP314). */
const EVERY_ANSWER: Told = {
  code: "HASP315",
  message: "The PF fires on every answer, so that its changes cannot be told from those of a random trigger.",
  next: "Leave it where each answer is to be checked; else narrow shouldActivate down.",
};

function onWorth(skill: SkillBacktest): Told | undefined {
  const { worth } = skill;
  const all = worth?.separation.all;
  if (worth === undefined || all === undefined) return undefined;
  if (firesAlways(worth)) return firesEverywhere(skill) ? undefined : EVERY_ANSWER;
  if (separates(worth) !== false) return undefined;
  const numbers = `${worthWords(totalWorth(worth))}; above a random trigger ${aboveRandomWords(all)}`;
  return {
    code: "HASP315",
    message: `The PF does not separate: ${NOT_SEPARATING} (${numbers}).`,
    next: "Look at the steps that `hasp backtest` calls harmed and narrow shouldActivate down; or add a context to an earlier action in place of the change.",
  };
}

/** Something that a backtest says, which holds as long as none of the skills it is about is changed. */
export interface RecordedFinding {
  readonly diagnostic: Diagnostic;
  /** Their folders. */
  readonly about: readonly string[];
}

/** A folder whose skill was judged. */
type Judged = Pick<SkillFolder, "folder" | "skill" | "pfSource" | "places">;

/** A trigger that is never (HASP313) or always true (HASP314) on recorded episodes, or is no better than chance (HASP315), where pf.ts declares it. */
function triggersOnRecords(
  report: BacktestReport,
  folders: ReadonlyMap<string, Judged>,
): readonly RecordedFinding[] {
  return report.skills.flatMap((skill) => {
    const judged = folders.get(skill.skillId);
    if (judged === undefined) return [];
    const [range = START_OF_FILE] = partRanges(judged.pfSource ?? "", { method: "shouldActivate" });
    return [onRecords(skill), onWorth(skill)].flatMap((told) =>
      told === undefined
        ? []
        : [{ diagnostic: { ...hint(told, `${judged.folder}/pf.ts`), range }, about: [judged.folder] }],
    );
  });
}

/** Steps that a skill wants to modify, each as one text; in the order in which Γ asks, so that the first of them wins the step. */
interface Modified {
  readonly judged: Judged;
  readonly skillId: string;
  readonly steps: ReadonlySet<string>;
  readonly hits: readonly BacktestHit[];
}

/** Hits on the recorded path on which a PF that can modify was applied or overridden, so that it wanted to modify the action. */
export const wantedHits = ({ hits }: Pick<SkillBacktest, "hits">): readonly BacktestHit[] =>
  hits.filter(({ status, diverged }) => !diverged && hasFired(status) && status !== "noop");

/** From a backtest: a PF that was applied or overridden wanted to modify. An applied context is not told apart, so `modifiers` says who can. */
function modifiedOnRecords(
  report: BacktestReport,
  folders: ReadonlyMap<string, Judged>,
): readonly Modified[] {
  const can = new Set(report.modifiers.skillIds);
  return report.skills.flatMap(({ skillId, hits }) => {
    const judged = folders.get(skillId);
    const wanted = wantedHits({ hits });
    const steps = stepsOf(wanted);
    return judged !== undefined && can.has(skillId) && steps.size > 0
      ? [{ judged, skillId, steps, hits: wanted }]
      : [];
  });
}

/** A sentence on the worth of the skill's own changes at these steps; empty where none of them was the first of its episode. */
function worthAt({ skillId, hits }: Modified, steps: ReadonlySet<string>): string {
  const there = hits.filter((hit) => steps.has(stepOf(hit)));
  const words = worthWords(countWorths(there.flatMap(({ worth }) => worth?.value ?? [])));
  return words === "" ? "" : ` Worth of the first changes there, by ${skillId}: ${words}.`;
}

function shared(first: Modified, second: Modified): readonly RecordedFinding[] {
  const about = [first.judged.folder, second.judged.folder];
  const on = ({ judged }: Modified, message: string): RecordedFinding => ({
    diagnostic: {
      code: "HASP409",
      severity: "information",
      message,
      next: "Give the two different conditions, merge them, or let one supersede the other.",
      file: `${judged.folder}/SKILL.md`,
      range: judged.places.skillId ?? START_OF_FILE,
    },
    about,
  });
  const n = second.steps.size;
  const worth = worthAt(first, second.steps);
  return [
    on(
      first,
      `${first.skillId} modifies all ${n} steps that ${second.skillId}, which is asked later, wants to modify: that one never gets its way.${worth}`,
    ),
    on(
      second,
      `${second.skillId} wants to modify ${n} steps, and ${first.skillId}, which is asked first, modifies all of them: it never gets its way.${worth}`,
    ),
  ];
}

/** Skills that modify wherever an earlier one does already (HASP409), told on both. */
function sharedModifications(modified: readonly Modified[]): readonly RecordedFinding[] {
  return modified.flatMap((second, turn) => {
    if (second.steps.size < ENOUGH_STEPS) return [];
    const first = modified
      .slice(0, turn)
      .find(({ steps }) => [...second.steps].every((step) => steps.has(step)));
    return first === undefined ? [] : shared(first, second);
  });
}

/** Findings of a backtest on triggers (HASP313 to HASP315), and on skills that change the same actions (HASP409). */
export function recordedFindings(
  report: BacktestReport,
  folders: readonly Judged[],
): readonly RecordedFinding[] {
  const byId = new Map(folders.flatMap((one) => (one.skill === undefined ? [] : [[one.skill.skillId, one]])));
  return [...triggersOnRecords(report, byId), ...sharedModifications(modifiedOnRecords(report, byId))];
}
