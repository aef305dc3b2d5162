import path from "node:path";
import {
  measureSkill,
  type EvidenceEvent,
  type EvidenceOrder,
  type SkillEvidence,
} from "../../app/measure-skill.ts";
import { openModel } from "../../app/run/models.ts";
import { reviewOneSkill, type ReviewEvent } from "../../app/review-skill.ts";
import { createBudget } from "../../llm/budget.ts";
import { ModelError, type ChatModel } from "../../llm/chat-model.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import { printable } from "../../model/printable.ts";
import type { Review } from "../../model/review.ts";
import { systemClock } from "../../platform/clock.ts";
import { reviewFiles } from "../../platform/review-files.ts";
import type { ReviewResult } from "../../review/review.ts";
import { appendReview, changedSince, readReviews } from "../../review/review-store.ts";
import { fingerprintOfFolder } from "../../review/review-subject.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../skill/read-skill.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import { isBuiltIn } from "../builtin-skills.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { flag, text, texts, TRIGGERS } from "../options.ts";
import { renderEvidence } from "../render-evidence.ts";
import { renderFreshness, renderReply, renderReview } from "../render-review.ts";
import { backtestRuns } from "../runs.ts";
import { readSkills, skillFiles, type Session } from "../session.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

/** Services of a review on the command line. `stream` gets the teacher's words as they arrive, where a person is watching. */
export interface ReviewTools {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly teacher: ChatModel;
  readonly signal: AbortSignal;
  readonly stream: ((text: string) => void) | undefined;
}

async function locate(target: string, session: Session): Promise<string> {
  const folders = await readSkills([target], session);
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return only.folder;
  throw new CliError(
    `${target} holds ${folders.length} skills, and a review is of one.`,
    `Name one of them, e.g. ${only?.folder ?? target}.`,
  );
}

/** The skills beside this one. One that cannot be read is left out: it is not under review. */
async function besides(folder: string, files: SkillFiles, { compiler }: Session): Promise<SkillFolder[]> {
  const beside = await findSkillFolders(files, path.posix.dirname(folder));
  const others = beside.filter((other) => other !== folder);
  return Promise.all(others.map((other) => readSkillFolder(files, compiler, other)));
}

/** The skill at `target` with the runs and the skills beside it; files as they lie, those of HASP Studio included. */
async function orderOf(target: string, episodes: readonly string[], session: Session) {
  const folder = await locate(target, session);
  const runs = await backtestRuns(episodes, session.files);
  const files = await skillFiles(session, [folder]);
  const order: EvidenceOrder = { folder, runs, library: await besides(folder, files, session) };
  return { order, files };
}

function printEvidence(terminal: Terminal, { sections }: SkillEvidence): void {
  for (const line of [...renderEvidence(sections), ""]) terminal.line(line);
}

function progressOn(terminal: Terminal): (event: EvidenceEvent) => void {
  return (event) => {
    if (event.kind === "progress") terminal.progress(event.done, event.total, event.words);
    else terminal.endProgress();
  };
}

/** The teacher's words where a person is watching, and between them why they begin again. */
function listener({ teacher, terminal, stream }: ReviewTools): (event: ReviewEvent) => void {
  const divide = (why: string): void => stream?.(`\n\n— ${why} —\n\n`);
  const onProgress = progressOn(terminal);
  return (event) => {
    if (event.kind === "progress" || event.kind === "checking") return onProgress(event);
    terminal.endProgress();
    if (event.kind === "measured") printEvidence(terminal, event.measured);
    if (event.kind === "asking") terminal.line(`asking ${teacher.id} …`);
    if (event.kind === "text") stream?.(printable(event.text));
    if (event.kind === "restarted") divide("the connection was lost; the reply begins again");
    if (event.kind === "retried")
      divide(`asked once more: ${event.problems.map((p) => printable(p.message)).join(" ")}`);
  };
}

function print(tools: ReviewTools, folder: string, result: ReviewResult): ExitCode {
  const { terminal, stream } = tools;
  const { value, unusable, refused, diagnostics } = result;
  if (value !== undefined || unusable !== undefined) stream?.("\n\n");
  if (unusable !== undefined) {
    terminal.line(
      "The teacher's reply is unusable, twice: nothing was written. The fields below are missing or wrong.",
    );
    // A person at a terminal has read it while it came.
    if (stream === undefined) for (const line of renderReply(unusable)) terminal.line(line);
  } else if (value === undefined) terminal.line("The teacher was not asked: fix this first.");
  terminal.diagnostics(diagnostics);
  if (value !== undefined) for (const line of renderReview(value)) terminal.line(line);
  if (value !== undefined && isBuiltIn(folder))
    terminal.line("Not stored: this skill came with HASP Studio and has no folder here.");
  const kept = unusable !== undefined && { unusable, refused };
  terminal.result({ folder, review: value ?? null, ...kept, diagnostics });
  if (unusable !== undefined) return EXIT.failed;
  return value?.decision === "accept" && isClean(diagnostics) ? EXIT.fine : EXIT.findings;
}

