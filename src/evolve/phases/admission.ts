import { need } from "../../app/refusal.ts";
import { counted } from "../../model/counted.ts";
import { decisionsInWords, type EvolvedCandidate } from "../../model/evolution.ts";
import { actingIn, admissionPlanSchema, planAdmission, type AdmissionPlan } from "../admission-plan.ts";
import { readArtifact, writeJson, type PhaseResult, type ReviewedCandidate } from "../artifacts.ts";
import { writeCandidates } from "../candidates-file.ts";
import type { Epoch } from "../epoch.ts";
import { takeSnapshot } from "../library-snapshots.ts";
import type { GeneratedLibrary } from "../generated-library.ts";

/** Decided once and kept, so that a sitting which was cut off while it moved folders ends as it was planned. */
async function keptPlan(epoch: Epoch, library: GeneratedLibrary): Promise<AdmissionPlan> {
  const { files } = epoch.services;
  const read = () => readArtifact(files, epoch.paths.plan, admissionPlanSchema);
  const kept = await read();
  if (kept.value !== undefined) return kept.value;
  if (kept.diagnostics.length > 0) return need(kept);
  await writeJson(files, epoch.paths.plan, await planAdmission(epoch, library));
  return need(await read());
}

/** Writes or records one candidate; a skill that cannot be written is rejected for that reason. */
async function settle(
  epoch: Epoch,
  library: GeneratedLibrary,
  candidate: EvolvedCandidate,
  reviewed: ReviewedCandidate | undefined,
): Promise<EvolvedCandidate> {
  const { order, evolution, found } = epoch;
  const about = { evolution, gate: order.gate, worthOn: order.worth };
  const folder = reviewed?.proposal.folder;
  if (!candidate.decision.admitted || folder === undefined) {
    found.push(...(await library.reject({ ...about, candidate })));
    return candidate;
  }
  const texts = await epoch.readTexts(folder);
  const result = await library.admit(
    { ...about, candidate },
    { ...texts, "SKILL.md": texts["SKILL.md"] ?? "" },
  );
  if (result.value !== undefined) return candidate;
  const reason = result.diagnostics.at(-1)?.message ?? "It could not be written.";
  const rejected = { ...candidate, decision: { admitted: false, reason, by: "gate" as const } };
  found.push(...(await library.reject({ ...about, candidate: rejected })));
  return rejected;
}

/** Phase F (SPEC §7): what the gate admits enters the library as a new version; the least useful make room over the cap. */
export async function admissionPhase(epoch: Epoch): Promise<PhaseResult<"admission">> {
  const { services, paths, number, order, evolution } = epoch;
  const library = await epoch.generated();
  const plan = await keptPlan(epoch, library);
  for (const { skillId, reason, by } of plan.retire)
    need(await library.retire({ skillId, reason, for: { evolution, epoch: number, candidate: by } }));
  const reviewed = new Map(epoch.result("reviews").candidates.map((one) => [one.id, one]));
  const candidates: EvolvedCandidate[] = [];
  for (const planned of plan.candidates) {
    const candidate = await settle(epoch, library, planned, reviewed.get(planned.id));
    candidates.push(candidate);
    services.on({ kind: "candidate", candidate });
  }
  await writeCandidates(services.files, paths.candidates, candidates);
  const { library: files, clock } = services;
  need(await takeSnapshot({ files, clock, library: order.generated }, order.folder, number));
  const admitted = candidates.filter(({ decision }) => decision.admitted);
  const after = (await actingIn(epoch, library)).length;
  return {
    before: plan.before,
    after,
    admitted: admitted.map(({ skillId, version }) => `${skillId}__v${version}`),
    retired: plan.retire.map(({ skillId }) => skillId),
    words: `${decisionsInWords(candidates)}; ${counted(after, "acting skill")}`,
  };
}
