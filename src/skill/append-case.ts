import { parseCases } from "./parse-cases.ts";
import { indented } from "./scaffold-step.ts";
import { sourceText } from "./source-text.ts";
import { readYaml, type YamlMap, type YamlValue } from "./yaml-tree.ts";

/** A change of `cases.yaml`: what stands from `start` to `end` (offsets) gives way to `text`. */
export interface CaseEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type AppendedCase =
  | { readonly kind: "edit"; readonly edit: CaseEdit }
  /** The file cannot be added to; says why, and what to do. */
  | { readonly kind: "refused"; readonly message: string; readonly next: string };

const FIX_FIRST = "Fix the file first; the list of problems says where.";

function refused(message: string, next = FIX_FIRST): AppendedCase {
  return { kind: "refused", message, next };
}

function insertion(at: number, text: string, before: string): AppendedCase {
  const eol = before.includes("\r\n") ? "\r\n" : "\n";
  return { kind: "edit", edit: { start: at, end: at, text: text.replaceAll("\n", eol) } };
}

/** At the end of the text, on a line of its own after a blank one. */
function atEnd(text: string, added: string): AppendedCase {
  const kept = text.trimEnd();
  const gap = kept === "" ? "" : "\n\n";
  const { edit } = insertion(kept.length, `${gap}${added}`, text) as Extract<AppendedCase, { kind: "edit" }>;
  return { kind: "edit", edit: { ...edit, end: text.length } };
}

/** Columns before the dash of the list's items; undefined where they do not stand below each other. */
function dashColumn(text: string, list: YamlValue): number | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  const line = lines[list.range.start.line] ?? "";
  const dash = /^(\s*)- /.exec(line);
  return dash?.[1]?.length;
}

function casesOf(root: YamlValue | undefined): YamlValue | "none" | undefined {
  if (root === undefined) return "none";
  return root.kind === "map" ? (root satisfies YamlMap).entries.get("cases")?.value : undefined;
}

/**
 * The edit that adds a case (as `renderCase` writes it) to a `cases.yaml`, at its end and in the file's own indentation; comments and
 * all that is there stay. An empty or missing file begins with it.
 */
export function appendCase(text: string, rendered: string): AppendedCase {
  const { root, problems } = readYaml(text, sourceText(text), 0);
  if (problems.length > 0) return refused("cases.yaml is not valid YAML.");
  const list = casesOf(root);
  if (list === "none") return atEnd(text, `cases:\n${indented(rendered, 2)}`);
  if (list === undefined) return refused("cases.yaml has no list `cases`.");
  if (list.kind === "scalar" && list.value === null) return atEnd(text, indented(rendered, 2));
  if (list.kind !== "list") return refused("`cases` is no list.");
  const column = dashColumn(text, list);
  if (list.items.length > 0 && column !== undefined) return atEnd(text, indented(rendered, column));
  if (list.items.length > 0)
    return refused("`cases` stands in brackets.", "Write one case below the other, each with a dash.");
  return replaceEmpty(text, rendered);
}

/** `cases: []` */
function replaceEmpty(text: string, rendered: string): AppendedCase {
  const brackets = /^cases:\s*(\[\s*\])/m.exec(text);
  if (brackets?.[1] === undefined) return refused("`cases` cannot be added to.");
  const end = brackets.index + brackets[0].length;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const added = `\n${indented(rendered, 2)}`.replaceAll("\n", eol).trimEnd();
  return { kind: "edit", edit: { start: end - brackets[1].length, end, text: added } };
}

export function withEdit(text: string, { start, end, text: added }: CaseEdit): string {
  return text.slice(0, start) + added + text.slice(end);
}

/** A name that no case of the file has yet. */
export function freeCaseName(text: string, wanted: string): string {
  // Only names are looked at, so no domain has to be known.
  const taken = new Set(parseCases(text, "cases.yaml", []).value?.map(({ name }) => name));
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted} (${n})`;
    if (!taken.has(name)) return name;
  }
}
