import { checked, need, refuse, take } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { versionOfFolder } from "../model/domain-folder.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import type { EvolvedCandidate } from "../model/evolution.ts";
import { readTexts } from "../review/review-subject.ts";
import type { Clock, TraceFiles } from "../trace/ports.ts";
import { filesWithin } from "../trace/within-folder.ts";
import type { OtherSkill } from "./admit-candidate.ts";
import { evolutionSchema, PHASE_SCHEMAS, readArtifact } from "./artifacts.ts";
import { writeCandidates } from "./candidates-file.ts";
import { evolutionLibrary } from "./evolution-library.ts";
import { epochPaths, evolutionPaths } from "./evolution-paths.ts";
import { openGeneratedLibrary } from "./generated-library.ts";
import type { LibraryFiles } from "./library-files.ts";
import { candidatesIn } from "./read-evolved.ts";
import type { CandidateTexts } from "./write-version.ts";

/** A person's decision on a candidate that the gate decided on. */
export interface CandidateOverride {
  /** The evolution's folder. */
  readonly folder: string;
  /** Id of the candidate: `e1-c2`. */
  readonly candidate: string;
  readonly accept: boolean;
  /** The person's own words. */
  readonly reason: string;
  /** The folder of generated skills, as a person names it; undefined: that of the evolution. */
  readonly library?: string | undefined;
}

export interface OverridePorts {
  readonly files: Pick<TraceFiles, "writeAtomic" | "makeFolder">;
  readonly library: LibraryFiles;
  readonly clock: Clock;
  readonly domains: readonly DomainSpec[];
  /** Shipped and hand-written skills: a version is more than theirs. */
  readonly others?: readonly OtherSkill[] | undefined;
}

export interface Overridden {
  /** With the person's decision, and its version in the library where it is accepted. */
  readonly candidate: EvolvedCandidate;
  /** The skill's own folder in the library; undefined where it is not there now. */
  readonly folder: string | undefined;
}

const epochOf = (candidate: string): number => Number(/^e([1-9]\d{0,5})-/.exec(candidate)?.[1] ?? 0);

type Reading = Pick<LibraryFiles, "readText">;

/** The folder of the skill that a candidate went to admission with; no value where no reply held one. HASP670. */
export async function proposalFolder(
  files: Reading,
  evolution: string,
  candidate: string,
): Promise<Checked<string>> {
  const { reviews } = evolutionPaths(evolution).epoch(epochOf(candidate));
  const { value, diagnostics } = await readArtifact(files, reviews, PHASE_SCHEMAS.reviews);
  const folder = value?.candidates.find(({ id }) => id === candidate)?.proposal.folder;
  return { value: folder === undefined ? undefined : `${evolution}/${folder}`, diagnostics };
}

/** The texts that a candidate went to admission with; none is read through a link that leads out of the evolution. */
async function proposedTexts(
  files: LibraryFiles,
  evolution: string,
  candidate: string,
): Promise<CandidateTexts | undefined> {
  const { value: folder, diagnostics } = await proposalFolder(files, evolution, candidate);
  if (diagnostics.length > 0) return need<never>({ value: undefined, diagnostics });
  if (folder === undefined) return undefined;
  const { "SKILL.md": skillMd, ...texts } = await readTexts(await filesWithin(files, evolution), folder);
  return skillMd === undefined ? undefined : { ...texts, "SKILL.md": skillMd };
}

async function decidedIn(files: Reading, folder: string, id: string) {
  const path = epochPaths(`${folder}/epoch_${epochOf(id)}`).candidates;
  const { candidates: all } = await candidatesIn(files, path);
  const own = all.find((one) => one.id === id);
  if (own !== undefined) return { path, all, own };
  const next = "Name a candidate that was decided on, such as `e1-c1`.";
  return refuse("HASP675", `The evolution has decided on no candidate ${JSON.stringify(id)}.`, next, folder);
}

/** The version that is in the library now, by the folder that holds the skill's own. */
const versionIn = (folder: string | undefined): number | undefined =>
  folder === undefined ? undefined : versionOfFolder(folder.split("/").at(-2) ?? "")?.version;

/**
 * A person accepts a rejected candidate, or rejects an admitted one: the skill is put into the library or taken out (it is kept in a hidden
 * folder), and the history and the candidates of the epoch say who decided and why. The caller keeps other writers of the evolution out.
 * HASP675 for an unknown candidate, HASP676 without a reason, HASP820 for a folder of generated skills outside of the workspace, HASP660 to
 * HASP664 of the library. Rejects on I/O errors.
 */
export function overrideCandidate(
  order: CandidateOverride,
  ports: OverridePorts,
): Promise<Checked<Overridden>> {
  return checked(async (found) => {
    const { library: files, clock, domains, others } = ports;
    const { folder, accept } = order;
    const reason = order.reason.trim();
    if (reason === "") refuse("HASP676", "The decision has no reason.", "Say why, in a sentence.", folder);
    const read = await readArtifact(files, evolutionPaths(folder).state, evolutionSchema);
    if (read.value === undefined && read.diagnostics.length === 0)
      refuse("HASP674", `There is no evolution in ${folder}.`, "Begin one with `hasp evolve`.", folder);
    const begun = need(read);
    const { id: evolution, gate, worth: worthOn } = begun;
    const generated = order.library ?? evolutionLibrary(files, folder, begun);
    const { path, all, own } = await decidedIn(files, folder, order.candidate);
    const done = take(
      await openGeneratedLibrary({ files, clock, domains }, generated).override({
        evolution,
        gate,
        worthOn,
        candidate: own,
        accept,
        reason,
        texts: await proposedTexts(files, folder, own.id),
        ...(others !== undefined && { others }),
      }),
      found,
    );
    const version = versionIn(done.folder) ?? own.version;
    const candidate: EvolvedCandidate = {
      ...own,
      version,
      decision: { admitted: accept, reason, by: "person" },
    };
    await writeCandidates(
      ports.files,
      path,
      all.map((one) => (one.id === own.id ? candidate : one)),
    );
    return { candidate, folder: done.folder };
  });
}
