import type { CodeImport, CodePiece } from "../code-types.d.ts";
import { conditionsOf } from "./flow.ts";
import { MOST_LISTED } from "./limits.ts";
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
    const text = textOf(tree, node)
      .replaceAll(/[()\\]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    const [, from, imported = ""] = /^(?:from (\S+) )?import (.*)$/.exec(text) ?? [];
    const parts = imported
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const bound = (part: string): string =>
      / as (\S+)$/.exec(part)?.[1] ?? (part.split(" ")[0] ?? "").split(".")[0] ?? "";
    if (from !== undefined) return { ...pieces.of(node), module: from, names: parts.map(bound) };
    return parts.map((part) => ({
      ...pieces.of(node),
      module: part.split(" ")[0] ?? "",
      names: [bound(part)],
    }));
  });
}
