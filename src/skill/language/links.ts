import type { Range } from "../../model/diagnostic.ts";
import { hasPage } from "../rule-table.ts";
import { sourceText } from "../source-text.ts";

/** Something in a text that leads elsewhere. */
export type TextLink = { readonly range: Range } & (
  | { readonly kind: "rule"; readonly code: string }
  | { readonly kind: "skill"; readonly skillId: string }
  /** The query of a link to a step, as the replay copies it. */
  | { readonly kind: "step"; readonly query: string }
);

/** Ids that a person puts between backticks, codes of rules, links to steps. */
const LINKS =
  /\b(HASP\d{3})\b|\b[a-z][a-z-]*:\/\/hasp-studio\.hasp-studio\/step\?([^\s)>\]"'`]+)|`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g;

/** The links of a SKILL.md, cases.yaml or pf.ts. `ids` are those of the library. */
export function linksIn(text: string, ids: ReadonlySet<string>): readonly TextLink[] {
  const source = sourceText(text);
  return [...text.matchAll(LINKS)].flatMap(
    ({ 0: whole, 1: code, 2: query, 3: skillId, index }): TextLink[] => {
      const range = source.range(index, index + whole.length);
      if (code !== undefined) return hasPage(code) ? [{ kind: "rule", code, range }] : [];
      if (query !== undefined) return [{ kind: "step", query, range }];
      if (skillId === undefined || !ids.has(skillId)) return [];
      return [{ kind: "skill", skillId, range: source.range(index + 1, index + whole.length - 1) }];
    },
  );
}
