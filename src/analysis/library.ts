import type { Domain } from "../domains/domain.ts";
import { domainOf } from "../domains/registry.ts";
import { webSearch } from "../domains/web-search/web-search.ts";
import { byTurn } from "../harness/order.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import type { PfProgram, PfTraits, Skill } from "../model/skill.ts";
import type { LoadedPf, PfHost } from "../sandbox/pf-host.ts";
import type { SkillFolder } from "../skill/read-skill.ts";

/** A skill whose PF is loaded and can judge. */
export interface ActiveSkill {
  readonly skill: Skill;
  readonly program: PfProgram;
  readonly traits: PfTraits;
  /** The TypeScript source, for explanations. */
  readonly source: string;
}

/** What a run, a backtest or the replay judges with, in the order Γ asks: priority, then id (DESIGN.md, Γ). */
export interface Library {
  readonly active: readonly ActiveSkill[];
  /** Why skills that were found are not active. */
  readonly diagnostics: readonly Diagnostic[];
}

function notLoaded(folder: SkillFolder, program: PfProgram, pf: LoadedPf): Diagnostic[] {
  if (pf.ok) return [];
  const line = (pf.line ?? 1) - 1;
  return [
    {
      code: "HASP400",
      severity: "error",
      message: `${folder.skill?.skillId ?? folder.folder} cannot be used: ${pf.message}`,
      next: "Mend pf.ts; the other skills go on without it.",
      file: program.file,
      range:
        pf.line === undefined
          ? START_OF_FILE
          : { start: { line, character: 0 }, end: { line, character: 0 } },
    },
  ];
}

/** Of two skills with one id only the first is used (HASP401 says so to their author). */
function firstOfEach(folders: readonly SkillFolder[]): SkillFolder[] {
  const seen = new Set<string>();
  return folders.filter(
    ({ skill }) => skill !== undefined && !seen.has(skill.skillId) && seen.add(skill.skillId),
  );
}

/**
 * Loads the PFs of these folders into the host, replacing what it held. A folder without a PF, or whose PF does not
 * load, is left out with a diagnostic; nothing a PF does makes this reject.
 */
export async function openLibrary(folders: readonly SkillFolder[], host: PfHost): Promise<Library> {
  const usable = firstOfEach(folders);
  const programs = usable.flatMap((folder) => (folder.program === undefined ? [] : [folder.program]));
  const loaded = new Map((await host.load(programs)).map((pf) => [pf.skillId, pf]));
  const active: ActiveSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of usable) {
    const { skill, program, pfSource } = folder;
    if (skill === undefined || program === undefined || pfSource === undefined) continue;
    const pf = loaded.get(program.skillId);
    if (pf === undefined) continue;
    if (pf.ok) active.push({ skill, program, traits: pf.traits, source: pfSource });
    else diagnostics.push(...notLoaded(folder, program, pf));
  }
  return { active: active.toSorted((a, b) => byTurn(a.program, b.program)), diagnostics };
}

/** The domain of a skill: the folder above its own (`skills/<domain>/<name>`), else web-search. */
export function domainOfFolder(folder: string): Domain {
  const above = folder.split("/").at(-2) ?? "";
  return domainOf(above) ?? webSearch;
}
