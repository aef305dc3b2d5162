import type { Intervention, TeacherCall } from "../../model/intervention.ts";
import type { Json } from "../../model/step-context.ts";
import type { PfCall, PfState, PfVerdict } from "../pf-host.ts";
import { UNMOVED, type JudgeRequest, type SentVerdict } from "../wire.ts";
import { keptMemory, memoryCopy } from "./data.ts";
import { WrongAnswer, describe, isOutOfMemory } from "./fault.ts";
import { readIntervention } from "./intervention.ts";
import { type Instance, type LoadedProgram, call } from "./programs.ts";
import type { TeacherDesk } from "./teacher.ts";

/** A verdict without what every verdict has. */
type Outcome = PfVerdict extends infer V
  ? V extends PfVerdict
    ? Omit<V, "skillId" | "state">
    : never
  : never;

/** Where a PF's verdicts go. */
export interface Bench {
  /** Hears each verdict once: at once, or later if `intervene` is async. */
  finish(run: Run, verdict: SentVerdict): void;
  /** Called instead of `finish` when the sandbox can no longer be relied on. */
  breakdown(run: Run, thrown: unknown): void;
}

/** One PF on one step. */
export interface Run {
  readonly program: LoadedProgram;
  readonly question: PfCall;
  readonly state: PfState;
  readonly rules: Pick<JudgeRequest, "modifyCap" | "mode">;
  /** Present when the PF needs a teacher and there is one. */
  readonly desk: TeacherDesk | undefined;
  /** The record has no reply to what the PF asks: it runs once more, without a teacher. */
  readonly noReply: boolean;
  readonly bench: Bench;
  /** What shouldActivate said. */
  activated: boolean | undefined;
}

function answeredCalls(run: Run): { teacherCalls?: TeacherCall[] } {
  const calls = run.desk?.answered ?? [];
  return calls.length > 0 ? { teacherCalls: calls } : {};
}

function end(run: Run, state: PfState, outcome: Outcome): void {
  const { skillId } = run.program;
  const activated = run.rules.mode === "mock" ? run.activated : undefined;
  run.bench.finish(run, {
    skillId,
    state,
    ...(activated !== undefined && { activated }),
    ...(run.noReply && { noReply: true }),
    ...outcome,
  });
}

/** An error leaves the PF as it was before the step. */
export function fail(run: Run, thrown: unknown): void {
  if (isOutOfMemory(thrown)) return run.bench.breakdown(run, thrown);
  end(run, run.state, { kind: "error", ...describe(thrown, run.program.skillId), ...answeredCalls(run) });
}

function stateAfter(run: Run, memory: Json, fired: number, modified: number): PfState {
  const kept = keptMemory(run.state.memory, memory);
  if (kept === run.state.memory && fired === 0) return run.state;
  return { memory: kept, fires: run.state.fires + fired, modifies: run.state.modifies + modified };
}

/** The type the PF turns the action to, where this episode has no such action. */
function missingType(run: Run, intervention: Intervention): string | undefined {
  const { proposed, actionTypes } = run.question;
  const type = intervention.type === "MODIFY_ACTION" ? intervention.newActionType : undefined;
  if (type === undefined || type === proposed.type) return undefined;
  return actionTypes.includes(type) ? undefined : type;
}

function settle(run: Run, memory: Json, answer: unknown): void {
  if (run.desk?.mistake !== undefined) throw run.desk.mistake;
  const intervention = readIntervention(answer);
  if (run.question.pass === "post" && intervention.type === "MODIFY_ACTION")
    throw new WrongAnswer(
      `The ${run.question.proposed.type} has run already (\`after\`), so intervene cannot change it: it must return injectContext or noop.`,
    );
  const missing = missingType(run, intervention);
  if (missing !== undefined)
    return end(run, run.state, { kind: "unavailable", actionType: missing, ...answeredCalls(run) });
  const modifies = intervention.type === "MODIFY_ACTION" ? 1 : 0;
  const cap = run.program.traits.maxFires ?? run.rules.modifyCap;
  if (modifies === 1 && run.state.modifies >= cap) {
    const state = stateAfter(run, memory, 0, 0);
    return end(run, state, { kind: "limited", limit: "maxModifies", allowed: cap, ...answeredCalls(run) });
  }
  const teacherCalls = run.desk?.answered ?? [];
  end(run, stateAfter(run, memory, 1, modifies), { kind: "fired", intervention, teacherCalls });
}

/** Waits for a native promise only: the `then` of anything else would be code of the PF's own. */
function settleLater(run: Run, memory: Json, promise: Promise<unknown>): void {
  void Promise.prototype.then.call(
    promise,
    (answer) => {
      try {
        settle(run, memory, answer);
      } catch (thrown) {
        fail(run, thrown);
      }
    },
    (thrown) => fail(run, thrown),
  );
}

function activate(run: Run, pf: Instance, ctx: object): boolean {
  const { type, arg } = run.question.proposed;
  const activated = call(pf, "shouldActivate", [ctx, type, arg]);
  if (typeof activated === "boolean") return activated;
  const got = activated instanceof Promise ? "a Promise (it must not be async)" : typeof activated;
  throw new WrongAnswer(`shouldActivate must return true or false, not ${got}.`);
}

function intervene(run: Run, pf: Instance, ctx: object, memory: Json): void {
  const { type, arg } = run.question.proposed;
  const answer = call(pf, "intervene", [ctx, type, arg, run.desk?.teacher]);
  if (answer instanceof Promise) settleLater(run, memory, answer);
  else settle(run, memory, answer);
}

/** By far the most frequent end. */
function skip(run: Run, state: PfState): void {
  if (state === run.state) run.bench.finish(run, UNMOVED);
  else end(run, state, { kind: "skipped" });
}

function judge(run: Run): void {
  const memory = memoryCopy(run.state.memory);
  const ctx = Object.freeze({ ...run.question.context, memory });
  const pf = run.program.create();
  run.activated = activate(run, pf, ctx);
  if (run.rules.mode === "mock") return intervene(run, pf, ctx, memory);
  if (!run.activated) return skip(run, stateAfter(run, memory, 0, 0));
  const { maxFires } = run.program.traits;
  if (maxFires !== undefined && run.state.fires >= maxFires) {
    const state = stateAfter(run, memory, 0, 0);
    return end(run, state, { kind: "limited", limit: "maxFires", allowed: maxFires });
  }
  intervene(run, pf, ctx, memory);
}

/** Lets one PF judge one proposal (SPEC §1: limits count per episode, a cap of the PF's own replaces the common one). */
export function start(run: Run): void {
  try {
    judge(run);
  } catch (thrown) {
    fail(run, thrown);
  }
}
