import { PASS_WORDS } from "../model/pass-words.ts";
import { decisionsAt, PART_NAMES } from "../model/control-parts.ts";
import { sameAction, type Action } from "../model/action.ts";
import type { Episode, Step } from "../model/episode.ts";
import { linkedFrom, originWords } from "../model/episode-links.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { StepContext } from "../model/step-context.ts";
import type { JudgedStep } from "../protocol/replay.ts";
import { revisionAt } from "../model/revised-drafts.ts";
import { stopReasonWords } from "../model/stop-reasons.ts";
import type { Verdict } from "../model/verdict.ts";
import { verdictWords } from "../model/verdict-words.ts";
import { changedKeys } from "../trace/context-at.ts";
import { actionInLine, answersArePrograms, programLines, testRows, textInLine } from "./render-program.ts";

const LABEL_WIDTH = 14;
const OBSERVATION_LINES = 8;
/** Characters a line may have where the terminal does not say. */
const COLUMNS = 124;

/** Shape as well as word, the same as in the replay view (UX.md). */
const MARKS: Readonly<Record<PfEvent["status"], string>> = {
  applied: "▲",
  overridden: "△",
  noop: "·",
  skipped: "○",
  limited: "⊘",
  error: "✗",
};

const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)}${text}`;

/** Breaks a text at blanks into lines of at most `width` characters, and words that are longer anywhere. */
function wrap(text: string, width: number): string[] {
  const piece = new RegExp(`.{1,${width}}(?:\\s|$)|.{1,${width}}`, "gu");
  return text.split("\n").flatMap((line) => (line.match(piece) ?? [""]).map((part) => part.trimEnd()));
}

/** A label with its text beside it, in lines of `columns` characters: at most `most` lines, and how many more there are. */
function block(label: string, text: string, columns: number, most = 4): string[] {
  const lines = wrap(text, Math.max(20, columns - LABEL_WIDTH - 1));
  const shown =
    lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} more lines`] : lines;
  return shown.map((line, i) => row(i === 0 ? label : "", line));
}

function eventLine(event: PfEvent, reason: string): string {
  const when = event.pass === undefined ? "" : PASS_WORDS[event.pass];
  return `  ${MARKS[event.status]} ${event.status.padEnd(11)}${event.skillId.padEnd(30)}${when}${reason}`;
}

function recorded(list: readonly PfEvent[]): string[] {
  if (list.length === 0) return [];
  return ["Program Functions, recorded", ...list.map((event) => eventLine(event, event.reason))];
}

/** What the library that judges now decides. */
function today(judged: JudgedStep | undefined): string[] {
  if (judged === undefined) return [];
  const lines = judged.pfs.map(({ event, reason }) => eventLine(event, reason));
  return [`Program Functions, today${judged.diverged ? " (diverged)" : ""}`, ...lines];
}

/** What the harness itself decided here, and what the policy was reminded of. */
function harness({ decisions = [], steps }: Episode, t: number, columns: number): string[] {
  const told = steps[t]?.instructions ?? [];
  return [
    ...decisionsAt(decisions, t, steps.length).flatMap(({ part, by, reason, chosen }) => {
      const kept = chosen === undefined || chosen.length === 0 ? "" : ` Kept: ${chosen.join(", ")}.`;
      return block("Harness", `${PART_NAMES[part]} (${by}): ${reason.replace(/\.$/, "")}.${kept}`, columns);
    }),
    ...told.flatMap(({ skillId, text }) => block("Reminded", `${text}  (${skillId})`, columns)),
  ];
}

/** A program stands below its type, in lines of its own. */
function actionLines(label: string, { type, arg }: Action, isProgram: boolean): string[] {
  if (!isProgram) return [row(label, actionInLine({ type, arg }, isProgram))];
  return [row(label, type), ...programLines(arg).map((line) => row("", line))];
}

function verdictLines(verdict: Verdict, columns: number): string[] {
  return [
    ...block("Verdict", verdictWords(verdict), columns, 2),
    ...testRows(verdict).flatMap(([label, text]) => block(label, text, columns)),
  ];
}

