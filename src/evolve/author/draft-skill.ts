import { openSkillChecks } from "../../app/check-skill.ts";
import type { Judging } from "../../app/ports.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { EvolveMode } from "../../model/evolution.ts";
import { REVIEWED_FILES } from "../../model/review.ts";
import type { Skill } from "../../model/skill.ts";
import { readSkillFolder } from "../../skill/read-skill.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import { kebabName } from "../../skill/skill-name.ts";
import type { ProposedFiles } from "./author-task.ts";

/** The frontmatter, with both of its fences. */
const FRONTMATTER = /^\uFEFF?---[^\S\n]*\n[\s\S]*?\n---[^\S\n]*(?:\n|$)/;

/** A proposed skill with the name under which it is kept. */
export interface NamedDraft {
  readonly files: ProposedFiles;
  /** kebab-case. */
  readonly name: string;
}

/**
 * The files as they are kept: the name in kebab-case, and version 1 without a suffix of the id, since the library gives the versions. A
 * SKILL.md without a usable name is kept as `unnamed`, and the checks say so.
 */
export function namedDraft(files: ProposedFiles): NamedDraft {
  const front = FRONTMATTER.exec(files["SKILL.md"])?.[0];
  if (front === undefined) return { files, name: "unnamed" };
  const id = front.replaceAll(/(\bskill_id:[^\S\n]*["']?\w*?)__v\d+/g, "$1");
  const versioned = id.replaceAll(/(^|[\s{,])(version:[^\S\n]*)["']?[\w.]+["']?/g, "$1$21");
  const written = /^name:[^\S\n]*["']?([^"'\n#]+)/m.exec(versioned)?.[1]?.trim() ?? "";
  const ownId = /\bskill_id:[^\S\n]*["']?(\w+)/.exec(versioned)?.[1] ?? "";
  const name = kebabName(written) || kebabName(ownId);
  if (name === "") return { files, name: "unnamed" };
  const header = versioned.replace(/^name:.*$/m, `name: ${name}`);
  const skillMd = header + files["SKILL.md"].slice(front.length);
  return { files: { ...files, "SKILL.md": skillMd }, name };
}

/** Files of one skill in memory. */
export function memoryFiles(folder: string, files: ProposedFiles): SkillFiles {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  return {
    readText: async (path, maxBytes) => {
      const text = texts.get(path);
      if (text === undefined) return { kind: "absent" };
      return text.length > maxBytes ? { kind: "too-large", size: text.length } : { kind: "text", text };
    },
    list: async (at) => (at === folder ? REVIEWED_FILES.filter((name) => files[name] !== undefined) : []),
  };
}

/** Findings of our checks on a draft. */
export interface CheckedDraft {
  readonly skill: Skill | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks a draft as `hasp validate` checks a skill in `folder`, which need not be there: SKILL.md, types and rules, cases, and, but for lite mode,
 * the mock calls and the cases in a sandbox.
 */
export async function checkDraft(
  { files }: NamedDraft,
  folder: string,
  mode: EvolveMode,
  { compiler, startHost }: Pick<Judging, "compiler" | "startHost">,
): Promise<CheckedDraft> {
  const inMemory = memoryFiles(folder, files);
  const read = await readSkillFolder(inMemory, compiler, folder);
  const checks = openSkillChecks({ files: inMemory, compiler, startHost });
  try {
    const runs = mode === "full";
    const mockCalls = runs ? "always" : "never";
    const { diagnostics } = await checks.check({ folder: read, mockCalls, cases: runs });
    return { skill: read.skill, diagnostics };
  } finally {
    await checks.close();
  }
}
