import type ts from "typescript";
import type { Decision, Term } from "./decision.ts";
import type { PfFunction, PfModule } from "./pf-module.ts";

/** The global that the sandbox provides: notes the value and returns it. */
export const PROBE = "__hasp_probe";

/** A function whose decisions can be followed: it answers at once and has a body. */
export type Traceable = PfFunction | ts.FunctionDeclaration;

/** Where a probe that wraps nothing stands, and how it is written there. */
export interface Place {
  readonly start: number;
  readonly end: number;
  before(id: number): string;
  readonly after: string;
}

/** What the readers of one module share: they note what to wrap, and ask for the functions that a decision calls. */
export interface Tracer {
  readonly module: PfModule;
  /** What was read already: many returns share the tests before them. */
  readonly decisions: Map<ts.Node, Decision>;
  /** Text and place in the source, with the types that the JavaScript has lost. */
  placeOf(node: ts.Node): Omit<Term, "id">;
  lineOf(node: ts.Node): number;
  /** Records the value of `node` in function `fn`. A second call for the same node gives the same term. */
  wrap(node: ts.Expression, fn: number, role?: "return" | "value"): Term;
  /** Puts a probe of its own before `start`, and `after` behind `end`, outside of what wraps the text between them. */
  mark(place: Place, node: ts.Node, fn: number, role: "enter" | "exit" | "return"): number;
  /** The index of the function of this file that a call reaches, when that is certain and it can be traced. */
  calleeOf(node: ts.CallExpression): number | undefined;
}
