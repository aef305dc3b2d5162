import { backtestEach, type BacktestReport, type SkillBacktest } from "../analysis/backtest.ts";
import type { Library } from "../analysis/library.ts";
import type { BacktestRun } from "../app/backtest.ts";
import { inLibrary } from "../app/library.ts";
import type { Judging } from "../app/ports.ts";
import { progressOf, type Progress } from "../app/progress.ts";
import { worthSources } from "../app/worth-sources.ts";
import { asIfActing } from "../analysis/library.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { Outcome } from "../model/episode.ts";
import { standingEpisodes, type StandingEpisode } from "../trace/placed-episodes.ts";
import { isInSplit, type QuestionSplit } from "../trace/question-split.ts";

/** A candidate with the id by which it is told apart; its skill_id may be that of another skill. */
export interface MeasuredCandidate {
  readonly id: string;
  readonly folder: SkillFolder;
}

/** An episode on which candidates were measured. */
export interface JudgedEpisode {
  readonly run: string;
  readonly index: number;
  readonly question: string;
  readonly outcome: Outcome;
  readonly steps: number;
}

/** Candidates by their ids, on these episodes. */
export interface Measured {
  readonly candidates: ReadonlyMap<string, CandidateBacktest>;
  /** By their own ids. */
  readonly others: readonly SkillBacktest[];
  readonly episodes: readonly JudgedEpisode[];
}

/** A candidate on recorded episodes, and the acting skills beside it. */
export interface CandidateBacktest {
  readonly skill: SkillBacktest;
  readonly report: BacktestReport;
}

/** Episodes on which candidates are measured. */
export interface MeasureOrder {
  readonly runs: readonly BacktestRun[];
  /** Only questions of these parts. */
  readonly split: QuestionSplit | undefined;
  /** The skills that the runs were made with, and a candidate acts beside. */
  readonly base: readonly SkillFolder[];
  /** Skills that are backtested together, to compare candidates with them; none: no such backtest. */
  readonly others: readonly SkillFolder[];
  readonly signal: AbortSignal;
}

/** The skill under another id, so that one sandbox can hold several versions of it. */
function renamed({ id, folder }: MeasuredCandidate): SkillFolder {
  const { skill, program } = folder;
  return {
    ...asIfActing(folder),
    skill: skill && { ...skill, skillId: id, supersedes: [] },
    program: program && { ...program, skillId: id },
  };
}

/** So that one of the others can be in the base, too, with another text. */
const OTHER = "other:";

/** The skills with these ids, as a library. */
function only(library: Library, isIn: (skillId: string) => boolean): Library {
  return {
    ...library,
    skills: library.skills.filter(({ skill }) => isIn(skill.skillId)),
    active: library.active.filter(({ skill }) => isIn(skill.skillId)),
    kept: library.kept.filter(({ skillId }) => isIn(skillId)),
  };
}

/** The base with one candidate, in the place of an older version of it. */
function withCandidate(
  library: Library,
  ids: ReadonlySet<string>,
  { id, folder }: MeasuredCandidate,
): Library {
  const isBase = (skillId: string): boolean =>
    !ids.has(skillId) && !skillId.startsWith(OTHER) && skillId !== folder.skill?.skillId;
  return only(library, (skillId) => skillId === id || isBase(skillId));
}

/** The episodes as they are read; those of the split are noted. */
export async function* noting(
  episodes: AsyncIterable<StandingEpisode>,
  split: QuestionSplit | undefined,
  noted: JudgedEpisode[],
): AsyncGenerator<StandingEpisode> {
  for await (const placed of episodes) {
    const { run, index, episode } = placed;
    const { question, outcome, steps } = episode;
    if (split === undefined || isInSplit(question, split))
      noted.push({ run, index, question, outcome, steps: steps.length });
    yield placed;
  }
}

/**
 * Backtests each candidate, beside the base and without the other candidates, with its worth. The episodes are read and judged once. A
 * candidate whose PF does not load is missing in the result. Calls no model.
 */
export async function measureCandidates(
  candidates: readonly MeasuredCandidate[],
  { runs, split, base, others, signal }: MeasureOrder,
  judging: Judging,
  on: (event: Progress) => void,
): Promise<Measured> {
  const usable = candidates.filter(({ folder }) => folder.program !== undefined);
  const episodes: JudgedEpisode[] = [];
  if (usable.length === 0) return { candidates: new Map(), others: [], episodes };
  const sources = (await worthSources(judging, { runs, signal })).value ?? judging;
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  const beside = others.map((folder) => renamed({ id: `${OTHER}${folder.skill?.skillId ?? ""}`, folder }));
  const skills = [...base, ...usable.map(renamed), ...beside];
  return inLibrary(skills, judging, async (library, host) => {
    const ids = new Set(usable.map(({ id }) => id));
    const libraries = [
      ...usable.map((one) => withCandidate(library, ids, one)),
      ...(beside.length === 0 ? [] : [only(library, (skillId) => skillId.startsWith(OTHER))]),
    ];
    const reports = await backtestEach(
      libraries,
      noting(
        standingEpisodes(judging.files, runs, () => undefined),
        split,
        episodes,
      ),
      host,
      {
        worth: sources,
        interventions: true,
        signal,
        onProgress: (done) => on(progressOf(done, total, "episodes")),
        ...(split !== undefined && { split }),
      },
    );
    signal.throwIfAborted();
    const measured = usable.flatMap(({ id }, i) => {
      const report = reports[i];
      const skill = report?.skills.find(({ skillId }) => skillId === id);
      return report === undefined || skill === undefined ? [] : [[id, { skill, report }] as const];
    });
    const compared = reports[usable.length]?.skills ?? [];
    return {
      candidates: new Map(measured),
      others: compared.map((skill) => ({ ...skill, skillId: skill.skillId.slice(OTHER.length) })),
      episodes,
    };
  });
}
