import path from "node:path";
import process from "node:process";
import { openModel } from "../../app/run/models.ts";
import { reviewOneSkill, type ReviewEvent } from "../../app/review-skill.ts";
import { createBudget } from "../../llm/budget.ts";
import { ModelError, type ChatModel } from "../../llm/chat-model.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import { printable } from "../../model/printable.ts";
import type { Review } from "../../model/review.ts";
import type { Skill } from "../../model/skill.ts";
import { systemClock } from "../../platform/clock.ts";
import { reviewFiles } from "../../platform/review-files.ts";
import type { ReviewResult } from "../../review/review.ts";
import { appendReview, changedSince, readReviews } from "../../review/review-store.ts";
import { fingerprintOfFolder } from "../../review/review-subject.ts";
import { findSkillFolders, readSkillFolder } from "../../skill/read-skill.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { isBuiltIn, withBuiltIn } from "../builtin-skills.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { flag, text, texts } from "../options.ts";
import { renderFreshness, renderReply, renderReview } from "../render-review.ts";
import { openRunAt } from "../runs.ts";
import { readSkills, type Session } from "../session.ts";
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
async function besides(folder: string, files: SkillFiles, { compiler }: Session): Promise<Skill[]> {
  const beside = await findSkillFolders(files, path.posix.dirname(folder));
  const read = await Promise.all(beside.map((other) => readSkillFolder(files, compiler, other)));
  return read.flatMap(({ skill }) => skill ?? []);
}

/** The teacher's words where a person is watching, and between them why they begin again. */
function listener({ teacher, terminal, stream }: ReviewTools): (event: ReviewEvent) => void {
  const divide = (why: string): void => stream?.(`\n\n— ${why} —\n\n`);
  return (event) => {
    if (event.kind === "progress") terminal.progress(event.done, event.total, event.words);
    else terminal.endProgress();
    if (event.kind === "asking") terminal.line(`asking ${teacher.id} …`);
    if (event.kind === "text") stream?.(printable(event.text));
    if (event.kind === "restarted") divide("the connection was lost; the reply begins again");
    if (event.kind === "retried")
      divide(`asked once more: ${event.problems.map((p) => printable(p.message)).join(" ")}`);
  };
}

function print(tools: ReviewTools, folder: string, { value, unusable, diagnostics }: ReviewResult): ExitCode {
  const { terminal, stream } = tools;
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
  terminal.result({ folder, review: value ?? null, unusable, diagnostics });
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
    const folder = await locate(target, session);
    const runs: OpenedRunFolder[] = [];
    for (const run of episodes) runs.push(await openRunAt(run, session.files));
    const files = { ...session.files, ...withBuiltIn(session.files) };
    const store = async (review: Review): Promise<readonly Diagnostic[]> =>
      isBuiltIn(folder) ? [] : appendReview(reviewFiles(session.files), folder, review);
    const result = await reviewOneSkill(
      { folder, runs, library: await besides(folder, files, session) },
      { ...session, files, teacher, store, clock: systemClock, signal, on: listener(tools) },
    );
    return print(tools, folder, result);
  } catch (error) {
    if (signal.aborted) throw new CliError("Interrupted: nothing was written.");
    throw error instanceof ModelError ? new CliError(error.message, error.next) : error;
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
  const count = reviews?.length ?? 0;
  terminal.result({ folder, review: review ?? null, stale, changed, reviews: count, diagnostics });
  return review?.decision === "accept" && !stale ? EXIT.fine : EXIT.findings;
}

const OPTIONS = {
  teacher: text("--teacher <spec>", "openai:<model>, <url>#<model> or scripted:<file>"),
  price: text("--price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10"),
  episodes: texts(
    "--episodes <run...>",
    "run folders: the teacher is shown where the skill would have fired",
  ),
  show: flag("--show", "show the latest stored review, and whether it is stale; asks nobody"),
};

async function runReview(
  { options, terminal, session, files }: Call<typeof OPTIONS>,
  target: string,
): Promise<ExitCode> {
  const { teacher: spec, price, episodes = [] } = options;
  if (options.show === true) return showReview(target, { session, terminal });
  if (spec === undefined)
    throw new CliError(
      "No teacher is named.",
      "Add --teacher openai:gpt-4o-2024-11-20, or --show for the stored review.",
    );
  const watched = process.stdout.isTTY && !terminal.json;
  const stream = watched ? (text: string): void => void process.stdout.write(text) : undefined;
  return interruptible(terminal, (signal) =>
    withModels(files, terminal, async (models) => {
      const order = modelOrder(spec, price);
      const teacher = need(await openModel(models, order, createBudget(undefined)));
      return reviewTarget(target, episodes, { session, terminal, teacher, stream, signal });
    }),
  );
}

/** `hasp review <skill> --teacher <spec>`. */
export const reviewCommand = defineCommand({
  name: "review",
  about: "Have a teacher model score a skill in five dimensions, and keep its review with the skill.",
  takes: [["<skill>", "a skill folder, or a file in it"]],
  options: OPTIONS,
  section: KEYS,
  examples: [
    "hasp review skills/web-search/late-read --teacher openai:gpt-4o-2024-11-20",
    "hasp review skills/web-search/late-read --show",
  ],
  run: runReview,
});
