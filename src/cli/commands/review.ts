import { Command } from "commander";
import path from "node:path";
import process from "node:process";
import { gatherEvidence, type ReviewEvidence } from "../../evolve/evidence.ts";
import { measureEpisodes, type Measured } from "../../evolve/measure-episodes.ts";
import { reviewSkill } from "../../evolve/review.ts";
import { fingerprintOfFolder, readSubject, type ReviewSubject } from "../../evolve/review-subject.ts";
import { appendReview, changedSince, readReviews } from "../../evolve/review-store.ts";
import { createBudget } from "../../llm/budget.ts";
import { ModelError, type ChatModel } from "../../llm/chat-model.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { Review } from "../../model/review.ts";
import { systemClock } from "../../platform/clock.ts";
import { reviewFiles } from "../../platform/review-files.ts";
import { findSkillFolders, readSkillFolder } from "../../skill/read-skill.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { isBuiltIn, withBuiltIn } from "../builtin-skills.ts";
import { helpTextWithKeys } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { openModelDesk } from "../models.ts";
import { printable } from "../../model/printable.ts";
import { renderFreshness, renderReply, renderReview } from "../render-review.ts";
import { openRunAt } from "../runs.ts";
import { inSession, readSkills, type Session } from "../session.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type Terminal, type SetExit } from "../terminal.ts";

/** Enough to say what is there already; more would crowd out the skill. */
const MOST_NEIGHBOURS = 40;

/** What a review is made with. `stream` gets the teacher's words as they arrive, where a person is watching. */
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

async function measure(
  subject: ReviewSubject,
  runs: readonly string[],
  { session, terminal, signal }: ReviewTools,
): Promise<Measured> {
  const opened: OpenedRunFolder[] = [];
  for (const run of runs) opened.push(await openRunAt(run, session.files));
  const { files, host } = session;
  const onProgress = (done: number, total: number): void =>
    terminal.progress(done, total, `${done} of ${total} episodes`);
  const measured = await measureEpisodes(subject, opened, { files, host, signal, onProgress });
  terminal.endProgress();
  return measured;
}

/** The skills beside this one. One that cannot be read is left out: it is not under review. */
async function neighboursOf(folder: string, session: Session): Promise<ReviewEvidence["neighbours"]> {
  const files = withBuiltIn(session.files);
  const beside = await findSkillFolders(files, path.posix.dirname(folder));
  const others = beside.filter((other) => other !== folder).slice(0, MOST_NEIGHBOURS);
  const read = await Promise.all(others.map((other) => readSkillFolder(files, session.compiler, other)));
  return read.flatMap(({ skill }) => skill ?? []);
}

/** A model that fails and a person who cancels end the command with exit code 2, in words. */
function explained(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new CliError("Interrupted: nothing was written.");
  return error instanceof ModelError ? new CliError(error.message, error.next) : error;
}

async function askTeacher(
  subject: ReviewSubject,
  evidence: ReviewEvidence,
  { teacher, signal, stream, terminal }: ReviewTools,
): ReturnType<typeof reviewSkill> {
  const divide = (why: string): void => stream?.(`\n\n— ${why} —\n\n`);
  terminal.line(`asking ${printable(teacher.id)} …`);
  const checked = await reviewSkill(subject, evidence, teacher, {
    clock: systemClock,
    signal,
    // A person who asks again wants another opinion, not the one before from the cache.
    sample: Date.now(),
    ...(stream !== undefined && { onText: (text) => stream(printable(text)) }),
    onRestart: () => divide("the connection was lost; the reply begins again"),
    onRetry: (problems) => divide(`asked once more: ${problems.map((p) => printable(p.message)).join(" ")}`),
  });
  stream?.("\n\n");
  return checked;
}

async function store(folder: string, review: Review, session: Session): Promise<readonly Diagnostic[]> {
  return isBuiltIn(folder) ? [] : appendReview(reviewFiles(session.files), folder, review);
}

interface Outcome {
  readonly review: Review | undefined;
  /** The teacher's reply, where no review came of it. */
  readonly unusable?: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly exit: ExitCode;
}

function conclude(terminal: Terminal, folder: string, outcome: Outcome): ExitCode {
  const { review, unusable, diagnostics, exit } = outcome;
  terminal.diagnostics(diagnostics);
  if (review !== undefined) for (const line of renderReview(review)) terminal.line(line);
  terminal.result({
    folder,
    review: review ?? null,
    ...(unusable !== undefined && { unusable }),
    diagnostics,
  });
  return exit;
}

