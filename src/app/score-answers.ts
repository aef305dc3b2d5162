import { isStanding } from "../model/outcomes.ts";
import { domainOfRecord } from "../domains/registry.ts";
import { likenessOf } from "../domains/texts.ts";
import { parseAnswers } from "../evaluation/answer-file.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import { addReplies, countReplies, NO_REPLIES } from "../model/replies.ts";
import type { OpenContainment } from "../scoring/containment.ts";
import { exactMatchJudge } from "../scoring/judge.ts";
import { judgeAnswers, type Judged } from "../scoring/judge-answers.ts";
import { judgedBy } from "../scoring/judged-by.ts";
import { whyNoWords, type GoldSource } from "../scoring/math-answers.ts";
import type { ReasonCounts } from "../scoring/undecided.ts";
import type { Answered } from "../scoring/score-answers.ts";
import { scoreReport, type ScoredAnswers, type ScoreReport } from "../scoring/score-report.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { readNamed, type TextFiles } from "./named-text.ts";
import { domainOfRun } from "./open-judge.ts";
import { openRunAt } from "./open-run.ts";
import { progressOf, type Progress } from "./progress.ts";
import { recordedJudge } from "./recorded-judge.ts";
import { checked, need, refuse } from "./refusal.ts";
import { goldSource, nameAnotherJudge, namesOf } from "./refuse-words.ts";
import { scoreByDomain, type DomainAnswers } from "./score-by-domain.ts";

export interface ScoreOrder {
  /** Run folders, their `episodes.jsonl`, or files of answers with `pred` and `gold`. */
  readonly inputs: readonly string[];
  /** Answers that the judge is asked about at once. */
  readonly concurrency: number;
  /** The judge by whose recorded verdicts answers are right, as `recordedJudge` takes it; undefined: that of each run. */
  readonly by: string | undefined;
  /** The domain whose judge scores all inputs; undefined: that of each run, and none of a file of answers. */
  readonly domain?: DomainAnswers["domain"] | undefined;
  /** As of `ScoredAnswers`. */
  readonly passAt?: readonly number[] | undefined;
}

/** Services of scoring; without a judge nobody is asked, and there is no model-based equivalence. */
export interface ScoreServices {
  readonly files: TraceFiles & TextFiles;
  readonly judge: ChatModel | undefined;
  readonly openContainment: OpenContainment;
  readonly signal: AbortSignal;
  readonly on: (event: ScoreEvent) => void;
}

/** An input is scored, or an answer judged. */
export type ScoreEvent = Progress | { readonly kind: "scored"; readonly scored: ScoredInput };

