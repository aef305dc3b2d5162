import type { Diagnostic, Fix, TextEdit } from "../model/diagnostic.ts";
import type { SkillFiles } from "./skill-files.ts";
import { skillMdText } from "./skill-md-bytes.ts";
import { sourceText } from "./source-text.ts";

/** Fixing one thing may uncover another, a few deep at most; more is a circle. */
const MOST_ROUNDS = 10;

/** The text with the edits, which do not overlap, in it; line breaks as the text has them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const source = sourceText(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const placed = edits.map(({ range, newText }) => ({
    start: source.offsetAt(range.start),
    end: source.offsetAt(range.end),
    newText: newText.replaceAll(/\r?\n/g, eol),
  }));
  let result = text;
  for (const { start, end, newText } of placed.toSorted((a, b) => b.start - a.start || b.end - a.end))
    result = result.slice(0, start) + newText + result.slice(end);
  return result;
}

const lastName = (file: string): string =>
  file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);

/** The edits of a fix by the name of the file in the skill's folder; none of a file that is written again as it stands. */
export function editsByFile(fix: Fix, diagnostic: Diagnostic): ReadonlyMap<string, readonly TextEdit[]> {
  const own = lastName(diagnostic.file ?? "");
  const files = new Map<string, TextEdit[]>(fix.rewrites === true ? [[own, []]] : []);
  for (const edit of fix.edits) {
    const name = edit.file === undefined ? own : lastName(edit.file);
    files.set(name, [...(files.get(name) ?? []), edit]);
  }
  return files;
}

function touches(a: TextEdit, b: TextEdit): boolean {
  const before = (x: TextEdit, y: TextEdit): boolean =>
    x.range.end.line < y.range.start.line ||
    (x.range.end.line === y.range.start.line && x.range.end.character < y.range.start.character);
  return !before(a, b) && !before(b, a);
}

/** The first fix of each finding that needs no person's choice, as far as they do not touch. */
function picked(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly TextEdit[]> {
  const taken = new Map<string, TextEdit[]>();
  for (const diagnostic of diagnostics) {
    const fix = diagnostic.fixes?.find(({ byHand }) => byHand !== true);
    if (fix === undefined || fix.renameFolder !== undefined || fix.deletes !== undefined) continue;
    const files = [...editsByFile(fix, diagnostic)];
    const isFree = files.every(([file, edits]) =>
      edits.every((edit) => !(taken.get(file) ?? []).some((other) => touches(edit, other))),
    );
    if (isFree) for (const [file, edits] of files) taken.set(file, [...(taken.get(file) ?? []), ...edits]);
  }
  return taken;
}

export interface FixedFile {
  readonly file: string;
  readonly before: string;
  /** The same as before where only its bytes change. */
  readonly after: string;
}

/** The files with some texts in place of what stands in them. */
function overlaid(files: SkillFiles, folder: string, texts: ReadonlyMap<string, string>): SkillFiles {
  return {
    ...files,
    async readText(path, maxBytes) {
      const text = path.startsWith(folder) ? texts.get(lastName(path)) : undefined;
      return text === undefined ? files.readText(path, maxBytes) : { kind: "text", text };
    },
  };
}

/**
 * Fixes a skill in memory: applies the fixes that are no person's choice, checks again, and so on until nothing is left to fix.
 * Fixing what was fixed changes nothing. Writes no file; gives those whose text is another now.
 */
export async function applyFixes(
  files: SkillFiles,
  folder: string,
  check: (files: SkillFiles, folder: string) => Promise<readonly Diagnostic[]>,
): Promise<readonly FixedFile[]> {
  const texts = new Map<string, string>();
  const originals = new Map<string, string>();
  const rewritten = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = picked(await check(overlaid(files, folder, texts), folder));
    if (edits.size === 0) break;
    for (const [name, some] of edits) {
      const found = texts.get(name) ?? (await textOf(files, `${folder}/${name}`));
      if (found === undefined) continue;
      if (!originals.has(name)) originals.set(name, found);
      texts.set(name, applyEdits(found, some));
      if (some.length === 0) rewritten.add(name);
    }
  }
  return [...texts].flatMap(([name, after]) => {
    const before = originals.get(name) ?? after;
    return before === after && !rewritten.has(name) ? [] : [{ file: `${folder}/${name}`, before, after }];
  });
}

/** The text that a finding's places are in. */
async function textOf(files: SkillFiles, path: string): Promise<string | undefined> {
  const found = await files.readText(path, Number.MAX_SAFE_INTEGER);
  if (found.kind !== "text") return undefined;
  return lastName(path) === "SKILL.md" ? skillMdText(found) : found.text;
}