async function reviewIn(folder: string, runs: readonly string[], tools: ReviewTools): Promise<Outcome> {
  const { session, terminal, signal } = tools;
  const files = withBuiltIn(session.files);
  const before = await readReviews(files, folder);
  const { subject, diagnostics } = await readSubject(files, session.compiler, folder);
  const found = [...before.diagnostics, ...diagnostics];
  if (before.value === undefined || subject === undefined) {
    terminal.line("The teacher was not asked: mend this first.");
    return { review: undefined, diagnostics: found, exit: EXIT.findings };
  }
  const measured = await measure(subject, runs, tools);
  const own = await gatherEvidence(subject, session);
  const neighbours = await neighboursOf(folder, session);
  const evidence: ReviewEvidence = {
    ...own,
    ...(measured.evidence !== undefined && { backtest: measured.evidence }),
    ...(neighbours !== undefined && { neighbours }),
  };
  const { value: review, diagnostics: said, unusable } = await askTeacher(subject, evidence, tools);
  signal.throwIfAborted();
  const all = [...found, ...measured.diagnostics, ...said];
  if (review === undefined) {
    terminal.line(
      "The teacher's reply is unusable, twice: nothing was written. The fields below are missing or wrong.",
    );
    // A person at a terminal has read it while it came.
    if (tools.stream === undefined) for (const line of renderReply(unusable ?? "")) terminal.line(line);
    return { review, unusable, diagnostics: all, exit: EXIT.failed };
  }
  const unwritten = await store(folder, review, session);
  const fine = review.decision === "accept" && isClean([...all, ...unwritten]);
  return { review, diagnostics: [...all, ...unwritten], exit: fine ? EXIT.fine : EXIT.findings };
}

/** Reviews the one skill at `target` and stores the review in its folder, unless it came with HASP Studio. */
export async function reviewTarget(
  target: string,
  runs: readonly string[],
  tools: ReviewTools,
): Promise<ExitCode> {
  try {
    const folder = await locate(target, tools.session);
    const outcome = await reviewIn(folder, runs, tools);
    const exit = conclude(tools.terminal, folder, outcome);
    if (outcome.review !== undefined && isBuiltIn(folder))
      tools.terminal.line("Not stored: this skill came with HASP Studio and has no folder here.");
    return exit;
  } catch (error) {
    throw explained(error, tools.signal);
  }
}

/** The latest stored review of the skill at `target`, and whether the skill is still what it speaks of. Asks nobody. */
export async function showReview(
  target: string,
  { session, terminal }: Pick<ReviewTools, "session" | "terminal">,
): Promise<ExitCode> {
  const folder = await locate(target, session);
  const files = withBuiltIn(session.files);
  const { value: reviews, diagnostics } = await readReviews(files, folder);
  const review = reviews?.at(-1);
  const changed = review === undefined ? [] : changedSince(review, await fingerprintOfFolder(files, folder));
  terminal.diagnostics(diagnostics);
  if (review === undefined) terminal.line(`${folder} has no review.`);
  else for (const line of [...renderReview(review), renderFreshness(changed)]) terminal.line(line);
  const stale = changed.length > 0;
  terminal.result({
    folder,
    review: review ?? null,
    stale,
    changed,
    reviews: reviews?.length ?? 0,
    diagnostics,
  });
  return review?.decision === "accept" && !stale ? EXIT.fine : EXIT.findings;
}

interface Options {
  readonly teacher?: string;
  readonly price?: string;
  readonly episodes?: string[];
  readonly show?: boolean;
  readonly json?: boolean;
}

async function runReview(target: string, options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const { teacher: spec, price, episodes = [] } = options;
  if (options.show === true) return inSession((session) => showReview(target, { session, terminal }));
  if (spec === undefined) {
    throw new CliError(
      "No teacher is named.",
      "Add --teacher openai:gpt-4o-2024-11-20, or --show for the stored review.",
    );
  }
  const watched = process.stdout.isTTY && options.json !== true;
  const stream = watched ? (text: string): void => void process.stdout.write(text) : undefined;
  const interrupt = cancelOnInterrupt();
  return inSession(async (session) => {
    const desk = openModelDesk({
      files: session.files,
      budget: createBudget(undefined),
      onTrouble: (message) => terminal.line(message),
    });
    try {
      const teacher = await desk.open(spec, price === undefined ? {} : { price });
      return await reviewTarget(target, episodes, {
        session,
        terminal,
        teacher,
        stream,
        signal: interrupt.signal,
      });
    } finally {
      desk.close();
    }
  }).finally(() => interrupt.release());
}

/** `hasp review <skill> --teacher <spec>`. */
export function reviewCommand(setExit: SetExit): Command {
  return new Command("review")
    .description("Have a teacher model score a skill in five dimensions, and keep its review with the skill.")
    .argument("<skill>", "a skill folder, or a file in it")
    .option("--teacher <spec>", "openai:<model>, <url>#<model> or scripted:<file>")
    .option("--price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10")
    .option("--episodes <run...>", "run folders: the teacher is shown where the skill would have fired")
    .option("--show", "show the latest stored review, and whether it is stale; asks nobody")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpTextWithKeys(
        "hasp review skills/web-search/late-read --teacher openai:gpt-4o-2024-11-20",
        "hasp review skills/web-search/late-read --show",
      ),
    )
    .action(async (target: string, options: Options) => {
      setExit(await runReview(target, options));
    });
}
