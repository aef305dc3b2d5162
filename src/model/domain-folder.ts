/** The folder in a domain's folder that holds the skills which an evolution wrote: `generated/<skill_id>__v<N>/<name>`. */
export const GENERATED_FOLDER = "generated";
/** In the folder of generated skills: versions that were taken out, and one that is being written. Readers of skills enter no hidden folder. */
export const RETIRED_FOLDER = ".retired";
export const INCOMING_FOLDER = ".incoming";

/** A version of a generated skill, as its folder names it. */
export interface VersionName {
  /** Base id, without the version. */
  readonly skillId: string;
  readonly version: number;
}

/** `late_read__v2`. */
export const versionFolder = ({ skillId, version }: VersionName): string => `${skillId}__v${version}`;

/** The version that a folder names; undefined for any other name. */
export function versionOfFolder(name: string): VersionName | undefined {
  const [, skillId, version] = /^([a-z][a-z0-9_]*?)__v([1-9]\d{0,8})$/.exec(name) ?? [];
  return skillId === undefined ? undefined : { skillId, version: Number(version) };
}

/** Whether the path of a skill's folder is that of a version of a generated skill. */
export function isGenerated(folder: string): boolean {
  const [version = "", generated] = folder.split(/[/\\]/).slice(0, -1).reverse();
  return generated === GENERATED_FOLDER && versionOfFolder(version) !== undefined;
}

/** Skills that came with HASP Studio are named `builtin:<domain>/<name>`. */
const SHIPPED = /^builtin:/;

/** Whether the path of a skill's folder is that of a skill that came with HASP Studio. */
export function isShipped(folder: string): boolean {
  return SHIPPED.test(folder);
}

/** Parts of a path above a skill's own folder, the nearest first, without the folders between it and that of its domain. */
function partsAbove(folder: string): readonly string[] {
  const parts = folder.split(/[/\\]/).slice(0, -1).reverse();
  return isGenerated(folder) ? parts.slice(2) : parts;
}

/**
 * The name of the folder that is that of the domain of a skill's folder, be the domain registered or not: `<domain>/<name>`, or
 * `<domain>/generated/<skill_id>__v<N>/<name>`. `above` is the name of the folder that this one is in. Undefined where the path ends before.
 */
export function domainFolderOf(folder: string): {
  readonly domain: string | undefined;
  readonly above: string | undefined;
} {
  const [domain, above] = partsAbove(folder);
  return { domain: domain?.replace(SHIPPED, ""), above };
}

/** Whether a path can be that of the folder of generated skills, of `domain` where one is named: `…/<domain>/generated`. */
export function isGeneratedFolder(path: string, domain?: string): boolean {
  const isNamed = /(?:^|[/\\])generated$/.test(path);
  return isNamed && (domain === undefined || domainFolderOf(path).domain === domain);
}

/** How many folders a skill's folder is below the one that holds the folders of domains. */
export function depthInLibrary(folder: string): number {
  const all = folder.split(/[/\\]/).length - 1;
  return all - partsAbove(folder).length + 2;
}

/** Whether a path leads into a folder of generated skills that were taken out, or are being written. */
export function isSetAside(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return parts.some(
    (name, i) => (name === RETIRED_FOLDER || name === INCOMING_FOLDER) && parts[i - 1] === GENERATED_FOLDER,
  );
}
