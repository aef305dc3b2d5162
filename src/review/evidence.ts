import type { BacktestHit, SkillBacktest } from "../analysis/backtest.ts";
import { checkExecutable, type ExecutableReport } from "../analysis/executable-checks.ts";
import { openLibrary } from "../analysis/library.ts";
import { runCases } from "../analysis/run-cases.ts";
import type { SharedSteps } from "../analysis/shared-steps.ts";
import type { CaseResult } from "../model/case-result.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { StandingOutcome } from "../model/episode.ts";
import type { HeldOutWorth } from "../model/evolution.ts";
import type { FailureCluster } from "../model/failure.ts";
import type { Note } from "../model/note.ts";
import type { Skill } from "../model/skill.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import type { ReviewSubject } from "./review-subject.ts";

/** On which recorded steps the skill would have acted, and what its changes were worth. */
export interface BacktestEvidence {
  /** Alone, without the other skills of its library. */
  readonly skill: SkillBacktest;
  readonly episodes: Readonly<Record<StandingOutcome, number>>;
  /** Notes of people on steps where the skill would have acted. */
  readonly noted?: readonly NotedHit[];
  /** Other skills of its library that want to modify the same steps. */
  readonly shared?: readonly SharedSteps[];
  /** HASP313 to HASP315, and HASP409 of its library. */
  readonly findings?: readonly Diagnostic[];
}

/** The failures for which a skill was written. Holds no gold answer. */
export interface ClusterEvidence extends Pick<
  FailureCluster,
  "category" | "abstraction" | "trigger" | "hint"
> {
  /** Episodes. */
  readonly size: number;
}

/** Worth on questions that the author never saw. */
export type WorthEvidence = Pick<HeldOutWorth, "better" | "worse" | "ties" | "wrong" | "right"> &
  Partial<Pick<HeldOutWorth, "p" | "level" | "passed">>;

/** A note, and a step of its episode on which the skill would have acted. */
export interface NotedHit {
  readonly note: Note;
  readonly hit: BacktestHit;
}

/** The notes on steps that the skill hit, and on whole episodes of which it hit a step (the first). `notesOf` knows them by run. */
export function notedHits(
  { hits }: Pick<SkillBacktest, "hits">,
  notesOf: (run: string) => readonly Note[],
): NotedHit[] {
  const byEpisode = new Map<string, BacktestHit[]>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.run, hit.episodeId]);
    byEpisode.set(key, [...(byEpisode.get(key) ?? []), hit]);
  }
  return [...new Set(hits.map(({ run }) => run))].flatMap((run) =>
    notesOf(run).flatMap((note) => {
      const ofEpisode = byEpisode.get(JSON.stringify([run, note.episodeId])) ?? [];
      const hit = ofEpisode.find(({ t }) => note.t === undefined || note.t === t);
      return hit === undefined ? [] : [{ note, hit }];
    }),
  );
}

/** Our own measurements, for the teacher to weigh. */
export interface ReviewEvidence {
  /** Type errors and broken rules of `pf.ts`. */
  readonly findings: readonly Diagnostic[];
  /** SPEC §7 D; undefined without a PF. */
  readonly executable: ExecutableReport | undefined;
  /** Empty where the PF does not load: then no case could be run. */
  readonly cases: readonly CaseResult[];
  readonly backtest?: BacktestEvidence;
  readonly cluster?: ClusterEvidence;
  readonly worth?: WorthEvidence;
  /** Other skills of the library, so that the teacher can tell whether this one is new. */
  readonly neighbours?: readonly Pick<Skill, "skillId" | "description">[];
}

export interface EvidenceTools {
  readonly compiler: Pick<Compiler, "check">;
  readonly host: PfHost;
}

/** Types, rules, the four executable checks and the cases. What the host held is replaced. Calls no model. */
export async function gatherEvidence(
  subject: ReviewSubject,
  { compiler, host }: EvidenceTools,
): Promise<ReviewEvidence> {
  const { folder, texts, domain, skill } = subject;
  const source = texts["pf.ts"];
  if (source === undefined) return { findings: [], executable: undefined, cases: [] };
  const file = `${folder.folder}/pf.ts`;
  const untranspiled = folder.diagnostics.filter((d) => d.file === file);
  const findings = [...untranspiled, ...(await compiler.check(file, source))];
  const executable = await checkExecutable(untranspiled, folder.program, host, domain);
  const library = await openLibrary([folder], host);
  const cases = library.active.length === 0 ? [] : await runCases(skill.skillId, folder.cases, domain, host);
  return { findings, executable, cases };
}
