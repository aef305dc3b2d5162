import { readJson } from "../model/read-json.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Action } from "../model/action.ts";
import type { Decision } from "../model/decision.ts";
import { EPISODE_SCHEMA, type Episode, type Step } from "../model/episode.ts";
import type { PartialEpisode, StepPhase } from "../model/live-episode.ts";
import { firstIssue } from "./episode-head.ts";
import { lineDiagnostic } from "./line-diagnostics.ts";
import { liveEventSchema, type Finished, type LiveEvent, type Started } from "./live-events.ts";

/** `stopReason` of an episode whose run was killed. */
export const INTERRUPTED = "interrupted";

interface OpenStep extends Omit<Step, "executed"> {
  executed?: Step["executed"];
}

interface Folding {
  started: Started | undefined;
  finished: Finished | undefined;
  readonly steps: OpenStep[];
  readonly decisions: Decision[];
  phase: StepPhase;
}

function begin(started?: Started): Folding {
  return { started, finished: undefined, steps: [], decisions: [], phase: undefined };
}

/** A live file that is folded while it grows. */
export interface LiveFolding {
  /** Takes a complete line, blank ones included. Says what is wrong with it, or nothing; one that does not fit changes nothing. */
  add(text: string): string | undefined;
  /** Undefined until `started` was read. */
  partial(): PartialEpisode | undefined;
}

export function liveFolding(): LiveFolding {
  const folding = begin();
  return {
    add: (text) => (text.trim() === "" ? undefined : foldLine(folding, text)),
    partial: () => (folding.started === undefined ? undefined : partialOf(folding.started, folding)),
  };
}

/**
 * The episode that the lines of a live file tell. Without `finished` it was interrupted, and its outcome is `halted`. A
 * step that was proposed and never executed stays, and says why it did not run. A line that cannot
 * be read or does not fit is dropped with a diagnostic; without a readable `started` there is no episode.
 */
export function foldLive(lines: readonly string[], file: string): Checked<Episode> {
  const diagnostics: Diagnostic[] = [];
  const folding = begin();
  lines.forEach((text, line) => {
    if (text.trim() === "") return;
    const problem = foldLine(folding, text);
    if (problem !== undefined) diagnostics.push(dropped(file, line, line === lines.length - 1, problem));
  });
  if (folding.started === undefined)
    return { value: undefined, diagnostics: [...diagnostics, unusable(file)] };
  return { value: episodeOf(folding.started, folding), diagnostics };
}

/** The episode of events that are known to be sound. */
export function foldEvents(started: Started, events: readonly LiveEvent[]): Episode {
  const folding = begin(started);
  for (const event of events) {
    const problem = apply(folding, event);
    if (problem !== undefined) throw new Error(`Live event "${event.event}": ${problem}`);
  }
  return episodeOf(started, folding);
}

/** Says what is wrong with the line, or nothing. */
function foldLine(folding: Folding, text: string): string | undefined {
  const { value, problem } = readJson(text);
  if (problem !== undefined) return problem.kind === "syntax" ? "it is not complete JSON" : problem.why;
  const parsed = liveEventSchema.safeParse(value);
  return parsed.success ? apply(folding, parsed.data) : firstIssue(parsed.error);
}

function apply(folding: Folding, event: LiveEvent): string | undefined {
  if (event.event === "started") {
    if (folding.started !== undefined) return "the episode has started already";
    folding.started = event;
    return undefined;
  }
  if (folding.finished !== undefined) return "the episode has finished already";
  if (event.event === "finished") {
    folding.finished = event;
    return undefined;
  }
  if (event.event === "decided") {
    folding.decisions.push(event.decision);
    return undefined;
  }
  const problem = applyToStep(folding.steps, event);
  if (problem === undefined && !isPost(event)) folding.phase = phaseAfter(event.event);
  return problem;
}

function phaseAfter(event: StepEvent["event"]): StepPhase {
  return event === "observed" || event === "withheld" ? undefined : event;
}

/** PFs have looked at what an action brought. */
function isPost(event: StepEvent): boolean {
  return (
    event.event === "judged" && event.events.length > 0 && event.events.every(({ pass }) => pass === "post")
  );
}

type StepEvent = Exclude<LiveEvent, { event: "started" | "finished" | "decided" }>;

function applyToStep(steps: OpenStep[], event: StepEvent): string | undefined {
  const last = steps.at(-1);
  if (
    event.event === "proposed" &&
    event.t === steps.length &&
    (last === undefined || last.executed !== undefined)
  ) {
    const { t, proposal, instructions, prompts, unanswered } = event;
    const told = instructions === undefined ? {} : { instructions };
    const heard = prompts === undefined ? {} : { prompts };
    const open = unanswered === undefined ? {} : { unanswered };
    steps.push({
      t,
      ...told,
      ...heard,
      ...open,
      proposals: [proposal],
      events: [],
      injected: [],
      observation: "",
    });
    return undefined;
  }
  const isLater = event.event === "observed" || isPost(event);
  const step = isLater ? steps[event.t] : last;
  if (step === undefined || step.t !== event.t) return `step ${event.t + 1} is not the one under way`;
  const executed = step.executed !== undefined;
  const isForNothing = event.event === "judged" && step.notRun !== undefined;
  if (executed !== isLater || isForNothing) return `"${event.event}" comes at the wrong place in its step`;
  extendStep(step, event);
  return undefined;
}

