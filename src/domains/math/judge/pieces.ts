import { degreeOf } from "../expression/degree.ts";
import { exactValue, type Values } from "../expression/evaluate.ts";
import { partsOf, variablesOf, type Expression } from "../expression/expression.ts";
import { keyOf } from "../expression/key.ts";
import { compare, divide, multiply, ONE, rational, subtract, type Rational } from "../expression/rational.ts";
import { pointsBetween, samplePoints } from "./sample-points.ts";

/** Whether two expressions agree at points, of their own where none are given. */
export type Agree = (a: Expression, b: Expression, points?: readonly Values[]) => boolean | undefined;

/** Each doubles the number of comparisons. */
const MAX_SIGNS = 3;
/** Parts of both functions at which they may turn; each is compared with the others. */
const MAX_TURNING = 12;

const number = (value: Rational): Expression => ({ kind: "number", value, text: "" });
const UNIT = number(ONE);

/** The root of an even degree that an expression is, as a power. */
interface EvenRoot {
  readonly of: Expression;
  readonly exponent: Rational;
}

function evenRoot(node: Expression): EvenRoot | undefined {
  if (node.kind === "power") return ifEven(node.left, exactValue(node.right));
  if (node.kind !== "call" || node.name !== "sqrt") return undefined;
  const [of, degree = number(rational(2)!)] = node.args;
  return of && ifEven(of, exactValue({ kind: "divide", left: UNIT, right: degree }));
}

function ifEven(of: Expression, exponent: Rational | undefined): EvenRoot | undefined {
  return exponent !== undefined && exponent.den % 2n === 0n ? { of, exponent } : undefined;
}

/** The factors of a radicand that are even powers. */
function evenPowers(node: Expression): readonly { readonly base: Expression; readonly exponent: bigint }[] {
  if (node.kind === "multiply" || node.kind === "divide")
    return [...evenPowers(node.left), ...evenPowers(node.right)];
  if (node.kind !== "power" || variablesOf(node.left).length === 0) return [];
  const exponent = variablesOf(node.right).length > 0 ? undefined : exactValue(node.right);
  if (exponent === undefined || exponent.den !== 1n || exponent.num % 2n !== 0n) return [];
  return [{ base: node.left, exponent: exponent.num }];
}

/** `|uv|` is `|u||v|`. */
function factorsOf(node: Expression): readonly Expression[] {
  if (node.kind === "multiply" || node.kind === "divide")
    return [...factorsOf(node.left), ...factorsOf(node.right)];
  return variablesOf(node).length > 0 ? [node] : [];
}

/** The parts of two expressions at which the function may turn to another formula. */
class Pieces {
  /** The function changes where one of them changes its sign. */
  readonly turning: Expression[] = [];
  isStepped = false;

  add(node: Expression): void {
    partsOf(node).forEach((part) => this.add(part));
    if (variablesOf(node).length === 0) return;
    if (node.kind === "call" && (node.name === "floor" || node.name === "ceil")) this.isStepped = true;
    if (node.kind === "call" && node.name === "abs") this.turning.push(...factorsOf(node.args[0]!));
    const root = evenRoot(node);
    const powers = root === undefined ? [] : evenPowers(root.of);
    this.turning.push(...powers.flatMap(({ base }) => factorsOf(base)));
  }
}

/** The value of the variable at which a linear expression is zero. */
function rootOf(of: Expression, name: string): Rational | undefined {
  const at = (value: Rational): Rational | undefined => exactValue(of, new Map([[name, value]]));
  const [start, end] = [at(rational(0)!), at(ONE)];
  const slope = start && end && subtract(end, start);
  const shift = slope && divide(start, slope);
  return shift && subtract(rational(0)!, shift);
}

/** Of functions in one variable: whether they agree, between each two turns. Undefined where these are not known. */
function agreeBetween(
  a: Expression,
  b: Expression,
  turning: readonly Expression[],
  agree: Agree,
): readonly (boolean | undefined)[] | undefined {
  const names = [...new Set([...variablesOf(a), ...variablesOf(b)])];
  const [name = "", ...others] = names;
  if (others.length > 0 || !turning.every((one) => degreeOf(one) === 1)) return undefined;
  const roots = turning.map((one) => rootOf(one, name));
  if (!roots.every((root) => root !== undefined)) return undefined;
  const inOrder = roots.toSorted(compare).filter((one, n, all) => n === 0 || compare(one, all[n - 1]!) !== 0);
  return pointsBetween(name, inOrder).map((points) => agree(a, b, points));
}

/** One sign for all expressions that are multiples of each other. */
interface Sign {
  readonly of: Expression;
  readonly value: 1 | -1;
}

/** The number that `b` is a multiple of `a` by, at all points. */
function ratioOf(a: Expression, b: Expression, agree: Agree): Rational | undefined {
  const [at] = samplePoints([...new Set([...variablesOf(a), ...variablesOf(b)])]);
  const [x, y] = [exactValue(a, at), exactValue(b, at)];
  const ratio = x && y && divide(y, x);
  if (ratio === undefined || ratio.num === 0n) return undefined;
  return agree({ kind: "multiply", left: number(ratio), right: a }, b) === true ? ratio : undefined;
}

