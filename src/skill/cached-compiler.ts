import type { SkillCase } from "../model/case.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Compiler } from "./compiler.ts";
import type { ReadSkillMd } from "./read-skill.ts";

/** A compiler that keeps, of each file, what it said of its latest text, and reads SKILL.md and cases.yaml likewise. */
export interface CachedCompiler extends Compiler {
  /** Its reader is loaded with the first text. */
  skillMd(file: string, text: string): Promise<ReadSkillMd>;
  /** In the compiler's thread: a long cases.yaml takes tens of milliseconds. */
  readCases(file: string, text: string): Promise<Checked<readonly SkillCase[]>>;
}

/** Files of which something is kept; no workspace has as many. */
const MOST_FILES = 5_000;

/** Answers the latest text of a file from memory. What fails is not kept. */
function latest<T>(make: (file: string, text: string) => T): (file: string, text: string) => T {
  const known = new Map<string, { readonly text: string; readonly made: T }>();
  return (file, text) => {
    const found = known.get(file);
    if (found?.text === text) return found.made;
    const made = make(file, text);
    const entry = { text, made };
    const oldest = known.keys().next().value;
    if (known.size >= MOST_FILES && oldest !== undefined) known.delete(oldest);
    known.set(file, entry);
    if (made instanceof Promise)
      made.catch(() => {
        if (known.get(file) === entry) known.delete(file);
      });
    return made;
  };
}

/**
 * For an editor, which reads the whole library after each pause in typing, of which one file has changed. What is answered depends on the
 * file's name and text alone, and must not be changed by those who get it.
 */
export function cachedCompiler(compiler: Compiler): CachedCompiler {
  return {
    domains: () => compiler.domains(),
    check: latest((file, source) => compiler.check(file, source)),
    transpile: latest((file, source) => compiler.transpile(file, source)),
    instrument: (file, source) => compiler.instrument(file, source),
    promptEquivalence: latest((file, source) => compiler.promptEquivalence(file, source)),
    parseCases: (file, text) => compiler.parseCases(file, text),
    close: () => compiler.close(),
    skillMd: latest(async (file, text) =>
      (await import("./read-skill.ts")).readSkillMd(file, text, await compiler.domains()),
    ),
    readCases: latest((file, text) => compiler.parseCases(file, text)),
  };
}
