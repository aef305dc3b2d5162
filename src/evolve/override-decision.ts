import type { Checked } from "../model/diagnostic.ts";
import { decisionEntry, type AdmissionOrder } from "./admission-record.ts";
import { isOf, nextVersion, placed, type OtherSkill } from "./admit-candidate.ts";
import { generatedVersions, libraryFailure, type GeneratedVersion } from "./generated-versions.ts";
import { readHistory } from "./library-history.ts";
import { recorded, type LibraryPlace } from "./library-place.ts";
import { moveIn, moveOut } from "./move-versions.ts";
import type { CandidateTexts } from "./write-version.ts";

export interface OverrideOrder extends AdmissionOrder {
  readonly accept: boolean;
  /** The person's own. */
  readonly reason: string;
  /** Needed to accept a candidate that was never in the library. */
  readonly texts?: CandidateTexts | undefined;
  /** Shipped and hand-written skills, as for `nextVersion`. */
  readonly others?: readonly OtherSkill[];
}

type Override = Checked<{ readonly folder: string | undefined }>;

/** See GeneratedLibrary. The caller keeps others out. */
export async function override(place: LibraryPlace, order: OverrideOrder): Promise<Override> {
  const { files, folder, clock } = place;
  const { accept, reason, texts, others, evolution, candidate } = order;
  const history = await readHistory(files, folder);
  if (history.value === undefined) return { value: undefined, diagnostics: history.diagnostics };
  const before = history.value.filter(
    (one) => one.kind === "override" && one.evolution === evolution && one.candidate === candidate.id,
  );
  const by = { evolution, candidate: candidate.id };
  const own = (await generatedVersions(files, folder)).filter((one) => isOf(one, by));
  const decision = { admitted: accept, reason, by: "person" as const };
  const version = accept ? await nextVersion(place, candidate.skillId, others, by) : candidate.version;
  const decided = { ...order, candidate: { ...candidate, version, decision } };
  const done = accept ? await accepted(place, { order: decided, own, texts }) : await rejected(place, own);
  if (done.value === undefined) return done;
  if (before.at(-1)?.accepted === accept) return done;
  const when = clock.now();
  const more = [before.length + 1];
  const entry = { ...decisionEntry(decided, { kind: "override", when, more }), accepted: accept };
  return recorded(place, done.value, [entry]);
}

async function accepted(
  place: LibraryPlace,
  {
    order,
    own,
    texts,
  }: {
    readonly order: AdmissionOrder;
    readonly own: readonly GeneratedVersion[];
    readonly texts: CandidateTexts | undefined;
  },
): Promise<Override> {
  const { files, folder } = place;
  const active = own.find(({ isRetired }) => !isRetired);
  if (active !== undefined) return { value: { folder: active.folder }, diagnostics: [] };
  const [retired] = own;
  if (retired !== undefined)
    return { value: { folder: await moveIn(files, folder, retired) }, diagnostics: [] };
  if (!order.candidate.checks.compiles || texts === undefined) {
    const why = texts === undefined ? "its files are gone" : "it cannot be loaded";
    const message = `The candidate ${order.candidate.id} cannot be accepted: ${why}.`;
    return libraryFailure("HASP664", folder, message, "Accept another candidate.");
  }
  return placed(place, order, texts);
}

async function rejected(
  { files, folder }: LibraryPlace,
  own: readonly GeneratedVersion[],
): Promise<Override> {
  for (const one of own.filter(({ isRetired }) => !isRetired)) await moveOut(files, folder, one);
  return { value: { folder: undefined }, diagnostics: [] };
}
