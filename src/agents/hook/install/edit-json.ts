import { findNodeAtLocation, parseTree, type JSONPath, type Node } from "jsonc-parser";

// Each edit adds or takes away exactly one piece and leaves everything around it, comments included, to the letter: what was added comes
// away again without a trace.

function nodeIn(text: string, path: JSONPath): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  if (node === undefined) throw new Error(`There is nothing at ${path.join(".")}.`);
  return node;
}

const endOf = ({ offset, length }: Node): number => offset + length;

/** The blanks that a line begins with. */
function indentAt(text: string, offset: number): string {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(from))?.[0] ?? "";
}

/** One level of the file's own. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function written(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll("\n", `\n${indent}`);
}

/** Puts a piece at the end of an object or a list, on a line of its own. */
function addTo(text: string, holder: Node, pieceAt: (indent: string) => string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const last = holder.children?.at(-1);
  const outer = indentAt(text, holder.offset);
  const isOnOwnLine = last !== undefined && text.slice(holder.offset, last.offset).includes("\n");
  const indent = isOnOwnLine ? indentAt(text, last.offset) : outer + unitOf(text);
  const piece = (eol + indent + pieceAt(indent)).replaceAll(/\r?\n/g, eol);
  if (last !== undefined) return `${text.slice(0, endOf(last))},${piece}${text.slice(endOf(last))}`;
  const close = endOf(holder) - 1;
  const inside = text.slice(holder.offset + 1, close);
  const kept = inside.trim() === "" ? "" : inside.trimEnd();
  return `${text.slice(0, holder.offset + 1)}${kept}${piece}${eol}${outer}${text.slice(close)}`;
}

/** Adds `key` to the object at `path`, which has none of that name. */
export function addKey(text: string, path: JSONPath, key: string, value: unknown): string {
  return addTo(
    text,
    nodeIn(text, path),
    (indent) => `${JSON.stringify(key)}: ${written(text, value, indent)}`,
  );
}

/** Adds to the end of the list at `path`. */
export function addItem(text: string, path: JSONPath, value: unknown): string {
  return addTo(text, nodeIn(text, path), (indent) => written(text, value, indent));
}

/** Puts another value in place of the one at `path`. */
export function replaceAt(text: string, path: JSONPath, value: unknown): string {
  const node = nodeIn(text, path);
  const piece = written(text, value, indentAt(text, node.offset));
  return text.slice(0, node.offset) + piece + text.slice(endOf(node));
}

/** Takes away the item or the key at `path`, with the comma that ties it to its neighbour. */
export function removeAt(text: string, path: JSONPath): string {
  const value = nodeIn(text, path);
  const piece = typeof path.at(-1) === "number" ? value : (value.parent ?? value);
  const siblings = piece.parent?.children ?? [];
  const at = siblings.indexOf(piece);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  if (before !== undefined) return text.slice(0, endOf(before)) + text.slice(endOf(piece));
  if (after !== undefined) return text.slice(0, piece.offset) + text.slice(after.offset);
  const rest = text.slice(endOf(piece)).replace(/^\s*,?\s*/, "");
  return text.slice(0, piece.offset).trimEnd() + rest;
}
