import type { Relation } from "../expression/chains.ts";
import type { Expression } from "../expression/expression.ts";

/** A number or a function, with what stands beside it. */
export interface ValueShape {
  readonly kind: "value";
  readonly text: string;
  readonly expression: Expression;
  /** As `unitOf` names it. A noun that is not a unit is left out. */
  readonly unit?: string;
}

/** How an answer is built, read from its text. */
export type Shape =
  | ValueShape
  /** `{1, 2}`, `1, 2`, `1 or 2`: the order makes no difference. */
  | {
      readonly kind: "set";
      readonly text: string;
      readonly members: readonly Shape[];
      readonly isBraced: boolean;
      /** The word between its members; none where commas part them all. */
      readonly join?: "and" | "or";
      /** Of intervals and sets with `\cup` between them. */
      readonly isUnion?: true;
    }
  /** A tuple, a vector, or an interval, which is written like a pair. */
  | {
      readonly kind: "tuple";
      readonly text: string;
      readonly open: string;
      readonly close: string;
      readonly members: readonly Shape[];
      /** Of the inequality that the interval is written as. */
      readonly variable?: string;
    }
  | { readonly kind: "matrix"; readonly text: string; readonly rows: readonly (readonly Shape[])[] }
  /** `x = 5`, `m + n = 7`, `f(x) = x^2`: a name and what it is. */
  | { readonly kind: "named"; readonly text: string; readonly name: string; readonly of: Shape }
  /** Any other relation of two sides, such as `2x + y = 1`, `x ≠ 3`. */
  | {
      readonly kind: "relation";
      readonly text: string;
      readonly relation: Relation;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** A chain of which a link does not hold: `2^{10} = 1000`. */
  | { readonly kind: "broken"; readonly text: string }
  /** `(C)`, `C) 15`. */
  | {
      readonly kind: "choice";
      readonly text: string;
      readonly letter: string;
      readonly rest: Shape | undefined;
    }
  /** `3:4`, `3:20`. */
  | { readonly kind: "ratio"; readonly text: string; readonly members: readonly ValueShape[] }
  /** `101_2`. */
  | { readonly kind: "based"; readonly text: string; readonly digits: string; readonly base: string }
  | { readonly kind: "words"; readonly text: string; readonly words: string }
  | { readonly kind: "empty"; readonly text: string }
  | { readonly kind: "unread"; readonly text: string };

export type ShapeOf<Kind extends Shape["kind"]> = Extract<Shape, { readonly kind: Kind }>;
