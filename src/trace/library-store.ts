import type { SkillRef } from "../model/episode.ts";
import type { Sha256, TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { withinFolder } from "./within-folder.ts";

/** 128 bits: two skills with one hash are infeasible to make. */
const HASH_CHARS = 32;
/** No skill is larger: as much as a reader of skills takes. */
const MAX_BYTES = 10_000_000;

/** The texts of one skill. */
export interface SkillTexts {
  readonly skillMd: string;
  /** Undefined: the skill has no Program Function. */
  readonly pf: string | undefined;
}

/** A skill with its texts and its place in a library. */
export interface KeptSkill extends SkillTexts {
  readonly skillId: string;
  readonly version: number;
  /** As Γ orders skills. */
  readonly priority: number;
  /** Name of its folder, and of the one above where that is a domain's. */
  readonly name: string;
  readonly domain: string | undefined;
}

/** Names a skill by its texts: an edit of SKILL.md or pf.ts gives another hash. */
export function textsHash(sha256: Sha256, { skillMd, pf }: SkillTexts): string {
  return sha256(JSON.stringify([skillMd, pf ?? null])).slice(0, HASH_CHARS);
}

export function skillRef(sha256: Sha256, skill: KeptSkill): SkillRef {
  const { skillId, version } = skill;
  return { skillId, version, hash: textsHash(sha256, skill) };
}

/** The folder of one skill's texts: a library of its own, so that any reader of skills reads it. Undefined for what is no hash. */
export function keptFolder(runFolder: string, hash: string): string | undefined {
  return /^[0-9a-f]{14,64}$/.test(hash) ? `${runPaths(runFolder).library}/${hash}` : undefined;
}

/**
 * Puts the texts of the skills into a run folder, each once: an episode names its library by hash alone. `hide` removes known secrets; a
 * text that had one no longer fits its hash, and its reader says so. Rejects on I/O errors.
 */
export async function keepLibrary(
  files: Pick<TraceFiles, "stat" | "makeFolder" | "writeAtomic">,
  runFolder: string,
  skills: readonly KeptSkill[],
  { sha256, hide }: { readonly sha256: Sha256; readonly hide: (text: string) => string },
): Promise<void> {
  const encoder = new TextEncoder();
  for (const skill of skills) {
    const { name, domain, skillMd, pf } = skill;
    const root = keptFolder(runFolder, textsHash(sha256, skill));
    if (root === undefined) continue;
    const folder = [root, domain, name].filter((part) => part !== undefined).map(String);
    const path = folder.map((part, i) => (i === 0 ? part : encodeURIComponent(part))).join("/");
    if ((await files.stat(`${path}/SKILL.md`)) !== undefined) continue;
    await files.makeFolder(path);
    if (pf !== undefined) await files.writeAtomic(`${path}/pf.ts`, encoder.encode(hide(pf)));
    // Last: a folder with it is whole.
    await files.writeAtomic(`${path}/SKILL.md`, encoder.encode(hide(skillMd)));
  }
}

/** A file of a kept library, from the run folder, with `/`. */
interface KeptFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Files of a skill that are kept. */
const KEPT = new Set(["SKILL.md", "pf.ts"]);
const KEPT_TEXT = /\/library\/[0-9a-f]{14,64}(?:\/[^/]+){1,2}\/(?:SKILL\.md|pf\.ts)$/;

/** Whether a path with `/` is that of a text which a run folder keeps. */
export function isKeptText(path: string): boolean {
  return KEPT_TEXT.test(path);
}

/**
 * Every kept text of a run folder, in a fixed order. Passes over files that no run writes there, and over links that lead out of the
 * folder. Rejects on I/O errors.
 */
export async function* keptFiles(files: TraceFiles, runFolder: string): AsyncGenerator<KeptFile> {
  const { library } = runPaths(runFolder);
  const hashes = await files.list(library);
  if (hashes.length === 0) return;
  const isWithin = await withinFolder(files, runFolder);
  const below = async function* (folder: string, depth: number): AsyncGenerator<KeptFile> {
    for (const name of await files.list(folder)) {
      const path = `${folder}/${name}`;
      const found = (await isWithin(path)) ? await files.stat(path) : undefined;
      if (found === undefined) continue;
      if (found.isFile && KEPT.has(name) && found.size <= MAX_BYTES)
        yield { path: path.slice(runFolder.length + 1), bytes: await files.read(path, 0, found.size) };
      // `<hash>/<domain>/<name>/<file>` is as deep as it gets.
      else if (!found.isFile && depth < 2) yield* below(path, depth + 1);
    }
  };
  for (const hash of hashes) {
    const folder = keptFolder(runFolder, hash);
    if (folder !== undefined && (await isWithin(folder))) yield* below(folder, 0);
  }
}

/**
 * Copies the kept libraries of one run folder into another, without the files in `already`, paths from a run folder; adds those it
 * copies to it. Rejects on I/O errors.
 */
export async function copyLibraries(
  files: TraceFiles,
  [from, to]: readonly [from: string, to: string],
  already: Set<string>,
): Promise<void> {
  for await (const { path, bytes } of keptFiles(files, from)) {
    if (already.has(path)) continue;
    already.add(path);
    await files.makeFolder(`${to}/${path.slice(0, path.lastIndexOf("/"))}`);
    await files.writeAtomic(`${to}/${path}`, bytes);
  }
}
