/** An operand of a decision: its source text, the value it had, and where it stands (1-based line of `pf.ts`). */
export interface Operand {
  readonly expression: string;
  /** As it is written in code, such as `undefined` or `"FINAL"`; long texts and lists are cut and end in `…`. */
  readonly value: string;
  readonly line: number;
}

/** The value of an operand, and its place in the text of an expression: characters from `start` up to `end`. */
export interface InlineValue {
  readonly start: number;
  readonly end: number;
  /** As of an operand. */
  readonly value: string;
}

/** An expression that helped to settle an answer, as code: its source on one line, with the values of its operands. */
export interface Expression {
  readonly text: string;
  readonly line: number;
  /** Whether it was true; absent where truth decides nothing, as of the value that a `switch` looks at. */
  readonly holds?: boolean;
  /** In the order in which the operands end. Literals have none. */
  readonly values: readonly InlineValue[];
}

/**
 * Why a PF's `shouldActivate` answered as it did, read off an instrumented run of the code itself (DESIGN.md).
 * `deciding` is the operand that settled the answer. `expressions` are all that helped, as code, the latest tested first; where the answer
 * is yes, the first one was true.
 */
export interface Explanation {
  readonly skillId: string;
  readonly activated: boolean;
  readonly deciding?: Operand;
  readonly expressions: readonly Expression[];
  /** Values that were used and are in no expression, such as arguments of a helper; each once. */
  readonly operands: readonly Operand[];
  /** One line for people, e.g. `actionType is "FINAL", not "SEARCH"`. */
  readonly sentence: string;
  /** Path of the PF. */
  readonly file: string;
  /** `post`: it was asked about the action that had run. */
  readonly pass?: "post";
}

/** A value seen at a source span while an instrumented PF ran, in order (skill/instrument.ts numbers the spans). */
export interface Probe {
  readonly id: number;
  /** As of an operand. */
  readonly value: string;
}

/** What the sandbox saw when an instrumented PF judged one context. */
export interface ProbedRun {
  /** Undefined when shouldActivate threw. */
  readonly activated: boolean | undefined;
  readonly probes: readonly Probe[];
  /** Set when shouldActivate threw. */
  readonly error?: string;
}
