import type { CodeImport, CodePiece } from "../code-types.d.ts";
import { conditionsOf } from "./flow.ts";
import { LONGEST_TEXT, MOST_LISTED } from "./limits.ts";
import { textOf, type CodeNode, type CodeTree, type Pieces } from "./tree.ts";

/** The first entries of a list to which each node adds one, several or none. */
export function listed<T>(
  nodes: Iterable<CodeNode>,
  pick: (node: CodeNode) => readonly T[] | T | undefined,
): readonly T[] {
  const found: T[] = [];
  for (const node of nodes) {
    const one = pick(node);
    if (one === undefined) continue;
    found.push(...(Array.isArray(one) ? (one as readonly T[]) : [one as T]));
    if (found.length >= MOST_LISTED) break;
  }
  return found.slice(0, MOST_LISTED);
}

/** Calls that read the standard input; it is the file 0. */
const INPUT = /^(?:(?:raw_)?input\s*\(|open\s*\(\s*0\s*[,)])/;

/** Reads of the standard input. */
export function inputsOf(tree: CodeTree, pieces: Pieces): readonly CodePiece[] {
  return listed(tree.nodes, (node) => {
    const isCall = node.name === "CallExpression" && node.children[0]?.name === "VariableName";
    if (isCall) return INPUT.test(textOf(tree, node)) ? pieces.of(node) : undefined;
    return node.name === "MemberExpression" && textOf(tree, node) === "sys.stdin"
      ? pieces.of(node)
      : undefined;
  });
}

/** Conditions that a program branches on. */
export function branchesOf(tree: CodeTree, pieces: Pieces): readonly CodePiece[] {
  return listed(tree.nodes, (node) => {
    if (node.name === "IfStatement") return conditionsOf(node).map((one) => pieces.of(one));
    const place = { ConditionalExpression: 2, MatchClause: 1 }[node.name];
    const condition = place === undefined ? undefined : node.children[place];
    return condition === undefined ? undefined : pieces.of(condition);
  });
}

/** The imports of a program. */
export function importsOf(tree: CodeTree, pieces: Pieces): readonly CodeImport[] {
  return listed(tree.nodes, (node) => {
    if (node.name !== "ImportStatement") return undefined;
    const at = node.children.findIndex(({ name }) => name === "import");
    const parts = importedParts(tree, node.children.slice(at + 1));
    const piece = pieces.of(node);
    if (at > 0) {
      const module = wordsOf(tree, node.children.slice(1, at));
      return { ...piece, module, names: parts.map(({ bound }) => bound).slice(0, MOST_LISTED) };
    }
    return parts.map(({ module, bound }) => ({ ...piece, module, names: [bound] }));
  });
}

const wordsOf = (tree: CodeTree, words: readonly CodeNode[]): string =>
  words
    .map((word) => textOf(tree, word))
    .join("")
    .slice(0, LONGEST_TEXT);

/** The parts of an `import` statement, which commas separate, each with the name that it defines. */
function importedParts(
  tree: CodeTree,
  nodes: readonly CodeNode[],
): readonly { readonly module: string; readonly bound: string }[] {
  const parts: CodeNode[][] = [[]];
  for (const node of nodes)
    if (node.name === ",") parts.push([]);
    else if (!/^[()]$|^Comment$/.test(node.name)) parts.at(-1)?.push(node);
  return parts
    .filter(({ length }) => length > 0)
    .map((part) => {
      const as = part.findIndex(({ name }) => name === "as");
      const bound = as < 0 ? part[0] : part[as + 1];
      const module = wordsOf(tree, as < 0 ? part : part.slice(0, as));
      return { module, bound: bound === undefined ? "" : textOf(tree, bound) };
    });
}
