/**
 * The static shape of the decisions in a PF: what `instrument` found in the source and `explainRun` reads a run with.
 * Plain data, so that it can cross to a worker and back.
 */

/** A place in the source whose value a probe records. `id` counts from 0 within one instrumented module. */
export interface ProbeSpan {
  readonly id: number;
  /** Source text on one line. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Index of the function it belongs to. */
  readonly fn: number;
  readonly role: "enter" | "exit" | "return" | "value";
}

/** An expression: its text and place, and the probe that records it; a literal has no probe and is its own value. */
export interface Term {
  /** Source text on one line. */
  readonly text: string;
  readonly line: number;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  readonly id: number | undefined;
}

/** What settles whether an expression is true. */
export type Decision = Term &
  (
    | { readonly kind: "constant"; readonly value: boolean }
    /** What a `switch` looks at: its value counts, not its truth. */
    | { readonly kind: "subject" }
    /** `parts` are the values inside that a person would like to see, such as arguments. */
    | { readonly kind: "leaf"; readonly parts: readonly Term[] }
    | { readonly kind: "not"; readonly operand: Decision }
    | { readonly kind: "and"; readonly left: Decision; readonly right: Decision }
    | { readonly kind: "or"; readonly left: Decision; readonly right: Decision }
    | { readonly kind: "nullish"; readonly left: Decision; readonly right: Decision }
    | { readonly kind: "choice"; readonly test: Decision; readonly yes: Decision; readonly no: Decision }
    | { readonly kind: "compare"; readonly operator: string; readonly left: Term; readonly right: Term }
    /** A call of function `fn` of the same file. */
    | { readonly kind: "call"; readonly fn: number; readonly parts: readonly Term[] }
    /** A local constant, and how it got its value. */
    | { readonly kind: "name"; readonly origin: Decision }
  );

/** A statement before a return that might have returned earlier and did not. */
export interface Guard {
  /** What its returns all answer; undefined when they differ or are computed. */
  readonly outcome: boolean | undefined;
  readonly line: number;
  /** Undefined for a loop, whose passes were many. */
  readonly test: Decision | undefined;
  /** Guards inside the branch that was taken. */
  readonly yes: readonly Guard[];
  readonly no: readonly Guard[];
}

export interface ReturnShape {
  /** The probe that records the returned value. */
  readonly id: number;
  readonly line: number;
  /** Undefined for a bare `return`. */
  readonly decision: Decision | undefined;
  /** Tests of the `if`s and `switch`es around it, outermost first. */
  readonly enclosing: readonly Decision[];
  /** In source order. */
  readonly guards: readonly Guard[];
}

export interface FunctionShape {
  readonly name: string;
  readonly line: number;
  readonly returns: readonly ReturnShape[];
}

/** A PF that tells how it decides: the sandbox runs `code`, and its probes are read with the rest. */
export interface Instrumented {
  /** JavaScript on the lines of the source; calls the global `__hasp_probe(id, value)`, which returns `value`. */
  readonly code: string;
  /** The PF as it was written. */
  readonly source: string;
  /** By id. */
  readonly spans: readonly ProbeSpan[];
  /** The first is shouldActivate. */
  readonly functions: readonly FunctionShape[];
}