function extendStep(step: OpenStep, event: StepEvent): void {
  if (event.event === "proposed") {
    step.proposals.push(event.proposal);
    if (event.instructions !== undefined)
      step.instructions = [...(step.instructions ?? []), ...event.instructions];
  } else if (event.event === "executed") step.executed = event.action;
  else if (event.event === "withheld") {
    step.executed = event.action;
    step.notRun = event.why;
  } else if (event.event === "observed") {
    step.observation = event.observation;
    if (event.documents !== undefined) step.documents = event.documents;
    if (event.calls !== undefined) step.calls = event.calls;
    if (event.result !== undefined) step.result = event.result;
    if (event.extra !== undefined) step.extra = { ...step.extra, ...event.extra };
  } else {
    step.events.push(...event.events);
    step.injected.push(...event.injected);
    if (event.dispatchMs !== undefined) step.dispatchMs = (step.dispatchMs ?? 0) + event.dispatchMs;
  }
}

/** The action that would have run: that of the Program Function whose change won the step, else what was proposed last. */
function wanted({ proposals, events }: OpenStep): Action | undefined {
  const last = proposals.length - 1;
  const proposed = proposals[last]?.action;
  const won = events.findLast(
    ({ proposal, status, intervention }) =>
      proposal === last && status === "applied" && intervention?.type === "MODIFY_ACTION",
  )?.intervention;
  if (proposed === undefined || won?.type !== "MODIFY_ACTION") return proposed;
  return { type: won.newActionType ?? proposed.type, arg: won.newActionArg ?? proposed.arg };
}

/** A step that the end of its episode cut off stays, with the reason. */
function closed(step: OpenStep, stopReason: string): Step[] {
  const { executed = wanted(step), ...rest } = step;
  if (executed === undefined) return [];
  return [step.executed === undefined ? { ...rest, executed, notRun: stopReason } : { ...rest, executed }];
}

/** The step with the verdicts on the answers that it proposed. */
function withDrafts(step: Step, drafts: Finished["drafts"] = []): Step {
  const own = drafts.filter(({ t }) => t === step.t);
  if (own.length === 0) return step;
  const proposals = step.proposals.map((proposal, i) => {
    const verdicts = own.flatMap((draft) => (draft.proposal === i ? draft.verdict : []));
    return verdicts.length === 0 ? proposal : { ...proposal, verdicts };
  });
  return { ...step, proposals };
}

function episodeOf(started: Started, { steps, finished, decisions }: Folding): Episode {
  const { event: _event, schema: _schema, ...given } = started;
  const end: Omit<Finished, "event"> = finished ?? { outcome: "halted", stopReason: INTERRUPTED };
  const all = steps
    .flatMap((step) => closed(step, end.stopReason))
    .map((step) => withDrafts(step, end.drafts));
  const { outcome, stopReason, answer, verdicts, noVerdict, cost, extra } = end;
  return {
    ...given,
    schema: EPISODE_SCHEMA,
    outcome,
    length: all.length,
    ...(decisions.length > 0 && { decisions }),
    steps: all,
    stopReason,
    ...(answer !== undefined && { answer }),
    ...(verdicts !== undefined && { verdicts }),
    ...(noVerdict !== undefined && { noVerdict }),
    ...(cost !== undefined && { cost }),
    ...(extra !== undefined && { extra }),
  };
}

function partialOf(started: Started, folding: Folding): PartialEpisode {
  const whole = episodeOf(started, folding);
  // A FINAL has no observation of its own: an episode that has finished waits for nothing.
  if (folding.finished !== undefined) return { episode: whole, phase: undefined };
  // The step in progress may still run.
  const steps = whole.steps.map((step): Step => {
    if (folding.steps[step.t]?.executed !== undefined) return step;
    const { notRun: _notRun, ...rest } = step;
    return { ...rest, executed: step.proposals.at(-1)?.action ?? step.executed };
  });
  return { episode: { ...whole, steps }, phase: folding.phase };
}

function dropped(file: string, line: number, last: boolean, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP520",
    severity: "warning",
    file,
    line,
    message: `the event is dropped: ${problem}.`,
    next: last
      ? "Nothing to do: the run was killed while it wrote this line, and the episode is kept up to it."
      : "The episode is kept without it; look at its steps before you rely on them.",
  });
}

function unusable(file: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP521",
    file,
    line: 0,
    message: "there is no readable `started` event, so no episode can be made of this file.",
    next: "Delete the file; the question will be run again when the run resumes.",
  });
}
