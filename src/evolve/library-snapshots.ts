import type { Checked } from "../model/diagnostic.ts";
import { versionFolder } from "../model/domain-folder.ts";
import {
  librarySnapshotSchema,
  SNAPSHOT_SCHEMA,
  type LibrarySnapshot,
  type SnapshotVersion,
} from "../model/library-history.ts";
import { parseJson } from "../model/read-json.ts";
import { REVIEWED_FILES } from "../model/review.ts";
import { METADATA_FILE } from "../review/metadata-file.ts";
import type { Clock } from "../trace/ports.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import {
  fingerprintOfVersion,
  generatedVersions,
  libraryFailure,
  type GeneratedVersion,
} from "./generated-versions.ts";
import type { LibraryFiles } from "./library-files.ts";

/** The file that is written last: with it, a snapshot is whole. */
export const SNAPSHOT_FILE = "library.json";
const MAX_BYTES = 10_000_000;
/** Files of a generated skill that are copied. */
const COPIED = [...REVIEWED_FILES, METADATA_FILE] as const;

/** A version that is in the library, with its hashes. */
export interface HashedVersion extends SnapshotVersion {
  readonly place: GeneratedVersion;
}

/** The versions in a library, the retired ones left out. Rejects on I/O errors. */
export async function hashedVersions(
  files: Pick<LibraryFiles, "readText" | "list">,
  library: string,
  isRetired = false,
): Promise<readonly HashedVersion[]> {
  const versions = (await generatedVersions(files, library)).filter((one) => one.isRetired === isRetired);
  return Promise.all(
    versions.map(async (place) => {
      const { skillId, version, name, acts } = place;
      const { hash, files: texts } = await fingerprintOfVersion(files, place);
      const known = Object.entries(texts).flatMap(([file, one]) => (one === undefined ? [] : [[file, one]]));
      return { skillId, version, name, acts, hash, files: Object.fromEntries(known), place };
    }),
  );
}

/** The folder in which a snapshot keeps its copy of a version. */
export const copyFolder = (snapshot: string, one: Pick<SnapshotVersion, "skillId" | "version" | "name">) =>
  `${snapshot}/${versionFolder(one)}/${one.name}`;

/** Copies the files of a skill that are there into another folder. Rejects on I/O errors. */
export async function copySkill(
  files: Pick<LibraryFiles, "readText" | "writeText">,
  from: string,
  to: string,
): Promise<void> {
  for (const name of COPIED) {
    const found = await files.readText(`${from}/${name}`, MAX_BYTES);
    if (found.kind === "text") await files.writeText(`${to}/${name}`, found.text);
  }
}

/** The snapshot in a folder. HASP665 where there is none, or it cannot be read. Rejects on I/O errors. */
export async function readSnapshot(
  files: Pick<LibraryFiles, "readText">,
  folder: string,
): Promise<Checked<LibrarySnapshot>> {
  const file = `${folder}/${SNAPSHOT_FILE}`;
  const found = await files.readText(file, MAX_BYTES);
  if (found.kind !== "text") {
    const next = "Name an epoch that was completed; each has a folder below `snapshots/`.";
    return libraryFailure("HASP665", file, "There is no snapshot of the library here.", next);
  }
  const read = librarySnapshotSchema.safeParse(parseJson(found.text));
  if (read.success) return { value: read.data, diagnostics: [] };
  const [issue] = read.error.issues;
  const why = `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "unreadable"}`;
  return libraryFailure("HASP665", file, `The snapshot cannot be read: ${why}.`, "Name another epoch.");
}

export interface SnapshotOrder {
  readonly files: LibraryFiles;
  readonly clock: Clock;
  /** The folder of generated skills. */
  readonly library: string;
}

async function writeSnapshot(
  { files, clock, library }: SnapshotOrder,
  folder: string,
  epoch: number | undefined,
): Promise<LibrarySnapshot> {
  const versions = await hashedVersions(files, library);
  for (const one of versions) await copySkill(files, one.place.folder, copyFolder(folder, one));
  const snapshot: LibrarySnapshot = {
    schema: SNAPSHOT_SCHEMA,
    when: clock.now(),
    ...(epoch !== undefined && { epoch }),
    library,
    versions: versions.map(({ place: _place, ...one }) => one),
  };
  await files.writeText(`${folder}/${SNAPSHOT_FILE}`, `${JSON.stringify(snapshot, null, 2)}\n`);
  return snapshot;
}

/**
 * Keeps the library as it is after an epoch (0: before the first one), with copies of its files. A snapshot that is there already stays: a
 * resumed epoch answers it. HASP665 where that one cannot be read. Rejects on I/O errors.
 */
export async function takeSnapshot(
  order: SnapshotOrder,
  evolution: string,
  epoch: number,
): Promise<Checked<LibrarySnapshot>> {
  const folder = evolutionPaths(evolution).snapshot(epoch);
  if (await order.files.exists(`${folder}/${SNAPSHOT_FILE}`)) return readSnapshot(order.files, folder);
  return { value: await writeSnapshot(order, folder, epoch), diagnostics: [] };
}

