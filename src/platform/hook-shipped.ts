import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { HookSkills } from "../agents/hook/library.ts";
import type { RealmImage } from "../sandbox/realm-image.ts";
import { replaceSync } from "./sync-files.ts";

/** The shipped skills of coding agents, compiled when HASP was built. They lie beside the bundle. */
export interface ShippedSkills extends HookSkills {
  /** The sandbox with their PFs loaded, without its bytes. Absent where none could be made. */
  readonly realm: ShippedRealm | undefined;
}

interface ShippedRealm extends Omit<RealmImage, "bytes"> {
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

const LIBRARY = "hook-library.json";
const REALM = "hook-realm.bin";
/** A package is installed by one user and used by others. */
const READABLE = 0o644;

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Writes the skills and the image of their sandbox into the folder of a build. */
export function writeShipped(folder: string, skills: HookSkills, image: RealmImage | undefined): void {
  const { bytes, ...rest } = image ?? { bytes: undefined };
  const realm = bytes === undefined ? undefined : { ...rest, digest: digestOf(bytes) };
  replaceSync(path.join(folder, LIBRARY), JSON.stringify({ ...skills, realm }), READABLE);
  if (bytes !== undefined) replaceSync(path.join(folder, REALM), bytes, READABLE);
}

/** Throws where the folder is no build of ours. */
export function readShipped(folder: string): ShippedSkills {
  return JSON.parse(fs.readFileSync(path.join(folder, LIBRARY), "utf8")) as ShippedSkills;
}

/** The image with its bytes; undefined where they are not those that were written, and the sandbox is to be filled instead. */
export function readRealm(folder: string, { realm }: ShippedSkills): RealmImage | undefined {
  if (realm === undefined) return undefined;
  try {
    const bytes = fs.readFileSync(path.join(folder, REALM));
    const { digest, ...image } = realm;
    return digestOf(bytes) === digest ? { ...image, bytes } : undefined;
  } catch {
    return undefined;
  }
}
