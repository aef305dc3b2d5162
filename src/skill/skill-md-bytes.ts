import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { readBytes, withLineFeeds, type OddBytes } from "./text-bytes.ts";

/** A SKILL.md as `SkillFiles` found it. */
interface Found {
  /** In an editor, the text as it stands there; else the bytes read as UTF-8. */
  readonly text: string;
  readonly bytes?: Uint8Array | undefined;
}

type Rule = Pick<Diagnostic, "code" | "severity" | "message" | "next">;

const RULES: { readonly [K in OddBytes["kind"]]: (odd: Extract<OddBytes, { kind: K }>) => Rule } = {
  mark: () => ({
    code: "HASP124",
    severity: "warning",
    message:
      "The file begins with a byte order mark (BOM). Codex and other hosts then find no frontmatter and pass over the skill without a word.",
    next: "Save the file as UTF-8 without the mark.",
  }),
  "utf-16": () => ({
    code: "HASP125",
    severity: "error",
    message: "The file is UTF-16. Hosts read UTF-8 and pass over the skill, or read it as garbage.",
    next: "Save the file as UTF-8.",
  }),
  "not-utf-8": ({ byte, asWindows }) => ({
    code: "HASP125",
    severity: "error",
    message: `Byte 0x${byte.toString(16).toUpperCase()} is not UTF-8 here. Codex refuses the file, and other hosts read a replacement character.`,
    next: `Save the file as UTF-8${asWindows === undefined ? "" : "; it looks like Windows-1252 (Latin-1)"}.`,
  }),
  "carriage-return": () => ({
    code: "HASP125",
    severity: "error",
    message:
      "The lines end with a carriage return alone. Hosts take the whole file for one line and find no frontmatter.",
    next: "Save the file with line feeds (LF).",
  }),
};

function ruleOf(odd: OddBytes): Rule {
  return (RULES[odd.kind] as (odd: OddBytes) => Rule)(odd);
}

function fixesOf(odd: OddBytes, source: SourceText, isSaved: boolean): readonly Fix[] {
  if (odd.kind === "mark") return [{ title: "Remove the byte order mark", edits: [], rewrites: true }];
  if (odd.kind === "utf-16") return [{ title: "Save as UTF-8", edits: [], rewrites: true }];
  if (odd.kind === "carriage-return") return [{ title: "Save with line feeds", edits: [], rewrites: true }];
  if (odd.asWindows === undefined || !isSaved) return [];
  const range = source.range(0, source.text.length);
  const title = "Read it as Windows-1252, and write UTF-8";
  return [{ title, edits: [{ range, newText: odd.asWindows }], byHand: true }];
}

function withoutOddities({ text, bytes }: Found): {
  text: string;
  odd: readonly OddBytes[];
  isSaved: boolean;
} {
  if (bytes === undefined) return { text, odd: [], isSaved: true };
  const read = readBytes(bytes);
  // Bytes of UTF-16 that were read as UTF-8; an editor has decoded them.
  const isGarbage = read.odd.some(({ kind }) => kind === "utf-16") && text.includes("\0");
  const shown = withLineFeeds((isGarbage ? read.text : text).replace(/^\uFEFF+/, ""));
  return { text: shown, odd: read.odd, isSaved: shown === withLineFeeds(read.text) };
}

/** The text of a SKILL.md, whatever the encoding of its bytes. */
export const skillMdText = (found: Found): string => withoutOddities(found).text;

/** The same, and what keeps hosts from reading these bytes. */
export function readSkillMdBytes(
  file: string,
  found: Found,
): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const { text, odd, isSaved } = withoutOddities(found);
  if (odd.length === 0) return { text, diagnostics: [] };
  const source = sourceText(text);
  const diagnostics = odd.map((one): Diagnostic => {
    const range = one.kind === "not-utf-8" ? source.range(one.at, one.at + 1) : source.firstLine();
    const fixes = fixesOf(one, source, isSaved);
    return { ...ruleOf(one), file, range, ...(fixes.length > 0 && { fixes }) };
  });
  return { text, diagnostics };
}
