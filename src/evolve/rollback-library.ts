import type { Checked } from "../model/diagnostic.ts";
import { INCOMING_FOLDER, versionFolder } from "../model/domain-folder.ts";
import type { SnapshotVersion } from "../model/library-history.ts";
import { fingerprintOfFolder } from "../review/review-subject.ts";
import { filesWithin } from "../trace/within-folder.ts";
import { libraryFailure } from "./generated-versions.ts";
import type { LibraryFiles } from "./library-files.ts";
import { readHistory } from "./library-history.ts";
import { alone, recorded, type LibraryPlace } from "./library-place.ts";
import {
  copyFolder,
  copySkill,
  hashedVersions,
  namedSnapshot,
  snapshotFolder,
  snapshotOfNow,
  type HashedVersion,
} from "./library-snapshots.ts";
import { moveIn, moveOut } from "./move-versions.ts";

export interface RollbackOrder {
  /** The evolution's folder. */
  readonly evolution: string;
  /** Names the evolution in the history. */
  readonly id: string;
  /** Name of the snapshot: an epoch, or `before-1`. */
  readonly to: string;
}

export interface RolledBack {
  /** Folders of versions: `late_read__v2`. */
  readonly retired: readonly string[];
  readonly restored: readonly string[];
  /** Name of the snapshot that has the library as it was before. */
  readonly undo: string;
}

interface Plan {
  readonly retire: readonly HashedVersion[];
  readonly moveIn: readonly HashedVersion[];
  /** From the snapshot's own copies. */
  readonly copy: readonly SnapshotVersion[];
  /** Versions whose text is nowhere. */
  readonly lost: readonly SnapshotVersion[];
}

/** The folder of a snapshot, and the files by which its copies are read. */
interface Copies {
  readonly snapshot: string;
  readonly files: Pick<LibraryFiles, "readText" | "writeText">;
}

const isSame = (a: SnapshotVersion, b: SnapshotVersion): boolean =>
  a.skillId === b.skillId && a.version === b.version && a.name === b.name && a.hash === b.hash;

async function planOf(
  files: LibraryFiles,
  library: string,
  { snapshot, files: copies, versions }: Copies & { readonly versions: readonly SnapshotVersion[] },
): Promise<Plan> {
  const active = await hashedVersions(files, library);
  const retired = await hashedVersions(files, library, true);
  const missing = versions.filter((one) => !active.some((other) => isSame(one, other)));
  const kept = missing.map((one) => ({ one, from: retired.find((other) => isSame(one, other)) }));
  const [copy, lost]: [SnapshotVersion[], SnapshotVersion[]] = [[], []];
  for (const { one } of kept.filter(({ from }) => from === undefined)) {
    const { hash } = await fingerprintOfFolder(copies, copyFolder(snapshot, one));
    (hash === one.hash ? copy : lost).push(one);
  }
  return {
    retire: active.filter((one) => !versions.some((other) => isSame(one, other))),
    moveIn: kept.flatMap(({ from }) => from ?? []),
    copy,
    lost,
  };
}

async function carryOut(
  files: LibraryFiles,
  library: string,
  { plan, snapshot, files: copies }: Copies & { readonly plan: Plan },
): Promise<void> {
  for (const { place } of plan.retire) await moveOut(files, library, place);
  for (const { place } of plan.moveIn) await moveIn(files, library, place);
  const incoming = `${library}/${INCOMING_FOLDER}`;
  for (const one of plan.copy) {
    await files.removeFolder(incoming);
    await copySkill(copies, copyFolder(snapshot, one), copyFolder(incoming, one));
    await files.moveFolder(`${incoming}/${versionFolder(one)}`, `${library}/${versionFolder(one)}`);
    await files.removeFolder(incoming);
  }
}

async function rollBack(
  place: LibraryPlace,
  { evolution, id, to }: RollbackOrder,
): Promise<Checked<RolledBack>> {
  const { files, clock, folder: library } = place;
  const target = await namedSnapshot(files, evolution, to);
  const snapshot = snapshotFolder(evolution, to);
  if (target.value === undefined || snapshot === undefined)
    return { value: undefined, diagnostics: target.diagnostics };
  const history = await readHistory(files, library);
  if (history.value === undefined) return { value: undefined, diagnostics: history.diagnostics };
  // A copy may be a link: what it leads to does not enter the library.
  const kept = await filesWithin(files, snapshot);
  const copies = {
    snapshot,
    files: { ...files, readText: (path: string, most: number) => kept.readText(path, most) },
  };
  const plan = await planOf(files, library, { ...copies, versions: target.value.versions });
  const [lost] = plan.lost;
  if (lost !== undefined) {
    const message = `The texts of ${versionFolder(lost)} are neither in the library nor in the snapshot; nothing was changed.`;
    return libraryFailure(
      "HASP666",
      copyFolder(snapshot, lost),
      message,
      "Restore that folder, or name another epoch.",
    );
  }
  const undo = await snapshotOfNow({ files, clock, library }, evolution);
  const moved = {
    retired: plan.retire.map(versionFolder),
    restored: [...plan.moveIn, ...plan.copy].map(versionFolder),
  };
  if (moved.retired.length + moved.restored.length === 0)
    return { value: { ...moved, undo }, diagnostics: [] };
  const times = history.value.filter(({ kind }) => kind === "rolled_back").length;
  const { epoch } = target.value;
  // Before the moves: where they are interrupted, the same rollback again records and moves the rest.
  const done = await recorded(place, { ...moved, undo }, [
    {
      key: `${id}/rolled_back/${times + 1}`,
      when: clock.now(),
      kind: "rolled_back",
      by: "person",
      reason: `The library is that of ${epoch === undefined ? `the snapshot ${to}` : `epoch ${epoch}`} again; undo with the snapshot ${undo}.`,
      evolution: id,
      ...(epoch !== undefined && { epoch }),
      moved,
    },
  ]);
  if (done.value !== undefined) await carryOut(files, library, { ...copies, plan });
  return done;
}

/**
 * Makes the generated skills of a library those of a snapshot: versions that it does not have are retired, missing ones are put back from
 * the retired ones or from the snapshot's copies. Recorded in the history; a rollback to `undo` undoes it. HASP660, HASP665, HASP666. Rejects
 * on I/O errors.
 */
export function rollbackLibrary(place: LibraryPlace, order: RollbackOrder): Promise<Checked<RolledBack>> {
  return alone(place, () => rollBack(place, order));
}
