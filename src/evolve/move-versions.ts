import type { Checked } from "../model/diagnostic.ts";
import { RETIRED_FOLDER, versionFolder } from "../model/domain-folder.ts";
import type { HistoryEntry } from "../model/library-history.ts";
import { eventKey, type CandidatePlace } from "./admission-record.ts";
import {
  generatedVersions,
  libraryFailure,
  retiredName,
  type GeneratedVersion,
} from "./generated-versions.ts";
import type { LibraryFiles } from "./library-files.ts";
import { readHistory } from "./library-history.ts";
import { recorded, type LibraryPlace } from "./library-place.ts";

/** A change of the library outside of an admission. */
export interface MoveOrder {
  readonly skillId: string;
  /** Only this one; without it, every generated version of the id. */
  readonly version?: number;
  /** A sentence. */
  readonly reason: string;
  /** The candidate that it is done for; without one, a person does it. */
  readonly for?: CandidatePlace;
}

/** Moves a version into the folder of retired ones. */
export async function moveOut(
  files: LibraryFiles,
  library: string,
  version: GeneratedVersion,
): Promise<string> {
  const root = `${library}/${RETIRED_FOLDER}`;
  let times = 1;
  while (await files.exists(`${root}/${retiredName(version, times)}`)) times++;
  const to = `${root}/${retiredName(version, times)}`;
  await files.moveFolder(version.place, to);
  return `${to}/${version.name}`;
}

/** Moves a retired version back to its place, which is free. */
export async function moveIn(
  files: LibraryFiles,
  library: string,
  version: GeneratedVersion,
): Promise<string> {
  const to = `${library}/${versionFolder(version)}`;
  await files.moveFolder(version.place, to);
  return `${to}/${version.name}`;
}

/** A retired version can be put back where none of its number is in the library. */
function isFree(one: GeneratedVersion, all: readonly GeneratedVersion[]): boolean {
  return !one.isRetired || !all.some((other) => !other.isRetired && other.version === one.version);
}

/** Of several retired copies of a version, the one that was retired last. */
function onePerVersion(versions: readonly GeneratedVersion[]): readonly GeneratedVersion[] {
  return [...new Map(versions.map((one) => [one.version, one])).values()];
}

/** Takes versions out, or puts them back, as GeneratedLibrary says. The caller keeps others out. */
export async function moveAll(
  place: LibraryPlace,
  order: MoveOrder,
  kind: "retired" | "restored",
): Promise<Checked<readonly string[]>> {
  const { files, folder, clock } = place;
  const { skillId, version, reason, for: cause } = order;
  const history = await readHistory(files, folder);
  if (history.value === undefined) return { value: undefined, diagnostics: history.diagnostics };
  const all = (await generatedVersions(files, folder)).filter(
    (one) => one.skillId === skillId && (version === undefined || one.version === version),
  );
  const isRetiring = kind === "retired";
  const moving = onePerVersion(all.filter((one) => one.isRetired !== isRetiring && isFree(one, all)));
  const there = all.filter((one) => one.isRetired === isRetiring);
  // A change that an evolution repeats may have been made before it was interrupted.
  if (moving.length === 0 && (cause === undefined || there.length === 0)) {
    const what = `${skillId}${version === undefined ? "" : ` version ${version}`}`;
    const message = isRetiring
      ? `No generated version of ${what} is in the library.`
      : `No retired version of ${what} can be put back.`;
    return libraryFailure("HASP664", folder, message, "See `hasp library history` for what is there.");
  }
  const moved: string[] = [];
  const move = isRetiring ? moveOut : moveIn;
  for (const one of moving) moved.push(await move(files, folder, one));
  const times = history.value.filter((one) => one.kind === kind && one.skillId === skillId).length;
  const entry: HistoryEntry = {
    key: cause === undefined ? `${kind}/${skillId}/${times + 1}` : eventKey(cause, kind, skillId),
    when: clock.now(),
    kind,
    by: cause === undefined ? "person" : "gate",
    reason,
    ...cause,
    skillId,
    version: Math.max(...(moving.length === 0 ? there : moving).map((one) => one.version)),
  };
  return recorded(place, moved, [entry]);
}