/** Reviews the one skill at `target` and stores the review in its folder, unless it came with HASP Studio. */
export async function reviewTarget(
  target: string,
  episodes: readonly string[],
  tools: ReviewTools,
): Promise<ExitCode> {
  const { session, teacher, signal } = tools;
  try {
    const { order, files } = await orderOf(target, episodes, session);
    const { folder } = order;
    const store = async (review: Review): Promise<readonly Diagnostic[]> =>
      isBuiltIn(folder) ? [] : appendReview(reviewFiles(session.files), folder, review);
    const on = listener(tools);
    const result = await reviewOneSkill(order, {
      ...session,
      files,
      teacher,
      store,
      clock: systemClock,
      signal,
      on,
    });
    return print(tools, folder, result);
  } catch (error) {
    if (signal.aborted) throw new CliError("Interrupted: nothing was written.");
    throw error instanceof ModelError ? new CliError(error.message, error.next) : error;
  }
}

/** Prints what is measured of the skill at `target`: no review, since no teacher is asked. Stores nothing. */
export async function showEvidence(
  target: string,
  episodes: readonly string[],
  { session, terminal, signal }: Pick<ReviewTools, "session" | "terminal" | "signal">,
): Promise<ExitCode> {
  try {
    const { order, files } = await orderOf(target, episodes, session);
    const services = { ...session, files, signal, on: progressOn(terminal) };
    const { value, diagnostics } = await measureSkill(order, services);
    terminal.endProgress();
    if (value === undefined) terminal.line("Nothing was measured: fix this first.");
    terminal.diagnostics(diagnostics);
    if (value !== undefined) printEvidence(terminal, value);
    if (value !== undefined)
      terminal.line("No teacher was asked, so there is no review: --teacher <spec> asks one.");
    terminal.result({ folder: order.folder, evidence: value?.sections ?? null, diagnostics });
    return value?.isClean === true && isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  } catch (error) {
    if (signal.aborted) throw new CliError("Interrupted.");
    throw error;
  }
}

/** The latest stored review of the skill at `target`, and whether the skill is still what it speaks of. Asks nobody. */
export async function showReview(
  target: string,
  { session, terminal }: Pick<ReviewTools, "session" | "terminal">,
): Promise<ExitCode> {
  const folder = await locate(target, session);
  const files = await skillFiles(session, [folder]);
  const { value: reviews, diagnostics } = await readReviews(files, folder);
  const review = reviews?.at(-1);
  const changed = review === undefined ? [] : changedSince(review, await fingerprintOfFolder(files, folder));
  terminal.diagnostics(diagnostics);
  if (review === undefined) terminal.line(`${folder} has no review.`);
  else {
    const measured = review.evidence === undefined ? [] : [...renderEvidence(review.evidence), ""];
    for (const line of [...measured, ...renderReview(review), renderFreshness(changed)]) terminal.line(line);
  }
  const stale = changed.length > 0;
  const count = reviews?.length ?? 0;
  terminal.result({ folder, review: review ?? null, stale, changed, reviews: count, diagnostics });
  return review?.decision === "accept" && !stale ? EXIT.fine : EXIT.findings;
}

const OPTIONS = {
  teacher: text("--teacher <spec>", "openai:<model>, <url>#<model> or scripted:<file>"),
  price: text("--price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10"),
  episodes: texts(
    "--episodes <run...>",
    "run folders: the skill is backtested there first; without --teacher the evidence is all there is",
  ),
  triggers: TRIGGERS,
  show: flag("--show", "show the latest stored review, and whether it is stale; asks nobody"),
};

async function runReview(
  { options, terminal, session, files }: Call<typeof OPTIONS>,
  target: string,
): Promise<ExitCode> {
  const { teacher: spec, price, episodes = [] } = options;
  if (options.show === true) return showReview(target, { session, terminal });
  if (spec === undefined && episodes.length > 0)
    return interruptible(terminal, (signal) => showEvidence(target, episodes, { session, terminal, signal }));
  if (spec === undefined)
    throw new CliError(
      "No teacher is named.",
      "Add --teacher openai:gpt-4o-2024-11-20, --episodes <run> for the evidence alone, or --show for the stored review.",
    );
  const { stdout } = terminal.context.streams;
  const watched = stdout.isTTY === true && !terminal.json;
  const stream = watched ? (text: string): void => void stdout.write(text) : undefined;
  return interruptible(terminal, (signal) =>
    withModels(files, terminal, async (models) => {
      const order = modelOrder(spec, price);
      const teacher = need(await openModel(models, order, createBudget(undefined)));
      return reviewTarget(target, episodes, { session, terminal, teacher, stream, signal });
    }),
  );
}

/** `hasp review <skill> --teacher <spec>`; with `--episodes` alone the evidence without a review. */
export const reviewCommand = defineCommand({
  name: "review",
  about:
    "Measure a skill, have a teacher model score it in five dimensions, and keep its review with the skill.",
  takes: [["<skill>", "a skill folder, or a file in it"]],
  options: OPTIONS,
  section: KEYS,
  examples: [
    "hasp review skills/web-search/late-read --teacher openai:gpt-4o-2024-11-20",
    "hasp review skills/web-search/late-read --episodes .hasp/runs/reflexion",
    "hasp review skills/web-search/late-read --show",
  ],
  run: runReview,
});
