import type { CodeName } from "../code-types.d.ts";
import type { Bindings, Read } from "./bindings.ts";
import { BUILTINS } from "./builtins.ts";
import { textOf, type CodeNode, type CodeTree, type Pieces } from "./tree.ts";

/**
 * Names that are read and that nothing defines, each once: such a read raises a NameError when it runs. Names that the question's own code
 * defines count as defined. `if` and `try` around an import are not looked into: a name is defined if anything of its scope defines it.
 */
export function undefinedNames(
  about: {
    readonly tree: CodeTree;
    readonly bindings: Bindings;
    readonly pieces: Pieces;
    readonly most: number;
  },
  given: ReadonlySet<string>,
): readonly CodeName[] {
  const { tree, bindings, pieces, most } = about;
  if (bindings.isOpen) return [];
  const found = new Map<string, CodeName>();
  const guards = guardedRanges(tree);
  const sheltered = shelteredNodes(tree);
  for (const read of bindings.reads) {
    const { name, node } = read;
    if (found.has(name) || given.has(name) || BUILTINS.has(name)) continue;
    const defined = definition(read, ({ at }) => sheltered[at] === true);
    if (defined === "before" || isGuarded(guards, node)) continue;
    found.set(name, { name, ...pieces.lineOf(node.from), defined });
    if (found.size >= most) break;
  }
  return [...found.values()];
}

function definition(
  { name, node, scope }: Read,
  isSheltered: (node: CodeNode) => boolean,
): CodeName["defined"] | "before" {
  const from = scope.names.get(name);
  if (from !== undefined) {
    const runsInOrder = scope.kind === "module" || scope.kind === "function";
    return runsInOrder && from > node.from && !isSheltered(node) ? "later" : "before";
  }
  let isInside = scope.kind === "inner";
  for (let at = scope.parent; at !== undefined; at = at.parent) {
    // Methods do not see the names of their class; a lambda or comprehension in a class body may.
    if (at.names.has(name) && (at.kind !== "class" || isInside)) return "before";
    isInside &&= at.kind === "inner";
  }
  return "never";
}

const SHELTERS = new Set(["ForStatement", "WhileStatement", "TryStatement"]);

/** Nodes in a loop, whose earlier round may have defined a name, or in a `try`. */
function shelteredNodes({ nodes }: CodeTree): readonly boolean[] {
  const sheltered: boolean[] = [];
  for (const { name, parent } of nodes)
    sheltered.push(SHELTERS.has(name) || (parent !== undefined && sheltered[parent.at] === true));
  return sheltered;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Blocks whose NameError is caught. */
function guardedRanges(tree: CodeTree): readonly Range[] {
  return tree.nodes.flatMap((node) => {
    if (node.name !== "TryStatement") return [];
    const [tried] = node.children.filter(({ name }) => name === "Body");
    const caught = node.children.some(
      (child, i) =>
        child.name === "except" &&
        /^(?::|.*\b(?:NameError|Exception|UnboundLocalError)\b)/.test(handled(tree, node, i)),
    );
    return tried !== undefined && caught ? [{ from: tried.from, to: tried.to }] : [];
  });
}

function handled(tree: CodeTree, node: CodeNode, i: number): string {
  const body = node.children.find(({ name }, at) => at > i && name === "Body");
  const first = node.children[i + 1];
  return first === undefined || first === body
    ? ":"
    : textOf(tree, { from: first.from, to: body?.from ?? first.to });
}

function isGuarded(guards: readonly Range[], { from }: CodeNode): boolean {
  return guards.some((range) => range.from <= from && from < range.to);
}
