import type { CodeBound, CodeEnd, CodeFloat } from "../code-types.d.ts";
import type { Definition } from "./functions.ts";
import { MOST_LISTED } from "./limits.ts";
import { textOf, type CodeNode, type CodeTree, type Pieces } from "./tree.ts";
import { listed } from "./uses.ts";

/** First and last items of parameters that functions read, with whether some condition or loop of the function looks at the parameter. */
export function endsOf(
  tree: CodeTree,
  pieces: Pieces,
  definitions: readonly Definition[],
): readonly CodeEnd[] {
  const tested = testedNodes(tree);
  const found: CodeEnd[] = [];
  for (const { own, params } of definitions) {
    const guarded = guardedNames(tree, own, tested);
    for (const node of own) {
      const of = node.name === "MemberExpression" ? node.children[0] : undefined;
      if (of?.name !== "VariableName") continue;
      const name = textOf(tree, of);
      const index = textOf(tree, { from: of.to, to: node.to }).replaceAll(/\s/g, "");
      if ((index !== "[0]" && index !== "[-1]") || !params.includes(name)) continue;
      const at = index === "[0]" ? "first" : "last";
      found.push({ ...pieces.of(node), of: name, at, isGuarded: guarded.has(name) });
      if (found.length >= MOST_LISTED) return found;
    }
  }
  return found;
}

/** Names of a function that a condition or a loop looks at, that get another value, or whose errors are caught. */
function guardedNames(
  tree: CodeTree,
  own: readonly CodeNode[],
  tested: readonly boolean[],
): ReadonlySet<string> {
  const catches = own.some(({ name }) => name === "TryStatement");
  const isSeen = ({ at, parent, place }: CodeNode): boolean =>
    catches || tested[at] === true || (parent?.name === "AssignStatement" && place === 0);
  const names = own.filter((node) => node.name === "VariableName" && isSeen(node));
  return new Set(names.map((node) => textOf(tree, node)));
}

/** Nodes in an expression that decides whether and how often something runs. */
function testedNodes({ nodes }: CodeTree): readonly boolean[] {
  const tested: boolean[] = [];
  for (const node of nodes) {
    const { parent } = node;
    tested.push(parent !== undefined && (tested[parent.at] === true ? !isBlock(node) : isTest(parent, node)));
  }
  return tested;
}

const isBlock = ({ name }: CodeNode): boolean => name === "Body" || name === "MatchBody";

function isTest(parent: CodeNode, node: CodeNode): boolean {
  switch (parent.name) {
    case "IfStatement":
      return /^(?:if|elif)$/.test(parent.children[node.place - 1]?.name ?? "");
    case "WhileStatement":
    case "MatchStatement":
    case "AssertStatement":
      return node.place === 1;
    case "ConditionalExpression":
      return node.place === 2;
    case "ForStatement":
      return !isBlock(node);
    case "BinaryExpression":
      return node.place === 0 && /^(?:and|or)$/.test(parent.children[1]?.name ?? "");
    default:
      return /Comprehension/.test(parent.name) && node.place > 1;
  }
}

/** Starts, ends and indexes that are one off the usual. */
export function boundsOf(tree: CodeTree, pieces: Pieces): readonly CodeBound[] {
  return listed(tree.nodes, (node): CodeBound | undefined => {
    if (node.name === "CallExpression" && /^range\(\s*1\s*,/.test(textOf(tree, node)))
      return { ...pieces.of(node), kind: "range from 1" };
    if (node.name === "BinaryExpression" && /^len\([^()]*\)\s*-\s*1$/.test(textOf(tree, node)))
      return { ...pieces.of(node), kind: "length - 1" };
    const isNext =
      node.name === "MemberExpression" && /\[\s*[A-Za-z_]\w*\s*\+\s*1\s*\]$/.test(textOf(tree, node));
    return isNext ? { ...pieces.of(node), kind: "next index" } : undefined;
  });
}

/** An exponent that is a fraction, the half left out: a square root of a square is exact up to 2^52. */
const FRACTION = /^\(?\s*1\.?0?\s*\/\s*(?!2(?:\.0?)?\s*\)?$)\d[\d.]*\s*\)?$/;

/** Whole numbers that come of a division or a root in floating point. */
export function floatsOf(tree: CodeTree, pieces: Pieces): readonly CodeFloat[] {
  return listed(tree.nodes, (node): CodeFloat | undefined => {
    const { name, children } = node;
    if (name === "CallExpression") {
      const [callee, list] = children;
      const [, argument, ...more] = list?.children ?? [];
      if (callee === undefined || textOf(tree, callee) !== "int" || more.length !== 1) return undefined;
      const [left, right] = sidesOf(tree, argument, "/");
      if (left !== undefined && right !== undefined)
        return { ...pieces.of(node), kind: "int of a quotient", left, right };
      const [base, power] = sidesOf(tree, argument, "**");
      const isRoot = base !== undefined && power !== undefined && FRACTION.test(power);
      return isRoot ? { ...pieces.of(node), kind: "int of a root", left: base, right: power } : undefined;
    }
    if (name !== "BinaryExpression" || children.length !== 3 || textOf(tree, children[1] ?? node) !== "==")
      return undefined;
    for (const side of [children[0], children[2]]) {
      const [left, right] = sidesOf(tree, side, "/");
      if (left !== undefined && right !== undefined)
        return { ...pieces.of(node), kind: "compared quotient", left, right };
    }
    return undefined;
  });
}

/** The operands of an arithmetic operation, without the brackets around it. */
function sidesOf(tree: CodeTree, node: CodeNode | undefined, operator: string): readonly [string?, string?] {
  const inner = node?.name === "ParenthesizedExpression" ? node.children[1] : node;
  if (inner?.name !== "BinaryExpression") return [];
  const [left, sign, right, ...more] = inner.children;
  if (left === undefined || sign === undefined || right === undefined || more.length > 0) return [];
  return textOf(tree, sign) === operator ? [textOf(tree, left), textOf(tree, right)] : [];
}
