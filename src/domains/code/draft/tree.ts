import { parser } from "@lezer/python";
import type { CodePiece } from "../code-types.d.ts";
import { LONGEST_TEXT } from "./limits.ts";

/** A node of a program. Its descendants are `tree.nodes` from `at + 1` to `end`, so that no walk needs a stack. */
export interface CodeNode {
  /** As the grammar of `@lezer/python` names it: "CallExpression", "def". */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Index in `CodeTree.nodes`, and the index behind its last descendant. */
  readonly at: number;
  readonly end: number;
  readonly parent: CodeNode | undefined;
  readonly children: readonly CodeNode[];
  /** Index among the children of its parent. */
  readonly place: number;
}

export interface CodeTree {
  readonly source: string;
  /** In the order of their starts, a node before its descendants. */
  readonly nodes: readonly CodeNode[];
}

/** Statements that the grammar takes and Python 3 does not: `print "x"`. */
const OF_PYTHON_2 = new Set(["PrintStatement"]);

type Cursor = ReturnType<ReturnType<typeof parser.parse>["cursor"]>;
type Open = { -readonly [key in keyof CodeNode]: CodeNode[key] } & { children: CodeNode[] };

/**
 * The program with two forms replaced that Python accepts and the grammar does not, by texts of the same length: a number that ends in its
 * point (`1.`) becomes `1j`, and a form feed at the start of a line becomes a newline.
 */
function readable(source: string): string {
  return source.replaceAll(/^\f/gm, "\n").replaceAll(/(?<![\w.])(\d[\d_]*)\.(?![\w.])/g, "$1j");
}

const strict = parser.configure({ strict: true });

/** A program, or the first place of it that the grammar does not take: recovery from errors would make hostile texts slow. */
export function treeOf(source: string): CodeTree | { readonly errorAt: number } {
  const parse = strict.startParse(readable(source));
  let tree = null;
  try {
    while (tree === null) tree = parse.advance();
  } catch (error) {
    if (error instanceof SyntaxError) return { errorAt: parse.parsedPos };
    throw error;
  }
  return nodesOf(source, tree.cursor());
}

function nodesOf(source: string, cursor: Cursor): CodeTree | { readonly errorAt: number } {
  const nodes: Open[] = [];
  let parent: Open | undefined;
  for (let isThere = true; isThere;) {
    const { name, from, to } = cursor;
    // Brackets that are nested too deeply are an error of the grammar, too, but none that it stops at.
    if (cursor.type.isError || OF_PYTHON_2.has(name)) return { errorAt: from };
    const place = parent?.children.length ?? 0;
    const node: Open = { name, from, to, at: nodes.length, end: 0, parent, children: [], place };
    parent?.children.push(node);
    nodes.push(node);
    if (cursor.firstChild()) {
      parent = node;
      continue;
    }
    node.end = nodes.length;
    isThere = cursor.nextSibling();
    while (!isThere && cursor.parent()) {
      if (parent !== undefined) parent.end = nodes.length;
      parent = parent?.parent as Open | undefined;
      isThere = cursor.nextSibling();
    }
  }
  return { source, nodes };
}

/** The text of a node, cut to the length of a quotation. */
export function textOf(
  { source }: Pick<CodeTree, "source">,
  { from, to }: Pick<CodeNode, "from" | "to">,
): string {
  return source.slice(from, Math.min(to, from + LONGEST_TEXT));
}

/** Makes pieces of a program: the line of a place is looked up in a table. */
export class Pieces {
  readonly #tree: Pick<CodeTree, "source">;
  readonly #starts: readonly number[];

  constructor(tree: Pick<CodeTree, "source">) {
    this.#tree = tree;
    const starts = [0];
    for (let at = tree.source.indexOf("\n"); at >= 0; at = tree.source.indexOf("\n", at + 1))
      starts.push(at + 1);
    this.#starts = starts;
  }

  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The node's own text. */
  of(node: Pick<CodeNode, "from" | "to">): CodePiece {
    return { text: textOf(this.#tree, node), line: this.lineAt(node.from) };
  }

  /** The whole line that a place is in, without its indentation and comment. */
  lineOf(offset: number): CodePiece {
    const line = this.lineAt(offset);
    const start = this.#starts[line] ?? 0;
    const end = this.#starts[line + 1] ?? this.#tree.source.length;
    return {
      text: this.#tree.source
        .slice(start, Math.min(end, start + 1_000))
        .trim()
        .slice(0, LONGEST_TEXT),
      line,
    };
  }

  /** The head of a compound statement: its first line without the colon. */
  head(node: CodeNode): CodePiece {
    const body = node.children.find(({ name }) => name === "Body" || name === "MatchBody");
    const piece = this.of({ from: node.from, to: body?.from ?? node.to });
    return { ...piece, text: piece.text.trimEnd() };
  }
}
