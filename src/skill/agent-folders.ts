import type { SkillFiles } from "./skill-files.ts";

/** Where coding agents look for Agent Skills, from the root of a workspace: each skill is a folder right below. */
export const AGENT_SKILL_FOLDERS = [".github/skills", ".claude/skills", ".agents/skills"] as const;
export type AgentSkillFolder = (typeof AGENT_SKILL_FOLDERS)[number];

const BELOW = /(?:^|[/\\])\.(?:github|claude|agents)[/\\]skills(?:[/\\](.*))?$/;

/** Whether a path is one of these folders itself. */
export function isAgentFolder(path: string): boolean {
  const match = BELOW.exec(path.replace(/[/\\]+$/, ""));
  return match !== null && match[1] === undefined;
}

/**
 * Whether a skill's folder stands right below one of these: as a rule it is a copy that was published for coding agents, so it gives
 * way to a skill of the same id that stands elsewhere.
 */
export function isPublished(folder: string): boolean {
  const below = BELOW.exec(folder.replace(/[/\\]+$/, ""))?.[1];
  return below !== undefined && below !== "" && !/[/\\]/.test(below);
}

/** Whether a folder stands deeper below one of these, where no agent looks. */
export function isTooDeep(folder: string): boolean {
  const below = BELOW.exec(folder.replace(/[/\\]+$/, ""))?.[1];
  return below !== undefined && /[/\\]/.test(below);
}

/** The skill folders right below one of these; none where it is not there. */
export async function findPublished(
  files: Pick<SkillFiles, "list">,
  agentFolder: string,
): Promise<readonly string[]> {
  const names = await files.list(agentFolder).catch((): readonly string[] => []);
  const folders = names.filter((name) => !name.includes(".")).map((name) => `${agentFolder}/${name}`);
  const inside = await Promise.all(
    folders.map((folder) => files.list(folder).catch((): readonly string[] => [])),
  );
  return folders.filter((_, i) => inside[i]?.includes("SKILL.md") === true);
}

const HOMES: ReadonlySet<string> = new Set(AGENT_SKILL_FOLDERS.map((folder) => folder.split("/")[0] ?? ""));

/** Whether a folder of this name holds skills of coding agents in its `skills`. */
export function isAgentHome(name: string): boolean {
  return HOMES.has(name);
}

/** Published copies give way to the skill of the same id that they were made from. Order stays. */
export function withoutCopies<T>(
  skills: readonly T[],
  of: (skill: T) => { readonly folder: string; readonly skillId: string | undefined },
): T[] {
  const ids = new Set<string>();
  const first = [...skills].sort(
    (a, b) => Number(isPublished(of(a).folder)) - Number(isPublished(of(b).folder)),
  );
  const kept = new Set<T>();
  for (const skill of first) {
    const { folder, skillId } = of(skill);
    if (isPublished(folder) && skillId !== undefined && ids.has(skillId)) continue;
    kept.add(skill);
    if (skillId !== undefined) ids.add(skillId);
  }
  return skills.filter((skill) => kept.has(skill));
}
