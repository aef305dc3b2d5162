import * as vscode from "vscode";
import type { SkillClass } from "../../skill/skill-class.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { CachedCompiler } from "../../skill/cached-compiler.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import type { LocatedSkill } from "./library.ts";

/** Facts about a skill beyond its SKILL.md. */
export interface SkillFact {
  /** Undefined until its code has been looked at. */
  readonly skillClass: SkillClass | undefined;
  /** Why it does not act; undefined where it does, or cannot be read. */
  readonly idle: Diagnostic | undefined;
}

export interface SkillFacts extends vscode.Disposable {
  /** By the path of the skill's folder. Never waits for the compiler: what is not known yet comes with `onDidChange`. */
  of(skills: readonly LocatedSkill[]): Promise<ReadonlyMap<string, SkillFact>>;
  readonly onDidChange: vscode.Event<void>;
}

interface Services {
  /** Sees unsaved text. */
  readonly files: NodeFiles;
  readonly compiler: Pick<CachedCompiler, "domains" | "promptEquivalence" | "skillMd">;
  readonly log: vscode.LogOutputChannel;
}

/** Neither code nor cases are looked at: that would take turns with the checks of what is being typed. */
const nothing = async () => ({ value: undefined, diagnostics: [] });

/** Why skills of these folders do not act, by folder; the rules of a run's library (HASP401, HASP405, HASP406, HASP431). */
async function idleSkills(folders: readonly SkillFolder[]): Promise<ReadonlyMap<string, Diagnostic>> {
  const { actingSkills } = await import("../../skill/library-rules.ts");
  const acting = actingSkills(folders);
  const acts = new Set<SkillFolder>(acting.folders);
  return new Map(
    folders.flatMap((folder) => {
      const why = acting.diagnostics.find(({ file }) => file === `${folder.folder}/SKILL.md`);
      return acts.has(folder) || why === undefined ? [] : [[folder.folder, why] as const];
    }),
  );
}

/** Looks at the library's code, one `pf.ts` once for each of its texts. */
export function openSkillFacts({ files, compiler, log }: Services): SkillFacts {
  const changed = new vscode.EventEmitter<void>();
  /** By source; a class depends on nothing else. */
  const known = new Map<string, SkillClass>();
  const asked = new Set<string>();

  async function classify(folders: readonly SkillFolder[]): Promise<void> {
    const fresh = folders.filter(({ pfSource }) => pfSource !== undefined && !asked.has(pfSource));
    if (fresh.length === 0) return;
    const { classifySkills } = await import("../../skill/skill-class.ts");
    for (const { pfSource } of fresh) asked.add(pfSource ?? "");
    for (const folder of fresh) {
      const [found] = await classifySkills([folder], compiler);
      if (found !== undefined) known.set(folder.pfSource ?? "", found.skillClass);
    }
    changed.fire();
  }

  const lean = {
    domains: () => compiler.domains(),
    transpile: nothing,
    readCases: nothing,
    skillMd: compiler.skillMd,
  };

  async function of(skills: readonly LocatedSkill[]): Promise<ReadonlyMap<string, SkillFact>> {
    const { readSkillFolder } = await import("../../skill/read-skill.ts");
    const folders = await fewAtATime(skills, async ({ uri, domain, isDisabled }) => ({
      ...(await readSkillFolder(files, lean, uri.fsPath)),
      path: uri.path,
      domain,
      isDisabled,
    }));
    const domains = [...Map.groupBy(folders, ({ domain }) => domain).values()];
    const idle = new Map((await Promise.all(domains.map(idleSkills))).flatMap((some) => [...some]));
    void classify(folders).catch((error: unknown) =>
      log.warn("The skills could not be classified", String(error)),
    );
    const classOf = (source: string | undefined) => (source === undefined ? "none" : known.get(source));
    return new Map(
      folders.map(({ path, folder, pfSource }) => [
        path,
        { skillClass: classOf(pfSource), idle: idle.get(folder) },
      ]),
    );
  }
  return { of, onDidChange: changed.event, dispose: () => changed.dispose() };
}
