import type { CodeLoop, CodeSlowCall } from "../code-types.d.ts";
import { iterableOf } from "./flow.ts";
import { MOST_LISTED } from "./limits.ts";
import { textOf, type CodeNode, type CodeTree, type Pieces } from "./tree.ts";

interface Loop {
  readonly node: CodeNode;
  readonly loop: CodeLoop;
}

/** Loops of a program, and operations in them whose time grows with the length of a list. */
export function loopsOf(
  tree: CodeTree,
  pieces: Pieces,
): { readonly loops: readonly CodeLoop[]; readonly slowCalls: readonly CodeSlowCall[] } {
  const around: (Loop | undefined)[] = [];
  const loops: CodeLoop[] = [];
  const slowCalls: CodeSlowCall[] = [];
  const lists = listNames(tree);
  for (const node of tree.nodes) {
    const outer = node.parent && aroundOf(node, node.parent, around);
    const own = loopOf(tree, pieces, node, outer?.loop);
    around.push(own === undefined ? outer : { node, loop: own });
    if (own !== undefined && loops.length < MOST_LISTED) loops.push(own);
    const isShort = outer?.loop.isFixed === true && outer.loop.depth === 1;
    const slow = outer && !isShort ? slowCall(tree, pieces, node, lists) : undefined;
    if (slow !== undefined && outer !== undefined && slowCalls.length < MOST_LISTED)
      slowCalls.push({ ...slow, loop: pieceOf(outer.loop) });
  }
  return { loops, slowCalls };
}

const pieceOf = ({ text, line }: CodeLoop): { text: string; line: number } => ({ text, line });

/** The iterable of a `for` is evaluated once, before the loop; the depth starts again at 0 inside a function. */
function aroundOf(node: CodeNode, parent: CodeNode, around: readonly (Loop | undefined)[]): Loop | undefined {
  if (parent.name === "FunctionDefinition" || parent.name === "LambdaExpression") return undefined;
  const at = around[parent.at];
  const isIterable = at?.node === parent && parent.name === "ForStatement" && node.name !== "Body";
  return isIterable ? around[parent.parent?.at ?? 0] : at;
}

function loopOf(
  tree: CodeTree,
  pieces: Pieces,
  node: CodeNode,
  outer: CodeLoop | undefined,
): CodeLoop | undefined {
  const depth = (outer?.depth ?? 0) + 1;
  const shared = { depth, ...(outer !== undefined && { outer: pieceOf(outer) }) };
  if (node.name === "ForStatement") {
    const over = iterableOf(tree, node);
    return { ...pieces.head(node), kind: "for", over, isFixed: isFixed(over), ...shared };
  }
  if (node.name === "WhileStatement") {
    const [, condition] = node.children;
    const over = condition === undefined ? "" : textOf(tree, condition);
    return { ...pieces.head(node), kind: "while", over, isFixed: false, ...shared };
  }
  const word = node.children.find(({ name }) => name === "for");
  if (word === undefined || (!/Comprehension/.test(node.name) && node.name !== "ArgList")) return undefined;
  const over = iterableOf(tree, node, word.place);
  return { ...pieces.of(node), kind: "comprehension", over, isFixed: isFixed(over), ...shared };
}

const isFixed = (over: string): boolean =>
  /^(?:enumerate\(\s*)?(?:range\([\d\s,-]+\)|["'][^"']*["']|[[(][^A-Za-z_]*[\])])\s*\)?$/.test(over);

/**
 * Names that are lists wherever they are assigned, so far as literals show it. A list that stands whole in the program and does not grow
 * is as short as its literal, so that no search in it is slow.
 */
function listNames(tree: CodeTree): ReadonlySet<string> {
  const lists = new Set<string>();
  const others = new Set<string>();
  const grown = grownNames(tree);
  for (const { name: kind, children } of tree.nodes) {
    if (kind !== "AssignStatement") continue;
    const [target, ...rest] = children;
    const value = rest.at(-1);
    if (target?.name !== "VariableName" || value === undefined) continue;
    const name = textOf(tree, target);
    if (isWhole(tree, value) && !grown.has(name)) continue;
    const isList =
      /^Array(?:Comprehension)?Expression$/.test(value.name) ||
      /^(?:list|sorted)\s*\(|^\[[^\]]{0,20}\]\s*\*/.test(textOf(tree, value));
    (isList ? lists : others).add(name);
  }
  return new Set([...lists].filter((name) => !others.has(name)));
}

/** Names of lists to which the program adds items. */
function grownNames(tree: CodeTree): ReadonlySet<string> {
  const grown = new Set<string>();
  for (const node of tree.nodes) {
    const [of] = node.children;
    if (of?.name !== "VariableName") continue;
    const isMethod =
      node.name === "MemberExpression" &&
      /^(?:append|extend|insert)$/.test(textOf(tree, node.children.at(-1) ?? of));
    if (isMethod || node.name === "UpdateStatement") grown.add(textOf(tree, of));
  }
  return grown;
}

/** A literal with items, none of them starred, or the characters of one. */
function isWhole(tree: CodeTree, value: CodeNode): boolean {
  if (value.name === "ArrayExpression")
    return value.children.length > 2 && value.children.every(({ name }) => name !== "*");
  return /^(?:list|sorted)\s*\(\s*(?:"[^"]*"|'[^']*')\s*\)$/.test(textOf(tree, value));
}

function slowCall(
  tree: CodeTree,
  pieces: Pieces,
  node: CodeNode,
  lists: ReadonlySet<string>,
): Omit<CodeSlowCall, "loop"> | undefined {
  if (node.name === "CallExpression") {
    const text = textOf(tree, node);
    const [, of = "", kind = ""] =
      /^([A-Za-z_]\w*)\.(pop\(\s*0\s*\)|insert\(\s*0\s*,|index\(|count\()/.exec(text) ?? [];
    if (kind === "") return undefined;
    const short = kind.replaceAll(/\s/g, "");
    if (short.startsWith("pop")) return { ...pieces.of(node), of, kind: "pop(0)" };
    if (short.startsWith("insert")) return { ...pieces.of(node), of, kind: "insert(0)" };
    if (!lists.has(of)) return undefined;
    return { ...pieces.of(node), of, kind: short === "index(" ? "index" : "count" };
  }
  if (node.name !== "BinaryExpression" || !node.children.some(({ name }) => name === "in")) return undefined;
  const right = node.children.at(-1);
  const of = right === undefined ? "" : textOf(tree, right);
  return lists.has(of) ? { ...pieces.of(node), of, kind: "in a list" } : undefined;
}
