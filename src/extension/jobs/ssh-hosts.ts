import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

/** Files that one configuration may include, one in another. */
const DEEPEST = 8;
const MOST_FILES = 100;

/** Words of a line, of which some may be in double quotes. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

function textAt(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // One that is not there, or is not the person's to read, names no hosts.
    return "";
  }
}

/** The files that a name with `*` and `?` in its last part means. */
function matching(pattern: string): readonly string[] {
  if (!/[*?]/.test(basename(pattern))) return [pattern];
  const form = basename(pattern)
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  try {
    const names = readdirSync(dirname(pattern)).filter((name) => new RegExp(`^${form}$`).test(name));
    return names.toSorted().map((name) => join(dirname(pattern), name));
  } catch {
    return [];
  }
}

function placeOf(name: string, folder: string, home: string): string {
  if (name.startsWith("~/")) return join(home, name.slice(2));
  return isAbsolute(name) ? name : join(folder, name);
}

/**
 * The hosts that `~/.ssh/config` and the files that it includes name, in their order: aliases without a pattern. `home`: the person's home
 * folder. Files that cannot be read name none.
 */
export function sshHosts(home = homedir()): readonly string[] {
  const folder = join(home, ".ssh");
  const hosts = new Set<string>();
  const seen = new Set<string>();
  const read = (file: string, depth: number): void => {
    if (seen.has(file) || depth > DEEPEST || seen.size >= MOST_FILES) return;
    seen.add(file);
    for (const line of textAt(file).split(/\r?\n/)) {
      const [, key = "", rest = ""] = /^\s*(\w+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
      const words = wordsOf(rest);
      if (/^host$/i.test(key)) for (const word of words) if (/^[^-*?!][^*?!]*$/.test(word)) hosts.add(word);
      if (/^include$/i.test(key))
        for (const name of words)
          for (const one of matching(placeOf(name, folder, home))) read(one, depth + 1);
    }
  };
  read(join(folder, "config"), 0);
  return [...hosts];
}