const parent = (evolution: string): string =>
  evolutionPaths(evolution)
    .snapshot(0)
    .replace(/\/[^/]*$/, "");

/** Names of the snapshots of an evolution, as people write them: `0`, `3`, `before-1`. */
export async function snapshotNames(
  files: Pick<LibraryFiles, "list">,
  evolution: string,
): Promise<readonly string[]> {
  const names = await files.list(parent(evolution));
  const found = names.flatMap((name) => {
    const [, epoch, before] = /^(?:epoch_(\d+)|before_(\d+))$/.exec(name) ?? [];
    return epoch ?? (before === undefined ? [] : `before-${before}`);
  });
  return found.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** The folder of the snapshot with this name; undefined for what names none. */
export function snapshotFolder(evolution: string, name: string): string | undefined {
  const [, epoch, before] = /^(?:(\d{1,9})|before-(\d{1,9}))$/.exec(name) ?? [];
  if (epoch !== undefined) return evolutionPaths(evolution).snapshot(Number(epoch));
  return before === undefined ? undefined : `${parent(evolution)}/before_${Number(before)}`;
}

/** As `readSnapshot`, by name. */
export async function namedSnapshot(
  files: Pick<LibraryFiles, "readText">,
  evolution: string,
  name: string,
): Promise<Checked<LibrarySnapshot>> {
  const folder = snapshotFolder(evolution, name);
  if (folder !== undefined) return readSnapshot(files, folder);
  const message = `${JSON.stringify(name)} names no snapshot.`;
  return libraryFailure(
    "HASP665",
    parent(evolution),
    message,
    "Write the number of an epoch, or `before-1`.",
  );
}

const keyOf = ({ skillId, version, name, hash }: SnapshotVersion): string =>
  JSON.stringify([skillId, version, name, hash]);

/** Whether both hold the same versions with the same texts. */
export function isSameLibrary(a: readonly SnapshotVersion[], b: readonly SnapshotVersion[]): boolean {
  const keys = new Set(a.map(keyOf));
  return a.length === b.length && b.every((one) => keys.has(keyOf(one)));
}

/** The name of a snapshot that has the library as it is now; it is taken first where there is none. Rejects on I/O errors. */
export async function snapshotOfNow(order: SnapshotOrder, evolution: string): Promise<string> {
  const now = await hashedVersions(order.files, order.library);
  const names = await snapshotNames(order.files, evolution);
  const isEpoch = (name: string): number => Number(!name.startsWith("before"));
  for (const name of names.toReversed().sort((a, b) => isEpoch(b) - isEpoch(a))) {
    const { value } = await namedSnapshot(order.files, evolution, name);
    if (value !== undefined && isSameLibrary(value.versions, now)) return name;
  }
  const before = names.flatMap((name) => /^before-(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  const name = `before-${1 + Math.max(0, ...before)}`;
  await writeSnapshot(order, snapshotFolder(evolution, name) ?? "", undefined);
  return name;
}

/** A skill that acts in both, with another version or another text. */
export interface ChangedSkill {
  readonly skillId: string;
  readonly from: number;
  readonly to: number;
  /** Names of the files whose text is another; of those that are on one side only, too. */
  readonly files: readonly string[];
}

/** The difference between two libraries, by the generated skills that act. */
export interface LibraryDiff {
  readonly added: readonly SnapshotVersion[];
  readonly removed: readonly SnapshotVersion[];
  readonly newVersion: readonly ChangedSkill[];
  readonly changedText: readonly ChangedSkill[];
}

function changeOf(a: SnapshotVersion, b: SnapshotVersion): ChangedSkill {
  const names = [...new Set([...Object.keys(a.files), ...Object.keys(b.files)])].toSorted();
  const files = names.filter((name) => a.files[name] !== b.files[name]);
  return { skillId: a.skillId, from: a.version, to: b.version, files };
}

export function diffSnapshots(
  a: Pick<LibrarySnapshot, "versions">,
  b: Pick<LibrarySnapshot, "versions">,
): LibraryDiff {
  const acting = ({ versions }: Pick<LibrarySnapshot, "versions">) =>
    new Map(versions.filter(({ acts }) => acts).map((one) => [one.skillId, one]));
  const [before, after] = [acting(a), acting(b)];
  const changed = [...after.values()].flatMap((one) => {
    const old = before.get(one.skillId);
    return old === undefined ? [] : [changeOf(old, one)];
  });
  return {
    added: [...after.values()].filter(({ skillId }) => !before.has(skillId)),
    removed: [...before.values()].filter(({ skillId }) => !after.has(skillId)),
    newVersion: changed.filter(({ from, to }) => from !== to),
    changedText: changed.filter(({ from, to, files }) => from === to && files.length > 0),
  };
}
