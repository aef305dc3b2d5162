import type { Domain } from "../domains/domain.ts";
import { defaultDomain, domainOf, domainOfRecord } from "../domains/registry.ts";
import { byTurn } from "../harness/order.ts";
import { actsIn, type LibrarySkill } from "../harness/select/select.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { domainFolderOf, isShipped } from "../model/domain-folder.ts";
import type { PfProgram, PfTraits, Skill } from "../model/skill.ts";
import type { LoadedPf, PfHost } from "../sandbox/pf-host.ts";
import { isPublished } from "../skill/agent-folders.ts";
import { actingSkills } from "../skill/library-rules.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { KeptSkill } from "../trace/library-store.ts";

/** A skill whose PF is loaded and can judge. */
export interface ActiveSkill {
  readonly skill: Skill;
  readonly program: PfProgram;
  readonly traits: PfTraits;
  /** The domain whose folder it stands in, where it stands in one. */
  readonly domain?: string | undefined;
  /** The TypeScript source, for explanations. */
  readonly source: string;
}

/** What a run, a backtest or the replay judges with, in the order Γ asks: priority, then id (DESIGN.md, Γ). */
export interface Library {
  /** Every skill that acts, also one of text alone; in the same order. */
  readonly skills: readonly LibrarySkill[];
  readonly active: readonly ActiveSkill[];
  /** The texts of all that act, in the same order. */
  readonly kept: readonly KeptSkill[];
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
      next: "Fix pf.ts; the other skills go on without it.",
      file: program.file,
      range:
        pf.line === undefined
          ? START_OF_FILE
          : { start: { line, character: 0 }, end: { line, character: 0 } },
    },
  ];
}

/** Why a folder brings no skill, or a skill no Program Function: what its author has to fix. */
function faultsOf({ folder, skill, program, isMisplaced, diagnostics }: SkillFolder): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (skill === undefined || isMisplaced === true) return errors;
  return program === undefined ? errors.filter(({ file }) => file === `${folder}/pf.ts`) : [];
}

/** One skill for a question about it alone: it answers although it is switched off, or still the template's. */
export function asIfActing(folder: SkillFolder): SkillFolder {
  return { ...folder, isDisabled: false, isTemplate: false };
}

/**
 * Loads the PFs of these folders into the host, replacing what it held. A skill without a PF, or whose PF does not load, takes part
 * with its text alone; one that cannot be read, is disabled, still the template's, an older version or superseded is left out. Each has its diagnostic, and nothing
 * that one of them does keeps the others from acting or makes this reject.
 */
export async function openLibrary(folders: readonly SkillFolder[], host: PfHost): Promise<Library> {
  const acting = actingSkills(folders);
  const programs = acting.folders.flatMap(({ program }) => program ?? []);
  const loaded = new Map((await host.load(programs)).map((pf) => [pf.skillId, pf]));
  const skills: LibrarySkill[] = [];
  const active: ActiveSkill[] = [];
  const kept: KeptSkill[] = [];
  const diagnostics: Diagnostic[] = [...folders.flatMap(faultsOf), ...acting.diagnostics];
  for (const folder of acting.folders) {
    const { skill, program, pfSource, promptEquivalent: promptOnly, fixedTexts = [] } = folder;
    const pf = program === undefined ? undefined : loaded.get(program.skillId);
    const judges = program !== undefined && pfSource !== undefined && pf?.ok === true;
    const domain = homeOf(folder.folder)?.name;
    skills.push({
      skill,
      program: judges ? program : undefined,
      promptOnly,
      fixedTexts,
      domain,
      shipped: isShipped(folder.folder),
    });
    kept.push(keptFrom(folder, skill, domain));
    if (judges) active.push({ skill, program, traits: pf.traits, source: pfSource, domain });
    else if (program !== undefined && pf !== undefined) diagnostics.push(...notLoaded(folder, program, pf));
  }
  return {
    skills: skills.toSorted((a, b) => byTurn(a.skill, b.skill)),
    active: active.toSorted((a, b) => byTurn(a.program, b.program)),
    kept: kept.toSorted((a, b) => byTurn(a, b)),
    diagnostics,
  };
}

/** The last part of a path. */
function lastOf(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== "") ?? folder;
}

function keptFrom(
  { folder, skillMd = "", pfSource: pf }: SkillFolder,
  { skillId, version, priority }: Skill,
  domain: string | undefined,
): KeptSkill {
  return { skillId, version, priority, name: lastOf(folder), domain, skillMd, pf };
}

function homeOf(folder: string): Domain | undefined {
  return domainOf(domainFolderOf(folder).domain ?? "");
}

/** Of a library those that may judge an episode of this domain; those of `agent` where it is not registered. */
export function activeIn({ active }: Pick<Library, "active">, domain: string): readonly ActiveSkill[] {
  const { name } = domainOfRecord({ domain, actionTypes: [] });
  return active.filter((one) => actsIn(one, name));
}

/**
 * The domain of a skill: the folder of a domain above its own (`skills/<domain>/<name>`), else the first registered one of its `applicable_modes`, as a
 * copy that was published for coding agents has no domain folder; else the default domain.
 */
export function domainOfFolder(folder: string, modes: readonly string[] = []): Domain {
  const named = isPublished(folder) ? modes.flatMap((mode) => domainOf(mode) ?? []) : [];
  return homeOf(folder) ?? named[0] ?? defaultDomain();
}