function proposals(episode: Episode, step: Step, columns: number): string[] {
  const result = revisionAt(episode, step);
  const isProgram = answersArePrograms(episode);
  return step.proposals.flatMap(({ thought, action, lenient, completion, verdicts = [] }, i) => {
    const label = i === 0 ? "Proposed" : "Then proposed";
    const proposed = [
      ...block("Thought", thought, columns),
      ...actionLines(label, action, isProgram),
      ...verdicts.flatMap((verdict) => verdictLines(verdict, columns)),
      ...(i === 0 && result !== undefined ? [row("", `held back once: ${result}`)] : []),
    ];
    if (lenient === undefined) return proposed;
    return [
      ...proposed,
      row("", "read leniently: the form is not the prompt's"),
      ...block("Reply", completion?.text ?? "", columns),
    ];
  });
}

function contextLines(contexts: readonly StepContext[], t: number, columns: number): string[] {
  const now = contexts[t];
  if (now === undefined) return [];
  const before = contexts[t - 1];
  const changed = before === undefined ? [] : changedKeys(before, now);
  const counts = `searches ${now.searchCount}, reads ${now.readCount}, empty results ${now.emptyResults ? "yes" : "no"}`;
  const changes = changed.length === 0 ? "" : `; changed: ${changed.join(", ")}`;
  return block("Step context", `${counts}${changes}`, columns, 3);
}

/** Episodes that came out of a step, or of the episode at no known step. */
function lineage(from: Pick<Step | Episode, "extra">): string[] {
  const branches = linkedFrom(from, "branch");
  const agents = linkedFrom(from, "sub_agent");
  return [
    ...(branches.length === 0 ? [] : [row("Branches", `abandoned: ${branches.join(", ")}`)]),
    ...(agents.length === 0 ? [] : [row("Sub-agents", agents.join(", "))]),
  ];
}

function header(episode: Episode): string[] {
  const isProgram = answersArePrograms(episode);
  const inLine = (text: string): string => textInLine(text, isProgram);
  const { question, outcome, answer = "none", gold, noVerdict, origin } = episode;
  const accepted = gold === undefined ? "" : `   gold ${gold.map(inLine).join(" | ")}`;
  return [
    ...(isProgram ? programLines(`Q: ${question}`) : [`Q: ${question}`]),
    `${outcome}   answer ${inLine(answer)}${accepted}`,
    ...(noVerdict === undefined ? [] : [`not judged: ${noVerdict}`]),
    ...(origin === undefined ? [] : [originWords(origin, origin.episode, outcome)]),
    ...lineage(episode),
    "",
  ];
}

/** One step as lines of text: what was proposed and executed, what each PF did, and what came back. */
export function renderStep(
  episode: Episode,
  t: number,
  contexts: readonly StepContext[],
  judged: JudgedStep | undefined,
  columns = COLUMNS,
): string[] {
  const step = episode.steps[t];
  if (step === undefined) return [];
  const of = `Step ${t + 1} of ${episode.steps.length}`;
  return [...header(episode), of, ...renderStepBody(episode, step, contexts, judged, columns)];
}

function executedWords(episode: Episode, { executed, notRun }: Step): string {
  const action = actionInLine(executed, answersArePrograms(episode));
  return notRun === undefined ? action : `${action}  (did not run: ${stopReasonWords(notRun)})`;
}

/** The same without what it is a step of. */
export function renderStepBody(
  episode: Episode,
  step: Step,
  contexts: readonly StepContext[],
  judged: JudgedStep | undefined,
  columns = COLUMNS,
): string[] {
  const { t } = step;
  const last = step.proposals.at(-1)?.action;
  const changed = last !== undefined && !sameAction(last, step.executed);
  return [
    ...(step.prompts ?? []).flatMap((said) => block("Person said", said, columns)),
    ...harness(episode, t, columns),
    ...proposals(episode, step, columns),
    row(changed ? "Executed ▲" : "Executed", executedWords(episode, step)),
    ...recorded(step.events),
    ...today(judged),
    ...step.injected.flatMap(({ skillId, text }) => block("Injected", `${text}  (${skillId})`, columns)),
    ...(step.observation === "" ? [] : block("Observation", step.observation, columns, OBSERVATION_LINES)),
    ...lineage(step),
    ...contextLines(contexts, t, columns),
    "",
  ];
}