export interface ScoredInput {
  readonly report: ScoreReport;
  readonly answers: readonly Answered[];
  /** Undefined without a judge. */
  readonly judged: Judged | undefined;
  /** Why the judge of the domain came to no verdict, with the number of answers. */
  readonly undecided: Readonly<ReasonCounts>;
  /** Lines of the input that are no answers. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Input extends Omit<ScoredAnswers, "comparesWords" | "judge" | "passAt"> {
  /** Names by which the questions may be known. */
  readonly from: GoldSource["from"];
  /** The domain of a run, where its judge compares no words. */
  readonly ofDomain?: DomainAnswers;
  readonly isRun: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The judge by which the answers of an input are right; undefined of a file, and of math. */
function scoringJudge({ isRun, ofDomain }: Input, isMath: boolean): ScoredAnswers["judge"] {
  if (ofDomain !== undefined) return ofDomain.domain.judge;
  return isRun && !isMath ? exactMatchJudge : undefined;
}

/**
 * Scores the answers of each input: exact match, F1, agreement with the recorded verdicts, and with a judge the share that it takes for
 * right. In place of exact match and F1, a run of a domain that compares no words has the share that its judge takes for right. All inputs
 * are read before a judge is asked. No value where one is neither a run nor a file of answers. Rejects on abort.
 */
export async function scoreInputs(
  { inputs, concurrency, by, domain, passAt }: ScoreOrder,
  { files, judge: model, openContainment, signal, on }: ScoreServices,
): Promise<Checked<readonly ScoredInput[]>> {
  return checked(async (found) => {
    const read: Input[] = [];
    for (const name of inputs) read.push(await readInput(name, { by, domain }, { files, signal }));
    // Refused before the judge is asked about another input.
    const isJudged = model !== undefined || by !== undefined;
    const noWords = read.map((input) => noWordsIn(input, isJudged));
    const scored: ScoredInput[] = [];
    for (const [i, input] of read.entries()) {
      const without = noWords[i] ?? [];
      const scoring = { files, concurrency, openContainment, signal, on };
      const own = input.ofDomain && (await scoreByDomain(input.ofDomain, scoring));
      const { answers } = own ?? input;
      const diagnostics = [...without, ...input.diagnostics, ...(own?.diagnostics ?? [])];
      const total = answers.filter(({ gold }) => gold !== undefined).length;
      const onJudged = (done: number): void => on(progressOf(done, total, "answers judged"));
      const judged = model && (await judgeAnswers(answers, model, { concurrency, signal, onJudged }));
      const judge = scoringJudge(input, without.length > 0);
      const comparesWords = without.length === 0 && input.ofDomain === undefined;
      const one = {
        report: scoreReport({ ...input, answers, judge, comparesWords, passAt }, judged),
        answers,
        judged,
        undecided: own?.undecided ?? {},
        diagnostics,
      };
      on({ kind: "scored", scored: one });
      found.push(...diagnostics);
      scored.push(one);
    }
    return scored;
  });
}

/** A notice that math answers have no exact match and no F1. Refuses if no other judge scores them (HASP599). */
function noWordsIn({ name, answers, from, ofDomain }: Input, isJudged: boolean): readonly Diagnostic[] {
  if (ofDomain !== undefined) return [];
  const message = whyNoWords(
    goldSource(
      answers.map(({ gold }) => gold),
      from,
    ),
  );
  if (message === undefined) return [];
  if (!isJudged) refuse("HASP599", message, nameAnotherJudge(), name);
  const place = { file: name, range: START_OF_FILE };
  return [{ code: "HASP599", severity: "information", message, ...place }];
}

/** An outcome that somebody judged. */
const isJudgedOutcome = (outcome: Outcome): boolean => outcome === "correct" || outcome === "wrong";

type Reading = Pick<ScoreServices, "files" | "signal">;

type Scorer = Pick<ScoreOrder, "by" | "domain">;

async function readInput(name: string, { by, domain }: Scorer, services: Reading): Promise<Input> {
  const { files } = services;
  const isFile =
    !/(?:^|[/\\])episodes\.jsonl$/.test(name) && (await files.readText(name, 0)).kind !== "absent";
  if (!isFile) return readRun(name, { by, domain }, services);
  if (by !== undefined)
    refuse("HASP597", `${name} is a file of answers, which has no verdicts.`, "Name a run.", name);
  const { text } = need(await readNamed(files, name));
  const parsed = parseAnswers(text, name);
  const answers = need(parsed);
  return {
    name,
    answers,
    ...(domain !== undefined && { ofDomain: { folder: undefined, domain, answers } }),
    replies: NO_REPLIES,
    by,
    from: [name],
    isRun: false,
    foreignVerdicts: true,
    diagnostics: parsed.diagnostics,
  };
}

async function readRun(
  name: string,
  { by: wanted, domain: named }: Scorer,
  services: Reading,
): Promise<Input> {
  const { files } = services;
  const run = need(await openRunAt(files, name));
  const by = wanted === undefined ? undefined : await recordedJudge(wanted, run, services);
  const domain = await domainOfRun(files, run);
  const other = named ?? (domain?.judge.comparesWords === true ? undefined : domain);
  const scorer = (other?.judge ?? exactMatchJudge).name;
  const answers: Answered[] = [];
  const unreadable: Diagnostic[] = [];
  let foreignVerdicts = false;
  let replies = NO_REPLIES;
  for await (const { value, diagnostics: found } of readEpisodes(files, run.index)) {
    unreadable.push(...found);
    if (value === undefined || !isStanding(value)) continue;
    const { id, questionId, sample, question, answer, gold, source, steps, facts } = value;
    const likeness = likenessOf(domainOfRecord(facts));
    replies = addReplies(replies, countReplies(steps));
    const { outcome, verdicts } = by === undefined ? value : judgedBy(value, by);
    const [verdict] = verdicts ?? [];
    const scored = other && value.verdicts?.find((one) => one.judge === scorer);
    answers.push({
      id,
      questionId,
      sample,
      question,
      answer,
      gold,
      recorded: outcome,
      verdict,
      scored,
      likeness,
    });
    // Before verdicts were recorded, the outcomes of HASP were exact match.
    const isForeign =
      verdict === undefined
        ? source !== "hasp" || (other !== undefined && isJudgedOutcome(outcome))
        : verdict.judge !== scorer;
    // A chosen judge may disagree.
    foreignVerdicts ||= by === undefined && isForeign;
  }
  return {
    name,
    answers,
    replies,
    by,
    from: namesOf(run.run),
    isRun: true,
    ...(other !== undefined && { ofDomain: { folder: run.folder, domain: other, answers } }),
    foreignVerdicts,
    diagnostics: [...run.diagnostics, ...unreadable],
  };
}
