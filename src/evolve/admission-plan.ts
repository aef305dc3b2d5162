import type { SkillFolder } from "../skill/read-skill.ts";
import { isShipped } from "../model/domain-folder.ts";
import { EVOLVED_SCHEMA, evolvedCandidateSchema, type EvolvedCandidate } from "../model/evolution.ts";
import { z } from "../model/zod.ts";
import type { ReviewedCandidate } from "./artifacts.ts";
import type { Epoch } from "./epoch.ts";
import { decideBy } from "./gate.ts";
import type { GeneratedLibrary } from "./generated-library.ts";
import { occupantsOf } from "./library-occupants.ts";
import { makeRoom, type Occupant } from "./make-room.ts";

/** All that an admission does, decided before the first folder moves. */
export const admissionPlanSchema = z.object({
  /** Acting skills of the domain before it. */
  before: z.number().int().nonnegative(),
  candidates: z.array(evolvedCandidateSchema),
  /** Generated skills that make room, each with the candidate that it is for. */
  retire: z.array(z.object({ skillId: z.string(), reason: z.string(), by: z.string() })),
});
export type AdmissionPlan = z.infer<typeof admissionPlanSchema>;

/** Flagged novel, and no acting skill has its base id or its error_category (SPEC §7, readings). */
export function isNewCategory(
  epoch: Epoch,
  { cluster, skillId, errorCategory }: ReviewedCandidate["proposal"],
  skills: readonly SkillFolder[],
): boolean {
  const found = epoch.result("failures").clusters.find(({ id }) => id === cluster);
  const isKnown = skills.some(
    ({ skill }) =>
      skill?.skillId === skillId || (errorCategory !== "" && skill?.errorCategory === errorCategory),
  );
  return found?.isNewCategory === true && !isKnown;
}

function candidateOf(
  epoch: Epoch,
  reviewed: ReviewedCandidate,
  skills: readonly SkillFolder[],
): EvolvedCandidate {
  const { id, checks, proposal, review, worth } = reviewed;
  const found = epoch.result("failures").clusters.find((one) => one.id === proposal.cluster);
  const { examples, ...cluster } = found ?? { examples: [] };
  const about = {
    checks,
    newCategory: isNewCategory(epoch, proposal, skills),
    ...(review !== undefined && { review }),
    ...(worth !== undefined && { worth }),
  };
  return {
    schema: EVOLVED_SCHEMA,
    id,
    epoch: epoch.number,
    skillId: proposal.skillId,
    name: proposal.name,
    version: 1,
    replies: proposal.replies,
    ...("id" in cluster && { cluster: { ...cluster, size: examples.length } }),
    ...about,
    decision: { ...decideBy(epoch.order.gate, epoch.order.worth, about), by: "gate" },
  };
}

/** The skills of the domain that act together. */
export async function actingIn(epoch: Epoch, library: GeneratedLibrary): Promise<readonly Occupant[]> {
  const skills = await epoch.library();
  const shipped = skills.filter(({ folder }) => isShipped(folder));
  const shippedIds = new Set(shipped.flatMap(({ skill }) => skill?.skillId ?? []));
  const versions = await library.versions();
  return occupantsOf({ skills, domain: epoch.order.domain.name, versions, shippedIds });
}

/** Decides on each candidate of the epoch, in order; each admission counts for the room of the next. */
export async function planAdmission(epoch: Epoch, library: GeneratedLibrary): Promise<AdmissionPlan> {
  const { order, evolution } = epoch;
  const skills = await epoch.library();
  let acting = await actingIn(epoch, library);
  const before = acting.length;
  // As for the text of a proposal: an id is one in all domains.
  const versions = (await epoch.allSkills()).flatMap(({ skill }) =>
    skill ? [{ skillId: skill.skillId, version: skill.version }] : [],
  );
  const retire: AdmissionPlan["retire"] = [];
  const candidates: EvolvedCandidate[] = [];
  for (const reviewed of epoch.result("reviews").candidates) {
    const candidate = candidateOf(epoch, reviewed, skills);
    if (!candidate.decision.admitted) {
      candidates.push(candidate);
      continue;
    }
    const room = makeRoom(acting, candidate, {
      cap: order.caps.librarySize,
      pinned: new Set([...order.pinned, ...candidates.map(({ skillId }) => skillId)]),
    });
    if (room.kind === "none") {
      const decision = { admitted: false, reason: room.reason, by: "gate" as const, noRoom: true as const };
      candidates.push({ ...candidate, decision });
      continue;
    }
    const leaving = room.kind === "retire" ? room.retire : [];
    for (const { occupant, reason } of leaving)
      retire.push({ skillId: occupant.skillId, reason, by: candidate.id });
    const place = { evolution, candidate: candidate.id };
    const version = await library.nextVersion(candidate.skillId, versions, place);
    versions.push({ skillId: candidate.skillId, version });
    const gone = new Set([candidate.skillId, ...leaving.map(({ occupant }) => occupant.skillId)]);
    acting = [
      ...acting.filter(({ skillId }) => !gone.has(skillId)),
      {
        skillId: candidate.skillId,
        version,
        origin: "generated",
        evidence: { epoch: epoch.number, worth: candidate.worth, qSkill: candidate.review?.qSkill },
      },
    ];
    candidates.push({ ...candidate, version });
  }
  return { before, candidates, retire };
}
