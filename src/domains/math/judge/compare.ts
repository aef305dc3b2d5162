import { parseExpression } from "../expression/parse.ts";
import type { Expression } from "../expression/expression.ts";
import { layoutKey } from "./clean.ts";
import { sameEquation, sameValue, type Equation } from "./same-value.ts";
import type { Shape, ShapeOf, ValueShape } from "./shapes.ts";
import { regionOf, sameRegion, type Region } from "./regions.ts";
import { isVariable, TURNED } from "./relations.ts";
import { sameUnitValue, type Same } from "./same-unit-value.ts";
import type { Wanted } from "./wanted.ts";

/** Comparisons of two values, equations or regions in one judgement; sets of sets have many. */
const MOST_LEAVES = 2_000;
/** One that stays undecided counts as so many: it was computed at all points, exactly and in doubles. */
const UNDECIDED_COST = 10;
/** Comparisons of any two shapes. */
const MOST_PAIRS = 10_000;

/** False at the first that is false, else undefined where one is. */
function all<Part>(parts: readonly Part[], same: (part: Part, at: number) => Same): Same {
  let isOpen = false;
  for (const [at, part] of parts.entries()) {
    const one = same(part, at);
    if (one === false) return false;
    isOpen ||= one === undefined;
  }
  return isOpen ? undefined : true;
}

/** True at the first that is true, else undefined where one is. */
function any<Part>(parts: readonly Part[], same: (part: Part, at: number) => Same): Same {
  const none = all(parts, (part, at) => not(same(part, at)));
  return not(none);
}

const not = (same: Same): Same => (same === undefined ? undefined : !same);

const YES_NO: Readonly<Record<string, string>> = {
  true: "yes",
  false: "no",
  correct: "yes",
  incorrect: "no",
};

function sameWords(a: string, b: string): Same {
  const [left, right] = [a, b].map((one) => (Object.hasOwn(YES_NO, one) ? YES_NO[one] : one));
  if (left === right) return true;
  return a.includes(" ") || b.includes(" ") ? undefined : false;
}

/** Compares the shapes of a given and an accepted answer to one question. Beyond its bounds nothing more is decided. */
export class Comparison {
  private readonly wanted: Wanted;
  private readonly keys = new Map<Shape, string>();
  private readonly regions = new Map<Shape, Region | undefined>();
  private work = 0;
  private pairCount = 0;

  constructor(wanted: Wanted) {
    this.wanted = wanted;
  }

  /** Comparisons of values, equations and regions so far. */
  get leaves(): number {
    return this.work;
  }

  /** Shapes that were compared so far, with their parts. */
  get pairs(): number {
    return this.pairCount;
  }

  same(given: Shape, accepted: Shape): Same {
    if (this.pairCount >= MOST_PAIRS) return undefined;
    this.pairCount += 1;
    if (given.kind === "empty" || accepted.kind === "empty") return given.kind === accepted.kind;
    if (this.keyOf(given) === this.keyOf(accepted)) return true;
    if (given.kind === "broken") return false;
    if (given.kind === "unread" || accepted.kind === "unread" || accepted.kind === "broken") return undefined;
    const [a, b] = [this.regionOf(given), this.regionOf(accepted)];
    const region = a && b && (a.isCertain || b.isCertain) ? this.leaf(() => sameRegion(a, b)) : undefined;
    if (region !== undefined) return region;
    const same =
      given.kind === accepted.kind ? this.sameKind(given, accepted) : this.otherKind(given, accepted);
    return same === false && (this.isOfRegions(given) || this.isOfRegions(accepted)) ? undefined : same;
  }

  private leaf(compare: () => Same): Same {
    if (this.work >= MOST_LEAVES) return undefined;
    const same = compare();
    this.work += same === undefined ? UNDECIDED_COST : 1;
    return same;
  }

  private regionOf(shape: Shape): Region | undefined {
    if (!this.regions.has(shape)) this.regions.set(shape, regionOf(shape));
    return this.regions.get(shape);
  }

  /** A member is an inequality or an interval: the same numbers may be written with others. */
  private isOfRegions(shape: Shape): boolean {
    if (shape.kind !== "set") return false;
    const isRegion = (one: Shape): boolean =>
      (one.kind === "relation" && one.relation !== "=") ||
      (one.kind === "tuple" && this.regionOf(one)?.isCertain === true);
    return shape.isUnion === true || shape.members.some(isRegion);
  }

