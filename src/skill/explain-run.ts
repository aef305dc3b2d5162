import type { Explanation, ProbedRun } from "../model/explanation.ts";
import type { Decision, FunctionShape, Guard, Instrumented, ReturnShape, Term } from "./decision.ts";
import { expressionsOf, otherOperands, yesInSpite, type Reason, type SeenTerm } from "./explained-code.ts";
import { readFrames, type Frame } from "./probe-frames.ts";
import { comparisonText, isBoolean, isTruthy, leafText } from "./reason-text.ts";

/** What reading one call needs: the values it saw and the shapes of all functions. */
interface Scene {
  readonly frame: Frame;
  readonly functions: readonly FunctionShape[];
  /** Helpers entered so far, so that a recursion ends. */
  readonly depth: number;
}

const DEEPEST_HELPER = 5;
/** Reasons in a sentence; a person reads no more at a glance. */
const MOST_REASONS = 5;

/**
 * Says why `shouldActivate` answered as it did (DESIGN.md, "Why a PF did or did not fire"): the operand that decided, its
 * values and its line, inside helper functions too. `run` is what the sandbox saw of `instrumented` on one context.
 */
export function explainRun(
  instrumented: Instrumented,
  run: ProbedRun,
  info: { skillId: string; file: string },
): Explanation {
  const frame = readFrames(instrumented.spans, run.probes);
  const activated = run.activated === true;
  const base = { skillId: info.skillId, file: info.file, activated };
  if (run.error !== undefined)
    return { ...base, ...NOTHING_SEEN, sentence: `shouldActivate failed: ${run.error}` };
  if (frame === undefined)
    return {
      ...base,
      ...NOTHING_SEEN,
      sentence: `shouldActivate answered ${activated}, and nothing of how was recorded`,
    };
  const scene = { frame, functions: instrumented.functions, depth: 0 };
  const shape = returnOf(scene);
  // What decided was tested last, and comes first.
  const reasons = unique(shape === undefined ? [] : returnReasons(scene, shape, activated).toReversed());
  const [deciding] = reasons;
  if (deciding === undefined) return { ...base, ...NOTHING_SEEN, sentence: withoutReason(shape, activated) };
  const { source } = instrumented;
  const isSettled = !activated || deciding.holds === true || shape?.decision === undefined;
  const expressions = isSettled
    ? expressionsOf(reasons, source)
    : yesInSpite(shape.decision, reasons, source);
  return {
    ...base,
    deciding: { expression: deciding.term.text, value: deciding.value, line: deciding.term.line },
    expressions,
    operands: otherOperands(reasons, expressions),
    sentence: sentence(reasons),
  };
}

const NOTHING_SEEN = { expressions: [], operands: [] };

function withoutReason(shape: ReturnShape | undefined, activated: boolean): string {
  if (shape === undefined) return "shouldActivate came to its end without an answer";
  return `shouldActivate returned ${activated} on line ${shape.line}, whatever the context`;
}

