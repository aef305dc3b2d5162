import type { EvidenceLine, EvidenceSection } from "../model/evidence.ts";
import { wrapped } from "./wrapped.ts";

const MARKS = { passed: "✓", failed: "✗", "not run": "○" } as const;
const INDENT = "    ";

function lineOf({ text, outcome }: EvidenceLine): string[] {
  const [first = "", ...rest] = wrapped(text, `${INDENT}  `);
  return [`${INDENT}${outcome === undefined ? " " : MARKS[outcome]} ${first.trimStart()}`, ...rest];
}

/** The evidence on a skill, under its heading. */
export function renderEvidence(sections: readonly EvidenceSection[]): string[] {
  return ["Evidence", ...sections.flatMap(({ title, lines }) => [`  ${title}`, ...lines.flatMap(lineOf)])];
}
