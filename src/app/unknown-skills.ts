import type { Diagnostic, Range } from "../model/diagnostic.ts";
import { wordsIn, yamlTree, type YamlWord } from "../skill/language/yaml-at.ts";
import { sourceText } from "../skill/source-text.ts";
import { closest } from "../skill/suggest.ts";
import { SNAKE_CASE } from "../skill/vocabulary.ts";
import { DISABLED, PINNED, TEACHER_SITES } from "../evaluation/config-keys.ts";

/** A place that names a skill, and what its name does there. */
interface Named {
  readonly id: string;
  readonly range: Range;
  readonly inVain: string;
}

const SITE = /^(?:pf|handler)\./;

function namedBy({ path, at, text, range }: YamlWord): Named[] {
  const where = path.join("/");
  if (at === "value" && where === DISABLED)
    return [{ id: text, range, inVain: "so nothing is switched off" }];
  if (at === "value" && where === `selection/${PINNED}`)
    return [{ id: text, range, inVain: "so it cannot be pinned" }];
  const group = SITE.exec(text)?.[0];
  if (at === "value" || group === undefined || path.length !== 2 || path[0] !== TEACHER_SITES) return [];
  const start = { ...range.end, character: range.end.character - text.length + group.length };
  return [
    { id: text.slice(group.length), range: { start, end: range.end }, inVain: `so ${text} is no site` },
  ];
}

/**
 * Skills that a `hasp.yaml` switches off, pins or names as a site, and that its libraries do not have (HASP419), each at its place. `ids`: of
 * all skills of these libraries, those that are switched off too. Nothing where the file cannot be read; `parseWorkspaceConfig` says why.
 */
export function unknownSkills(text: string, file: string, ids: readonly string[]): readonly Diagnostic[] {
  const root = yamlTree(sourceText(text));
  if (root === undefined) return [];
  return [...wordsIn(root)].flatMap(namedBy).flatMap(({ id, range, inVain }): Diagnostic[] => {
    // What is no id at all was told by its reader.
    if (!SNAKE_CASE.test(id) || ids.includes(id)) return [];
    const match = closest(id, ids);
    return [
      {
        code: "HASP419",
        severity: "warning",
        message: `No skill of the libraries is called "${id}", ${inVain}.`,
        next: match === undefined ? "Check the libraries, or delete the entry." : `Did you mean "${match}"?`,
        file,
        range,
        ...(match !== undefined && {
          fixes: [{ title: `Write "${match}"`, edits: [{ range, newText: match }] }],
        }),
      },
    ];
  });
}