  private keyOf(shape: Shape): string {
    const known = this.keys.get(shape);
    if (known !== undefined) return known;
    const key = layoutKey(shape.text);
    this.keys.set(shape, key);
    return key;
  }

  private sameKind(a: Shape, b: Shape): Same {
    if (a.kind === "value" && b.kind === "value") return this.leaf(() => sameUnitValue(a, b, this.wanted));
    if (a.kind === "set" && b.kind === "set") return this.sets(a, b);
    if (a.kind === "tuple" && b.kind === "tuple") return this.tuples(a, b);
    if (a.kind === "matrix" && b.kind === "matrix") return this.matrices(a.rows, b.rows);
    if (a.kind === "named" && b.kind === "named") return this.named(a, b);
    if (a.kind === "relation" && b.kind === "relation") return this.leaf(() => relations(a, b));
    if (a.kind === "choice" && b.kind === "choice") return a.letter === b.letter;
    if (a.kind === "ratio" && b.kind === "ratio") return this.ratios(a, b);
    if (a.kind === "based" && b.kind === "based") return a.base === b.base && a.digits === b.digits;
    return a.kind === "words" && b.kind === "words" ? sameWords(a.words, b.words) : undefined;
  }

  /** Two shapes of different kinds, one of which may be read as the other. */
  private otherKind(given: Shape, accepted: Shape): Same {
    return (
      this.ofKind(given, accepted, given) ?? this.ofKind(accepted, given, given) ?? unlike(given, accepted)
    );
  }

  /** Compares by what the kind of `a` may be read as; undefined where it is only itself. */
  private ofKind(a: Shape, b: Shape, given: Shape): Same {
    if (a.kind === "choice") return a.rest && this.pair(a, given, a.rest, b);
    if (a.kind === "named")
      return b.kind === "relation"
        ? this.leaf(() => equations(equationOf(a), b))
        : this.pair(a, given, a.of, b);
    if (a.kind === "set") return this.setAnd(a, b, a === given);
    if (a.kind === "ratio" && b.kind === "value") return this.ratioAnd(a, b);
    if (a.kind === "based" && b.kind === "value") return layoutKey(b.text) === a.digits;
    return undefined;
  }

  /** Compares a part of `whole` with the other shape, the given one first. */
  private pair(whole: Shape, given: Shape, part: Shape, other: Shape): Same {
    return whole === given ? this.same(part, other) : this.same(other, part);
  }

  /** Each member has an equal one on the other side. */
  private sets(a: ShapeOf<"set">, b: ShapeOf<"set">): Same {
    if (isChoiceOfNames(a) !== isChoiceOfNames(b)) return undefined;
    const matched = new Set<Shape>();
    const isFound = (one: Shape, other: Shape): Same => {
      const same = this.same(one, other);
      if (same === true) matched.add(other);
      return same;
    };
    const ofGiven = all(a.members, (one) => any(b.members, (other) => isFound(one, other)));
    if (ofGiven === false) return false;
    const left = b.members.filter((other) => !matched.has(other));
    const ofAccepted = all(left, (other) => any(a.members, (one) => this.same(one, other)));
    return ofAccepted === true ? ofGiven : ofAccepted;
  }

  private inOrder(given: readonly Shape[], accepted: readonly Shape[]): Same {
    if (given.length !== accepted.length) return false;
    return all(given, (one, n) => this.same(one, accepted[n] as Shape));
  }

  /** Round and square brackets differ in intervals and pairs; longer tuples are never intervals. */
  private tuples(a: ShapeOf<"tuple">, b: ShapeOf<"tuple">): Same {
    const isPair = a.members.length === 2;
    if (isPair && (a.open !== b.open || a.close !== b.close)) return false;
    return this.inOrder(a.members, b.members);
  }

  private matrices(a: readonly (readonly Shape[])[], b: readonly (readonly Shape[])[]): Same {
    return a.length === b.length && all(a, (row, n) => this.inOrder(row, b[n] ?? []));
  }

  private named(a: ShapeOf<"named">, b: ShapeOf<"named">): Same {
    if (a.name === b.name) return this.same(a.of, b.of);
    const [left, right] = [equationOf(a), equationOf(b)];
    if (left !== undefined && right !== undefined) return this.leaf(() => sameEquation(left, right));
    return isVariable(a.name) && isVariable(b.name) ? false : undefined;
  }

