import type { Intervention, TeacherCall } from "../../model/intervention.ts";
import type { Json } from "../../model/step-context.ts";
import type { PfQuestion, PfState, PfVerdict } from "../pf-host.ts";
import type { GuestVerdict, JudgeRequest } from "../wire.ts";
import { memoryText } from "./data.ts";
import { WrongAnswer, describe, isOutOfMemory } from "./fault.ts";
import { readIntervention } from "./intervention.ts";
import { type Instance, type LoadedProgram, method } from "./programs.ts";
import type { TeacherDesk } from "./teacher.ts";

/** A verdict without what every verdict has. */
type Outcome = PfVerdict extends infer V
  ? V extends PfVerdict
    ? Omit<V, "skillId" | "state">
    : never
  : never;

/** One PF on one step. `finish` hears the verdict once: at once, or later if `intervene` is async. */
export interface Run {
  readonly program: LoadedProgram;
  readonly question: PfQuestion;
  readonly state: PfState;
  readonly rules: Pick<JudgeRequest, "modifyCap" | "mode">;
  /** Present when the PF needs a teacher and there is one. */
  readonly desk: TeacherDesk | undefined;
  readonly finish: (verdict: GuestVerdict) => void;
  /** Called instead of `finish` when the sandbox can no longer be relied on. */
  readonly breakdown: (thrown: unknown) => void;
  /** What shouldActivate said. */
  activated?: boolean;
}

function answeredCalls(run: Run): { teacherCalls?: TeacherCall[] } {
  const calls = run.desk?.answered ?? [];
  return calls.length > 0 ? { teacherCalls: calls } : {};
}

function end(run: Run, state: PfState, outcome: Outcome): void {
  const seen = run.rules.mode === "mock" && run.activated !== undefined ? { activated: run.activated } : {};
  run.finish({ skillId: run.program.skillId, state, ...seen, ...outcome });
}

/** An error leaves the PF as it was before the step. */
export function fail(run: Run, thrown: unknown): void {
  if (isOutOfMemory(thrown)) return run.breakdown(thrown);
  end(run, run.state, { kind: "error", ...describe(thrown, run.program.skillId), ...answeredCalls(run) });
}

function stateAfter(run: Run, memory: Json, fired: number, modified: number): PfState {
  const kept = JSON.parse(memoryText(memory)) as Json;
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

function attempt(run: Run, action: () => void): void {
  try {
    action();
  } catch (thrown) {
    fail(run, thrown);
  }
}

/** Waits for a native promise only: the `then` of anything else would be code of the PF's own. */
function settleLater(run: Run, memory: Json, promise: Promise<unknown>): void {
  void Promise.prototype.then.call(
    promise,
    (answer) => attempt(run, () => settle(run, memory, answer)),
    (thrown) => fail(run, thrown),
  );
}

function activate(run: Run, pf: Instance, ctx: object): boolean {
  const { type, arg } = run.question.proposed;
  const activated = method(pf, "shouldActivate")(ctx, type, arg);
  if (typeof activated === "boolean") return activated;
  const got = activated instanceof Promise ? "a Promise (it must not be async)" : typeof activated;
  throw new WrongAnswer(`shouldActivate must return true or false, not ${got}.`);
}

function intervene(run: Run, pf: Instance, ctx: object, memory: Json): void {
  const { type, arg } = run.question.proposed;
  const answer = method(pf, "intervene")(ctx, type, arg, run.desk?.teacher);
  if (answer instanceof Promise) settleLater(run, memory, answer);
  else settle(run, memory, answer);
}

function judge(run: Run): void {
  const memory = JSON.parse(JSON.stringify(run.state.memory)) as Json;
  const ctx = Object.freeze({ ...run.question.context, memory });
  const pf = run.program.create();
  run.activated = activate(run, pf, ctx);
  if (run.rules.mode === "mock") return intervene(run, pf, ctx, memory);
  if (!run.activated) return end(run, stateAfter(run, memory, 0, 0), { kind: "skipped" });
  const { maxFires } = run.program.traits;
  if (maxFires !== undefined && run.state.fires >= maxFires) {
    const state = stateAfter(run, memory, 0, 0);
    return end(run, state, { kind: "limited", limit: "maxFires", allowed: maxFires });
  }
  intervene(run, pf, ctx, memory);
}

/** Lets one PF judge one proposal (SPEC §1: limits count per episode, a cap of the PF's own replaces the common one). */
export function start(run: Run): void {
  attempt(run, () => judge(run));
}
