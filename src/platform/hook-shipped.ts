import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CompiledSkills, HookSkills } from "../agents/hook/library.ts";
import type { RealmImage } from "../sandbox/realm-image.ts";
import type { KeptSkill } from "../trace/library-store.ts";
import { isInstalledFolder } from "./own-folder.ts";
import { replaceSync } from "./sync-files.ts";

/** The shipped skills of coding agents, compiled when HASP was built. They lie beside the bundle. */
export interface ShippedSkills extends HookSkills {
  /** The sandbox with their PFs loaded, without its bytes. Absent where none could be made. */
  readonly realm: ShippedRealm | undefined;
}

interface ShippedRealm extends Omit<RealmImage, "bytes"> {
  /** SHA-256 of its bytes, and of what else is said here. */
  readonly digest: string;
}

const LIBRARY = "hook-library.json";
const REALM = "hook-realm.bin";
/** Apart from the library: only the end of a session needs them. */
const TEXTS = "hook-texts.json";
/** A package is installed by one user and used by others. */
const READABLE = 0o644;

function digestOf({ bytes, mark, anchor, guest, answers, pages }: RealmImage): string {
  const about = JSON.stringify([mark, anchor, guest, answers, pages]);
  return createHash("sha256").update(bytes).update(about).digest("hex");
}

function realmOf(image: RealmImage): ShippedRealm {
  const { bytes: _, ...rest } = image;
  return { ...rest, digest: digestOf(image) };
}

/** Writes the skills and the image of their sandbox into the folder of a build. */
export function writeShipped(
  folder: string,
  { kept, ...skills }: CompiledSkills,
  image: RealmImage | undefined,
): void {
  const skillsAndRealm = JSON.stringify({ ...skills, realm: image && realmOf(image) });
  replaceSync(path.join(folder, TEXTS), JSON.stringify(kept), READABLE);
  replaceSync(path.join(folder, LIBRARY), skillsAndRealm, READABLE);
  if (image !== undefined) replaceSync(path.join(folder, REALM), image.bytes, READABLE);
}

/** Throws where the folder is no build of ours. */
export function readShipped(folder: string): ShippedSkills {
  return JSON.parse(fs.readFileSync(path.join(folder, LIBRARY), "utf8")) as ShippedSkills;
}

/** The texts of the shipped skills. Throws where the folder is no build of ours. */
export function readShippedTexts(folder: string): readonly KeptSkill[] {
  return JSON.parse(fs.readFileSync(path.join(folder, TEXTS), "utf8")) as KeptSkill[];
}

/**
 * The image with its bytes; undefined where it is not what was written, or lies where everybody may write, and the sandbox is to be filled
 * instead.
 */
export function readRealm(folder: string, { realm }: ShippedSkills): RealmImage | undefined {
  if (realm === undefined) return undefined;
  try {
    if (!isInstalledFolder(fs.realpathSync(folder))) return undefined;
    const { digest, ...rest } = realm;
    const image = { ...rest, bytes: fs.readFileSync(path.join(folder, REALM)) };
    return digestOf(image) === digest ? image : undefined;
  } catch {
    return undefined;
  }
}
