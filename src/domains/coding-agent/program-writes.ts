import { patchChanges } from "./patch.ts";

/** Characters of a program's text that are looked at, and files that are taken from it. */
const LOOKED_AT = 20_000;
const MAX_FILES = 10;

/** Without one of these words a program writes no file. */
const MAY_WRITE = /\bopen\(|write_text|write_bytes|writeFile|File\.write|IO\.write|fileinput/;
const NAMED = /\b(\w{1,60})\s{0,4}=\s{0,4}(?:(?:pathlib\.)?Path\(\s{0,4})?[rf]?(["'])([^"'\n]{1,300})\2/g;
/** How a file is written whose name stands there as a text, or as a variable. */
const WRITTEN = [
  /\bopen\(\s{0,4}[rf]?(["'])([^"'\n]{1,300})\1\s{0,4},\s{0,4}(?:mode\s{0,2}=\s{0,2})?["'](?:[rb]{0,2}[wax+])/g,
  /\bopen\(\s{0,4}()(\w{1,60})\s{0,4},\s{0,4}(?:mode\s{0,2}=\s{0,2})?["'](?:[rb]{0,2}[wax+])/g,
  /\bPath\(\s{0,4}[rf]?(["'])([^"'\n]{1,300})\1\s{0,4}\)\.(?:write_(?:text|bytes)|open\(\s{0,4}["'][wax])/g,
  /\b()(\w{1,60})\.(?:write_(?:text|bytes)\(|open\(\s{0,4}["'][wax])/g,
  /\b(?:writeFile(?:Sync)?|File\.write|IO\.write)\(\s{0,4}(["'`])([^"'`\n]{1,300})\1/g,
  /\b(?:writeFile(?:Sync)?|File\.write|IO\.write)\(\s{0,4}()(\w{1,60})\s{0,4},/g,
  /\bfileinput\.(?:input|FileInput)\(\s{0,4}(?:files\s{0,2}=\s{0,2})?\[?(["'])([^"'\n]{1,300})\1/g,
  /\bfileinput\.(?:input|FileInput)\(\s{0,4}(?:files\s{0,2}=\s{0,2})?()(\w{1,60})\s{0,4},/g,
];
/** The last way to find them: texts that look like a file of code. */
const FILE_TEXT = /(["'])((?:[\w.@-]{1,80}\/){0,20}[\w.@-]{1,80}\.\w{1,5})\1/g;

/**
 * Files that a program writes, as its text says: the names that stand in its calls, or in the variables of these. Where a variable has no
 * text of its own, every text that looks like a file counts.
 */
export function writesInProgram(text: string): readonly string[] {
  const code = text.slice(0, LOOKED_AT);
  if (!MAY_WRITE.test(code)) return [];
  const values = new Map<string, string>();
  for (const [, name = "", , value = ""] of code.matchAll(NAMED)) values.set(name, value);
  const found = new Set<string>();
  for (const pattern of WRITTEN)
    for (const [, quote = "", name = ""] of code.matchAll(pattern)) {
      const value = quote === "" ? values.get(name) : name;
      if (value !== undefined) found.add(value);
      else for (const [, , path = ""] of code.matchAll(FILE_TEXT)) found.add(path);
    }
  return [...found].slice(0, MAX_FILES);
}

const PROGRAM = /\.(?:py|[cm]?[jt]s|rb|pl)$/i;
const PATCH = /\.(?:patch|diff)$/i;

/** Files that would be written if the file with this text were run, or applied as a patch. */
export function writesOfFile(path: string, text: string): readonly string[] {
  if (PATCH.test(path) || text.startsWith("diff --git ") || text.startsWith("--- "))
    return [...new Set(patchChanges(text.slice(0, LOOKED_AT)).map((change) => change.path))].slice(
      0,
      MAX_FILES,
    );
  return PROGRAM.test(path) ? writesInProgram(text) : [];
}
