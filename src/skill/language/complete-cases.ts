import type { Position } from "../../model/diagnostic.ts";
import { proposalsIn, writtenAt, type Proposal } from "./complete-yaml.ts";
import type { LanguageFacts } from "./facts.ts";
import { CASES_SPECS, NEW_CASE } from "./cases-specs.ts";
import { yamlCursor, type YamlCursor } from "./yaml-cursor.ts";

/** A whole case, where an item of `cases` may begin: below `cases:`, in the column of the other cases. */
function newCase(lines: readonly string[], cursor: YamlCursor, facts: LanguageFacts): readonly Proposal[] {
  const others = lines.flatMap((line) => /^(\s*)-\s+name\s*:/.exec(line)?.[1]?.length ?? []);
  const { start } = cursor.range;
  const column = others[0] ?? start.character;
  const isPlace =
    cursor.path.length === 1 &&
    cursor.path[0] === "cases" &&
    !cursor.isFlow &&
    !cursor.isItem &&
    cursor.at === "key";
  if (!isPlace || start.character !== column) return [];
  const insert = writtenAt(NEW_CASE, cursor, facts);
  if (insert === undefined) return [];
  const about = "A case: what is proposed, and what the Program Function must decide.";
  return [{ kind: "snippet", label: "new case", insert, range: cursor.range, detail: "HASP", about }];
}

/** What may be written at a position of a cases.yaml. Never throws. */
export function completeCases(text: string, position: Position, facts: LanguageFacts): readonly Proposal[] {
  const lines = text.split(/\r?\n/);
  const cursor = yamlCursor(lines, position);
  if (cursor === undefined) return [];
  const fresh = newCase(lines, cursor, facts);
  return fresh.length > 0 ? fresh : proposalsIn(CASES_SPECS, cursor, facts);
}
