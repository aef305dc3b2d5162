import type { Domain } from "../domains/domain.ts";
import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { askEach } from "../scoring/ask-each.ts";
import { askJudge } from "../scoring/ask-judge.ts";
import type { OpenContainment } from "../scoring/containment.ts";
import { countReason, type ReasonCounts } from "../scoring/undecided.ts";
import type { Answered } from "../scoring/score-answers.ts";
import { readMaterials, type Materials } from "../trace/judging-store.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { materialGone, openJudge } from "./open-judge.ts";
import { progressOf, type Progress } from "./progress.ts";

/** Answers that the judge of a domain scores, with the verdicts of that judge that the record has. */
export interface DomainAnswers {
  /** Of the run; undefined: they are from a file of answers. */
  readonly folder: string | undefined;
  readonly domain: Pick<Domain, "name" | "judge">;
  readonly answers: readonly Answered[];
}

export interface ScoredByDomain {
  readonly answers: readonly Answered[];
  /** Why the judge came to no verdict, as far as it says so, with the number of answers. */
  readonly undecided: ReasonCounts;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DomainScoring {
  readonly files: TraceFiles;
  /** Answers that are judged at once. */
  readonly concurrency: number;
  readonly openContainment: OpenContainment;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

/** A warning that the judge of the domain failed on answers (HASP547). */
function failedOn({ folder, domain }: DomainAnswers, failures: readonly string[]): readonly Diagnostic[] {
  const [first] = failures;
  if (first === undefined) return [];
  const message = `The judge of the domain ${domain.name} (${domain.judge.name}) failed on ${counted(failures.length, "answer")}: ${first}`;
  const next = "Fix what it needs and score again; until then these answers are unjudged.";
  const place = { ...(folder !== undefined && { file: folder }), range: START_OF_FILE };
  return [{ code: "HASP547", severity: "warning", message, next, ...place }];
}

/**
 * Has the judge of a domain look at the answers that have no verdict of it yet, with the material from the run folder. Warns of material that
 * is gone (HASP549), and of a judge that failed (HASP547). Refuses a judge that cannot be opened. Rejects on I/O errors, and with the
 * signal's reason.
 */
export async function scoreByDomain(
  run: DomainAnswers,
  { files, concurrency, openContainment, signal, on }: DomainScoring,
): Promise<ScoredByDomain> {
  const { folder, domain } = run;
  const { needsMaterial } = domain.judge;
  const answers = [...run.answers];
  const missing = [...answers.entries()].filter(
    ([, { answer, gold, scored }]) =>
      scored === undefined && answer !== undefined && (gold !== undefined || needsMaterial === true),
  );
  if (missing.length === 0) return { answers, undecided: {}, diagnostics: [] };
  const materials: Materials = folder === undefined ? new Map() : await readMaterials(files, folder);
  const gone = missing.filter(([, one]) => needsMaterial === true && !materials.has(one.questionId));
  const asked = missing.filter((one) => !gone.includes(one));
  const failures: string[] = [];
  const undecided: ReasonCounts = {};
  let done = 0;
  const judge = await openJudge(domain, { concurrency, openContainment });
  try {
    const { failed, failure } = await askEach(
      asked,
      async ([i, one], guarded) => {
        const { question, questionId, answer = "", gold } = one;
        const task = { question, answer, gold, material: materials.get(questionId) };
        const { verdict: scored, why, failure } = await guarded(() => askJudge(judge, task, signal));
        answers[i] = { ...one, scored };
        if (failure !== undefined) failures.push(failure);
        else if (scored === undefined) countReason(undecided, why);
        on(progressOf(++done, asked.length, "answers judged"));
        return true;
      },
      { concurrency, signal },
    );
    if (failure !== undefined) failures.push(...Array.from({ length: failed }, () => failure.message));
  } finally {
    await judge.close();
  }
  const questions = new Set(gone.map(([, { questionId }]) => questionId));
  const lacking =
    folder === undefined ? [] : materialGone({ folder, hasFile: materials.size > 0 }, questions.size);
  return { answers, undecided, diagnostics: [...lacking, ...failedOn(run, failures)] };
}