/** Puts the formula of one piece in place of each part that turns. */
class Rewriting {
  private readonly signs: readonly Sign[];
  private readonly agree: Agree;

  constructor(signs: readonly Sign[], agree: Agree) {
    this.signs = signs;
    this.agree = agree;
  }

  of(node: Expression): Expression {
    if (variablesOf(node).length === 0) return node;
    const root = evenRoot(node);
    if (root !== undefined && evenPowers(root.of).length > 0) return this.root(root);
    if (node.kind === "call") return this.call(node);
    if ("left" in node) return { ...node, left: this.of(node.left), right: this.of(node.right) };
    return "of" in node ? { ...node, of: this.of(node.of) } : node;
  }

  private call(node: Expression & { kind: "call" }): Expression {
    const [first] = node.args;
    if (node.name === "floor" || node.name === "ceil") return { kind: "variable", name: keyOf(node) };
    if (node.name === "abs" && first !== undefined) return this.signed(first);
    return { ...node, args: node.args.map((one) => this.of(one)) };
  }

  /** The root of `u^2 v` has `|u|` outside. */
  private root({ of, exponent }: EvenRoot): Expression {
    const { outside, inside } = this.pulled(of, exponent);
    return {
      kind: "multiply",
      left: outside,
      right: { kind: "power", left: inside, right: number(exponent) },
    };
  }

  /** The absolute value, by the signs of its factors. */
  private signed(of: Expression): Expression {
    if (of.kind === "multiply" || of.kind === "divide")
      return { kind: of.kind, left: this.signed(of.left), right: this.signed(of.right) };
    if (variablesOf(of).length === 0) return { kind: "call", name: "abs", args: [of] };
    const value = this.signOf(of);
    return value === 1 ? this.of(of) : { kind: "negate", of: this.of(of) };
  }

  private signOf(of: Expression): 1 | -1 {
    for (const sign of this.signs) {
      const ratio = ratioOf(sign.of, of, this.agree);
      if (ratio !== undefined) return ratio.num > 0n ? sign.value : sign.value === 1 ? -1 : 1;
    }
    return 1;
  }

  private pulled(
    node: Expression,
    root: Rational,
  ): { readonly outside: Expression; readonly inside: Expression } {
    if (node.kind === "multiply" || node.kind === "divide") {
      const [left, right] = [this.pulled(node.left, root), this.pulled(node.right, root)];
      return {
        outside: { kind: node.kind, left: left.outside, right: right.outside },
        inside: { kind: node.kind, left: left.inside, right: right.inside },
      };
    }
    const [power] = evenPowers(node);
    if (power === undefined) return { outside: UNIT, inside: this.of(node) };
    const exponent = multiply({ num: power.exponent, den: 1n }, root);
    if (exponent === undefined) return { outside: UNIT, inside: this.of(node) };
    const outside: Expression = { kind: "power", left: this.signed(power.base), right: number(exponent) };
    return { outside, inside: UNIT };
  }
}

/** The expressions of which no one is a multiple of another. */
function independent(turning: readonly Expression[], agree: Agree): readonly Expression[] {
  const found: Expression[] = [];
  for (const one of turning)
    if (!found.some((other) => ratioOf(other, one, agree) !== undefined)) found.push(one);
  return found;
}

/**
 * Whether functions that agree at the sample points agree in all of their pieces, of which the points may have missed some. Undefined
 * where that is not sure. A step function is taken for a variable of its own.
 */
export function agreeInPieces(a: Expression, b: Expression, agree: Agree): boolean | undefined {
  const pieces = new Pieces();
  pieces.add(a);
  pieces.add(b);
  if (!pieces.isStepped && pieces.turning.length === 0) return true;
  if (pieces.turning.length > MAX_TURNING) return undefined;
  const between = pieces.isStepped ? undefined : agreeBetween(a, b, pieces.turning, agree);
  if (between?.includes(false) === true) return false;
  if (between !== undefined) return between.every((same) => same === true) || undefined;
  return agreeForSigns(a, b, independent(pieces.turning, agree), agree) || undefined;
}

/** They agree whatever signs the turning parts have. */
function agreeForSigns(a: Expression, b: Expression, turning: readonly Expression[], agree: Agree): boolean {
  if (turning.length > MAX_SIGNS) return false;
  const patterns = Array.from({ length: 2 ** turning.length }, (_, pattern) =>
    turning.map((of, n): Sign => ({ of, value: (pattern >> n) % 2 === 0 ? 1 : -1 })),
  );
  return patterns.every((signs) => {
    const rewriting = new Rewriting(signs, agree);
    return agree(rewriting.of(a), rewriting.of(b)) === true;
  });
}
