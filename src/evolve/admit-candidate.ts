import type { Checked } from "../model/diagnostic.ts";
import { fingerprintOf } from "../review/review-subject.ts";
import { decisionEntry, evolvedSkill, type AdmissionOrder, type CandidatePlace } from "./admission-record.ts";
import {
  fingerprintOfVersion,
  generatedVersions,
  libraryFailure,
  type GeneratedVersion,
} from "./generated-versions.ts";
import { readHistory } from "./library-history.ts";
import { recorded, type LibraryPlace } from "./library-place.ts";
import { versionTexts, writeVersion, type CandidateTexts } from "./write-version.ts";

export interface Admitted {
  /** The skill's own folder; of a candidate that was retired since, in the folder of retired ones. */
  readonly folder: string;
  readonly version: number;
  /** It was not in the library before. */
  readonly isNew: boolean;
}

/** Whether a version comes from this candidate. */
export const isOf = ({ evolved }: GeneratedVersion, by: Omit<CandidatePlace, "epoch">): boolean =>
  evolved?.evolution === by.evolution && evolved.candidate === by.candidate;

/** A skill that is not generated. */
export interface OtherSkill {
  readonly skillId: string;
  readonly version: number;
}

/** See GeneratedLibrary. */
export async function nextVersion(
  { files, folder }: LibraryPlace,
  skillId: string,
  others: readonly OtherSkill[] = [],
  by?: Omit<CandidatePlace, "epoch">,
): Promise<number> {
  const there = await generatedVersions(files, folder);
  const own = by && there.find((one) => one.skillId === skillId && isOf(one, by));
  if (own !== undefined) return own.version;
  const past = ((await readHistory(files, folder)).value ?? []).filter(
    ({ kind, accepted }) => kind === "admitted" || accepted === true,
  );
  const taken = [...there, ...others, ...past].filter((one) => one.skillId === skillId);
  return 1 + Math.max(0, ...taken.map(({ version = 0 }) => version));
}

/** The candidate in its place in the library; in the folder of retired ones where it was taken out since. */
export async function placed(
  { files, folder, domains }: LibraryPlace,
  order: AdmissionOrder,
  texts: CandidateTexts,
): Promise<Checked<Admitted>> {
  const { candidate, evolution } = order;
  const { skillId, version, name, review } = candidate;
  const made = versionTexts(candidate, texts, domains);
  if (made.value === undefined) return { value: undefined, diagnostics: made.diagnostics };
  const same = (await generatedVersions(files, folder)).filter(
    (one) => one.skillId === skillId && one.version === version,
  );
  const own = same.find((one) => isOf(one, { evolution, candidate: candidate.id }));
  if (own !== undefined) return { value: { folder: own.folder, version, isNew: false }, diagnostics: [] };
  const other = same.find(({ isRetired }) => !isRetired);
  if (other !== undefined) {
    const { hash } = await fingerprintOf(made.value);
    const isEqual = other.name === name && (await fingerprintOfVersion(files, other)).hash === hash;
    if (isEqual) return { value: { folder: other.folder, version, isNew: false }, diagnostics: [] };
    const message = `Version ${version} of ${skillId} is in the library already, with other texts.`;
    return libraryFailure("HASP662", `${other.folder}/SKILL.md`, message, "Admit it as the next version.");
  }
  const content = { texts: made.value, evolved: evolvedSkill(order), review };
  const written = await writeVersion(files, folder, candidate, content);
  return { value: { folder: written, version, isNew: true }, diagnostics: [] };
}

/** See GeneratedLibrary. The caller keeps others out. */
export async function admit(
  place: LibraryPlace,
  order: AdmissionOrder,
  texts: CandidateTexts,
): Promise<Checked<Admitted>> {
  const { files, folder, clock } = place;
  const entry = decisionEntry(order, { kind: "admitted", when: clock.now() });
  const history = await readHistory(files, folder);
  if (history.value === undefined) return { value: undefined, diagnostics: history.diagnostics };
  const done = await placed(place, order, texts);
  return done.value === undefined ? done : recorded(place, done.value, [entry]);
}