  /** A list without braces is a tuple, too, in the order in which it is written or its variables have; a set of one is its member. */
  private setAnd(set: ShapeOf<"set">, other: Shape, isGiven: boolean): Same {
    const [only, ...more] = set.members;
    if (only !== undefined && more.length === 0)
      return isGiven ? this.same(only, other) : this.same(other, only);
    if ([other, ...set.members].some(({ kind }) => kind === "words" || kind === "unread")) return undefined;
    if (other.kind === "relation" || isChoiceOfNames(set)) return undefined;
    if (other.kind === "value" && mayBeOneQuantity(set)) return undefined;
    if (other.kind !== "tuple" || set.isBraced || other.open + other.close in HALF_OPEN) return false;
    const members = byName(set.members);
    return isGiven ? this.inOrder(members, other.members) : this.inOrder(other.members, members);
  }

  private ratios(a: ShapeOf<"ratio">, b: ShapeOf<"ratio">): Same {
    const [first, second] = [a, b].map(({ text }) => /([ap])\.?\s?m\b/i.exec(text)?.[1]?.toLowerCase());
    if (first !== undefined && second !== undefined && first !== second) return false;
    if (a.members.length !== b.members.length) return false;
    if (!this.wanted.ratio) return this.inOrder(a.members, b.members);
    const [x, y] = [a.members[0]?.expression, b.members[0]?.expression];
    if (x === undefined || y === undefined) return undefined;
    return all(a.members, (one, n) =>
      this.leaf(() => sameValue(product(one.expression, y), product(b.members[n]?.expression ?? y, x))),
    );
  }

  private ratioAnd({ members }: ShapeOf<"ratio">, value: ValueShape): Same {
    const [left, right, ...more] = members.map((one) => one.expression);
    if (!this.wanted.ratio || left === undefined || right === undefined || more.length > 0) return false;
    return this.leaf(() => sameValue({ kind: "divide", left, right }, value.expression));
  }
}

/** Brackets that no list has. */
const HALF_OPEN = { "(]": true, "[)": true };

const product = (left: Expression, right: Expression): Expression => ({ kind: "multiply", left, right });

/** Kinds of which none may mean the other: a number is no interval. Words may mean anything. */
function unlike(given: Shape, accepted: Shape): Same {
  const isOpen = ({ kind }: Shape): boolean => ["choice", "named", "relation", "words", "set"].includes(kind);
  return isOpen(given) || isOpen(accepted) ? undefined : false;
}

/** `x = 1 or y = 2`, which `x = 1 and y = 2` is not. Of one name, "or" and "and" list its values: `x = 1 or 2`. */
function isChoiceOfNames({ join, members }: ShapeOf<"set">): boolean {
  const names = members.map((one) =>
    one.kind === "named" ? one.name : one.kind === "tuple" ? one.variable : undefined,
  );
  return join === "or" && new Set(names.filter((name) => name !== undefined)).size > 1;
}

/** `5 dollars and 50 cents`, `2 and 1/2`: parts of one value. */
function mayBeOneQuantity({ join, members }: ShapeOf<"set">): boolean {
  const units = members.map((one) => (one.kind === "value" ? one.unit : undefined));
  const isMixed = units.every((unit) => unit !== undefined) && new Set(units).size > 1;
  const last = members.at(-1);
  return join === "and" && (isMixed || (last?.kind === "value" && last.expression.kind === "divide"));
}

/** `x = 1, y = 2` in the order of the variables; any other list as it is. */
function byName(members: readonly Shape[]): readonly Shape[] {
  if (!members.every((one) => one.kind === "named")) return members;
  return members.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function equationOf({ name, of }: ShapeOf<"named">): Equation | undefined {
  const left = parseExpression(name);
  return left === undefined || of.kind !== "value" ? undefined : { left, right: of.expression };
}

function equations(named: Equation | undefined, relation: ShapeOf<"relation">): Same {
  return named === undefined || relation.relation !== "=" ? undefined : sameEquation(named, relation);
}

/** Sides may be exchanged; other forms of an inequality are not decided. */
function relations(a: ShapeOf<"relation">, b: ShapeOf<"relation">): Same {
  if (a.relation === "=" && b.relation === "=") return sameEquation(a, b);
  const isSame = (left: Expression, right: Expression): boolean =>
    sameValue(a.left, left) === true && sameValue(a.right, right) === true;
  const isStraight = a.relation === b.relation && isSame(b.left, b.right);
  return isStraight || (TURNED[a.relation] === b.relation && isSame(b.right, b.left)) ? true : undefined;
}
