import type { RunResult, RunSummary } from "../app/run/questions.ts";
import { dollars } from "../llm/budget.ts";
import { judgeFailedWords } from "../model/outcomes.ts";
import { isClean, type Diagnostic } from "../model/diagnostic.ts";
import { repliesText } from "../model/replies.ts";
import { shellLine } from "../platform/shell-word.ts";
import { countOutcomes } from "./format-diagnostic.ts";
import { undecidedLines } from "./judge-option.ts";
import { questionsLines } from "./questions-line.ts";
import { EXIT, type ExitCode, type Terminal } from "./terminal.ts";

function resumeCommand({ context: { words } }: Terminal): string {
  const given = words.filter((word) => word !== "--resume");
  return shellLine(["hasp", ...given, "--resume"]);
}

/** A resume of a run that is done. */
const isNothingLeft = ({ finished, left }: RunSummary, skipped: number): boolean =>
  finished + left === 0 && skipped > 0;

interface Reported extends Pick<RunResult, "skipped" | "questions"> {
  readonly folder: string;
  /** The unit that the run counts: questions, or their samples. */
  readonly asked: "question" | "sample";
}

/** What became of a run, for people: counts, reasons, cost, and how to go on where questions are left. */
export function reportRun(
  terminal: Terminal,
  summary: RunSummary,
  { folder, skipped, questions, asked }: Reported,
): void {
  if (isNothingLeft(summary, skipped)) {
    terminal.line(`nothing to run: every ${asked} has its episode in ${folder} (${skipped})`);
    return;
  }
  terminal.line(countOutcomes(summary.finished, summary.outcomes));
  for (const line of questions === undefined ? [] : questionsLines(questions)) terminal.line(line);
  if (skipped > 0) terminal.line(`${skipped} ${asked}s had their episode already`);
  const reasons = Object.entries(summary.stopReasons).toSorted(([, a], [, b]) => b - a);
  if (reasons.length > 0)
    terminal.line(`ended by: ${reasons.map(([reason, n]) => `${reason} ${n}`).join(", ")}`);
  if (summary.judgeFailed !== undefined)
    terminal.line(`${judgeFailedWords(summary.judgeFailed)}. \`hasp judge ${folder}\` judges again.`);
  if (Object.keys(summary.undecided).length > 0) terminal.line("no verdict:");
  for (const line of undecidedLines(summary.undecided)) terminal.line(line);
  const replies = repliesText(summary.replies);
  if (replies !== undefined) terminal.line(`replies: ${replies}`);
  if (summary.dollars !== undefined && summary.dollars > 0)
    terminal.line(`cost: ${dollars(summary.dollars)}`);
  if (summary.costUnknown) terminal.line("cost: unknown, a model has no price (--price names it)");
  terminal.line(`run written to ${folder}`);
  if (summary.left === 0) return;
  const why = summary.endedBy === "cancelled" ? "Interrupted" : `Ended by ${summary.endedBy ?? "a failure"}`;
  terminal.line(`${why}: ${summary.left} ${asked}s are left. Go on with:`);
  terminal.line(`    ${resumeCommand(terminal)}`);
}

/** A stop that says more about the surroundings than about the agent. */
const isFailure = (reason: string): boolean => /^(?:model_|environment_error$|budget$)/.test(reason);

/**
 * 1 where questions are left, or where something around the agent failed. 0 where a resume finds all done, whatever its files say meanwhile: repeating
 * it would change nothing.
 */
export function exitCodeOf(
  summary: RunSummary,
  diagnostics: readonly Diagnostic[],
  skipped: number,
): ExitCode {
  if (isNothingLeft(summary, skipped)) return EXIT.fine;
  const failed =
    summary.left > 0 || summary.judgeFailed !== undefined || Object.keys(summary.stopReasons).some(isFailure);
  return failed || !isClean(diagnostics) ? EXIT.findings : EXIT.fine;
}