function sentence(reasons: readonly Reason[]): string {
  const shown = reasons.slice(0, MOST_REASONS).map((r) => r.text);
  const rest = reasons.length - shown.length;
  return shown.join(" and ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** The same test may stand around a return and before it. */
function unique(reasons: readonly Reason[]): Reason[] {
  const seen = new Set<string>();
  return reasons.filter(({ text, term }) => {
    const key = `${term.line} ${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The return that ended the call. */
function returnOf({ frame, functions }: Scene): ReturnShape | undefined {
  return functions[frame.fn]?.returns.find(({ id }) => id === frame.returned);
}

function frameReasons(scene: Scene, truth: boolean): Reason[] {
  const shape = returnOf(scene);
  return shape === undefined ? [] : returnReasons(scene, shape, truth);
}

/**
 * A guard that would have given the same answer is no reason: it is like the other side of an `||` (or of an `&&`). A test
 * around the return is a reason where the answer needed it: always for yes, and for no when the return itself is constant.
 */
function returnReasons(scene: Scene, shape: ReturnShape, truth: boolean): Reason[] {
  const { decision } = shape;
  const own =
    decision === undefined || decision.kind === "constant" ? [] : decisionReasons(scene, decision, truth);
  const passed = shape.guards.filter(
    (g) => g.outcome !== truth && (truth || g.outcome === true || own.length === 0),
  );
  const around = truth ? shape.enclosing : own.length === 0 ? shape.enclosing.slice(-1) : [];
  // Guards that answer yes count as reasons for a constant no only when nothing stands around it.
  const guards = !truth && around.length > 0 ? [] : passed.flatMap((g) => guardReasons(scene, g));
  return [...guards, ...around.flatMap((test) => testReasons(scene, test)), ...own];
}

function guardReasons(scene: Scene, guard: Guard): Reason[] {
  const { test, line } = guard;
  if (test === undefined) return [loopReason(line)];
  const value = valueOf(scene, test);
  if (value === undefined) return [];
  const inner = (isTruthy(value) ? guard.yes : guard.no).flatMap((g) => guardReasons(scene, g));
  return [...testReasons(scene, test), ...inner];
}

/** It has no expression of its own: what it saw is gone. */
function loopReason(line: number): Reason {
  const term = { text: `the loop on line ${line}`, line, start: 0, end: 0, id: undefined };
  return {
    text: `${term.text} ran to its end`,
    term,
    value: "",
    shown: undefined,
    holds: undefined,
    seen: [],
  };
}

/** A test explains itself by the value it had. */
function testReasons(scene: Scene, test: Decision): Reason[] {
  const value = valueOf(scene, test);
  return value === undefined ? [] : decisionReasons(scene, test, isTruthy(value));
}

function valueOf(scene: Scene, term: Term): string | undefined {
  return term.id === undefined ? undefined : scene.frame.values.get(term.id);
}

function decisionReasons(scene: Scene, decision: Decision, truth: boolean): Reason[] {
  switch (decision.kind) {
    case "constant":
      return [];
    case "not":
      // The code shows the `!` with its operand.
      return decisionReasons(scene, decision.operand, !truth).map((reason) =>
        reason.shown === decision.operand ? { ...reason, shown: decision, holds: truth } : reason,
      );
    case "and":
    case "or":
      return logicalReasons(scene, decision, truth);
    case "nullish":
      return nullishReasons(scene, decision, truth);
    case "choice":
      return choiceReasons(scene, decision, truth);
    case "compare":
      return comparisonReasons(scene, decision);
    case "call":
      return callReasons(scene, decision, truth);
    case "name": {
      const inside = isBoolean(valueOf(scene, decision))
        ? decisionReasons(scene, decision.origin, truth)
        : [];
      return inside.length > 0 ? inside : leafReasons(scene, decision, []);
    }
    case "subject":
      return leafReasons(scene, decision, []).map((reason) => ({ ...reason, holds: undefined }));
    default:
      return leafReasons(scene, decision, decision.parts);
  }
}

type Of<K extends Decision["kind"]> = Extract<Decision, { kind: K }>;

/** `a && b` is true by both and false by one; `a || b` the other way round. */
function logicalReasons(scene: Scene, decision: Of<"and"> | Of<"or">, truth: boolean): Reason[] {
  const { left, right } = decision;
  const needsBoth = truth === (decision.kind === "and");
  if (needsBoth) return [...decisionReasons(scene, left, truth), ...decisionReasons(scene, right, truth)];
  const leftValue = valueOf(scene, left);
  const isLeft = leftValue !== undefined && isTruthy(leftValue) === truth;
  return decisionReasons(scene, isLeft ? left : right, truth);
}

function nullishReasons(scene: Scene, decision: Of<"nullish">, truth: boolean): Reason[] {
  const left = valueOf(scene, decision.left);
  if (left !== undefined && left !== "undefined" && left !== "null")
    return decisionReasons(scene, decision.left, truth);
  const right = decisionReasons(scene, decision.right, truth);
  return right.length > 0 ? right : leafReasons(scene, decision.left, []);
}

function choiceReasons(scene: Scene, decision: Of<"choice">, truth: boolean): Reason[] {
  const test = valueOf(scene, decision.test);
  if (test === undefined) return [];
  const branch = decisionReasons(scene, isTruthy(test) ? decision.yes : decision.no, truth);
  // For a no, the branch that said no is enough, unless it is a constant.
  return truth || branch.length === 0 ? [...testReasons(scene, decision.test), ...branch] : branch;
}

function callReasons(scene: Scene, decision: Of<"call">, truth: boolean): Reason[] {
  const call = decision.id === undefined ? undefined : scene.frame.calls.get(decision.id);
  const canEnter =
    call?.fn === decision.fn && scene.depth < DEEPEST_HELPER && isBoolean(valueOf(scene, decision));
  const inside =
    call !== undefined && canEnter
      ? frameReasons({ ...scene, frame: call, depth: scene.depth + 1 }, truth)
      : [];
  if (inside.length === 0) return leafReasons(scene, decision, decision.parts);
  const name = scene.functions[decision.fn]?.name ?? "";
  const parts = seenOf(scene, [decision, ...decision.parts]);
  return inside.map((reason, i) => ({
    ...reason,
    text: i === inside.length - 1 && !reason.text.endsWith(")") ? `${reason.text} (in ${name})` : reason.text,
    seen: i === inside.length - 1 ? [...reason.seen, ...parts] : reason.seen,
  }));
}

function comparisonReasons(scene: Scene, decision: Of<"compare">): Reason[] {
  const value = valueOf(scene, decision);
  if (value === undefined) return [];
  const { left, right, operator } = decision;
  const holds = isTruthy(value);
  const text = comparisonText({
    operator,
    holds,
    left: sideOf(scene, left),
    right: sideOf(scene, right),
  });
  return [{ text, term: decision, value, shown: decision, holds, seen: seenOf(scene, [left, right]) }];
}

function sideOf(scene: Scene, term: Term): { text: string; value: string | undefined } {
  return { text: term.text, value: valueOf(scene, term) };
}

function leafReasons(scene: Scene, term: Term, parts: readonly Term[]): Reason[] {
  const value = valueOf(scene, term);
  if (value === undefined) return [];
  const seen = seenOf(scene, [...parts, term]);
  return [{ text: leafText(term.text, value), term, value, shown: term, holds: isTruthy(value), seen }];
}

function seenOf(scene: Scene, terms: readonly Term[]): SeenTerm[] {
  return terms.flatMap((term) => {
    const value = valueOf(scene, term);
    return value === undefined ? [] : [{ term, value }];
  });
}
