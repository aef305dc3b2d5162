import { sameAction } from "../model/action.ts";
import type { ContextLimits } from "../model/control.ts";
import type { Pass } from "../model/intervention.ts";
import type { PfVerdict } from "../sandbox/pf-host.ts";
import { isRepair, isText } from "../harness/dispatch.ts";
import { repairKey, type RecordedQuestion, type Repairs } from "../harness/recorded-proposals.ts";
import { weigh, type Weighing } from "../harness/weigh.ts";

/** Each PF's verdicts on the questions of an episode, by skill id. */
export type Verdicts = ReadonlyMap<string, readonly PfVerdict[]>;

/** The questions of one episode with the verdicts on them. */
export interface Folded {
  /** None where no PF is asked: the contexts of a long episode are large. */
  readonly questions: readonly RecordedQuestion[];
  /** Position of each question, by `placeOf`. */
  readonly places: ReadonlyMap<string, number>;
  readonly verdicts: Verdicts;
}

export type Limits = Pick<Weighing, "finalAction" | keyof ContextLimits>;

export const verdictsAt = (verdicts: Verdicts, i: number): PfVerdict[] =>
  [...verdicts.values()].flatMap((list) => list[i] ?? []);

export const placeOf = (t: number, proposal: number, pass: Pass | undefined): string =>
  `${repairKey(t, proposal)} ${pass ?? ""}`;

function placesOf(questions: readonly RecordedQuestion[]): ReadonlyMap<string, number> {
  return new Map(questions.map(({ t, proposal, pass }, i) => [placeOf(t, proposal, pass), i]));
}

/** Folds of one episode before its repairs are taken as they are: each can change what a PF carries into the next. */
const MOST_FOLDS = 3;

/** The repairs that these verdicts make. */
function repairsBy({ questions, verdicts }: Folded, about: Limits): Repairs {
  return new Map(
    questions.flatMap(({ t, proposal, pass, proposed }, i) => {
      if (pass !== undefined || !isText(proposed)) return [];
      const { executed } = weigh(verdictsAt(verdicts, i), {
        ...about,
        proposed,
        proposal,
        injectedBefore: [],
      });
      return isRepair(proposed, executed) ? [[repairKey(t, proposal), executed] as const] : [];
    }),
  );
}

const sameRepairs = (a: Repairs, b: Repairs): boolean =>
  a.size === b.size &&
  [...a].every(([key, action]) => {
    const other = b.get(key);
    return other !== undefined && sameAction(action, other);
  });

/**
 * One crossing for all questions of an episode. Only where text that is no action becomes one today, and did not in the record, there is
 * another crossing with the questions about those actions.
 */
export async function foldEpisode(
  ask: (repairs: Repairs | undefined) => readonly RecordedQuestion[],
  fold: (questions: readonly RecordedQuestion[]) => Promise<Verdicts>,
  about: Limits,
): Promise<Folded> {
  let repairs: Repairs | undefined;
  for (let folds = 1; ; folds++) {
    const questions = ask(repairs);
    const folded = { questions, places: placesOf(questions), verdicts: await fold(questions) };
    const asked = new Map(
      questions.flatMap(({ t, proposal, pass, proposed }) =>
        pass === "repaired" ? [[repairKey(t, proposal), proposed] as const] : [],
      ),
    );
    repairs = repairsBy(folded, about);
    if (folds === MOST_FOLDS || sameRepairs(asked, repairs)) return folded;
  }
}
