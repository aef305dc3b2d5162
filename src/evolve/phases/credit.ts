import { CANDIDATE_SCHEMA, skillReward, type Candidate } from "../../model/candidate.ts";
import { decisionWordOf, type DecisionWord, type EvolvedCandidate } from "../../model/evolution.ts";
import { otherPrompts } from "../../model/prompt-versions.ts";
import { repliesText } from "../../model/replies.ts";
import { writeText, type PhaseResult, type ReviewedCandidate } from "../artifacts.ts";
import { writeCandidates } from "../candidates-file.ts";
import { candidatesIn } from "../read-evolved.ts";
import type { Epoch } from "../epoch.ts";
import { epochPath } from "../evolution-paths.ts";
import type { LiveRollouts } from "../order.ts";
import { rollOut, validationRun } from "./rollout.ts";

interface Validated {
  readonly result: Pick<PhaseResult<"credit">, "before" | "after" | "validation">;
  /** How the model kept to the form of an action, in both runs. */
  readonly replies: string;
}

const NOT_VALIDATED: Validated = { result: {}, replies: "" };

/** Rolls the validation questions out with the library after the epoch; one that did not change keeps its run. */
async function validate(epoch: Epoch, live: LiveRollouts): Promise<Validated> {
  const { validation } = epoch.result("rollout");
  if (validation === undefined) return NOT_VALIDATED;
  const { admitted, retired } = epoch.result("admission");
  const before = await validationRun(epoch, epoch.at(validation));
  const isSame = admitted.length === 0 && retired.length === 0;
  const { validationAfter } = epoch.paths;
  if (!isSame) await rollOut(epoch, validationAfter, { split: "val" }, live);
  const latest = isSame ? validation : epochPath(epoch.order.folder, validationAfter);
  const after = isSame ? before : await validationRun(epoch, validationAfter);
  epoch.found.push(...otherPrompts(before, after));
  const said = [before, ...(isSame ? [] : [after])].flatMap(({ replies }) => repliesText(replies) ?? []);
  return {
    result: {
      validation: latest,
      ...(before.em !== undefined && { before: before.em }),
      ...(after.em !== undefined && { after: after.em }),
    },
    replies: said.length === 0 ? "" : `; ${said.join(" → ")}`,
  };
}

/** Only an admitted skill can have changed the validation EM. */
const deltaOf = ({ decision }: EvolvedCandidate, delta: number | undefined): number | undefined =>
  decision.admitted ? delta : undefined;

/** Without a review the gate's decision stands for it; an undecided candidate is no example of either. */
const WORD_FOR_TRAINING: Readonly<Record<DecisionWord, Candidate["decision"] | undefined>> = {
  admitted: "accept",
  undecided: undefined,
  rejected: "reject",
};

/** A candidate as training data reads it; none without a reply of the author, or without a decision on it. */
function forTraining(
  epoch: Epoch,
  candidate: EvolvedCandidate,
  { proposal }: ReviewedCandidate,
): Candidate | undefined {
  const { id, skillId, version, review, deltaEm, decision, epoch: number } = candidate;
  if (proposal.messages.length === 0 || skillId === "") return undefined;
  const said = review?.decision ?? WORD_FOR_TRAINING[decisionWordOf(decision)];
  if (said === undefined) return undefined;
  return {
    schema: CANDIDATE_SCHEMA,
    id: `${epoch.evolution}/${id}`,
    skillId,
    version,
    epoch: number,
    domain: epoch.order.domain.name,
    messages: proposal.messages,
    completion: proposal.completion,
    decision: said,
    ...(review !== undefined && { qSkill: review.qSkill }),
    ...(deltaEm !== undefined && { deltaEm }),
  };
}

function words(delta: number | undefined, isLive: boolean): string {
  if (!isLive) return "r_skill is Q_skill: without live rollouts no change of the validation EM is known";
  if (delta === undefined) return "no verdict on the validation questions, so r_skill is Q_skill";
  return `validation EM ${delta >= 0 ? "+" : "−"}${(100 * Math.abs(delta)).toFixed(1)} points`;
}

/** Phase G (SPEC §7): the reward of each candidate, r_skill = Q_skill + 0.5·ΔEM. */
export async function creditPhase(epoch: Epoch): Promise<PhaseResult<"credit">> {
  const { rollouts } = epoch.order;
  const { result, replies } = rollouts.kind === "live" ? await validate(epoch, rollouts) : NOT_VALIDATED;
  const { before, after } = result;
  const delta = before === undefined || after === undefined ? undefined : after - before;
  const reviewed = new Map(epoch.result("reviews").candidates.map((one) => [one.id, one]));
  const decided = await candidatesIn(epoch.services.files, epoch.paths.candidates);
  const credited = decided.candidates.map((candidate) => {
    const deltaEm = deltaOf(candidate, delta);
    const reward = skillReward({ qSkill: candidate.review?.qSkill, deltaEm });
    return {
      ...candidate,
      ...(deltaEm !== undefined && { deltaEm }),
      ...(reward !== undefined && { reward }),
    };
  });
  await writeCandidates(epoch.services.files, epoch.paths.candidates, credited);
  const lines = credited.flatMap((candidate) => {
    const found = reviewed.get(candidate.id);
    const row = found === undefined ? undefined : forTraining(epoch, candidate, found);
    return row === undefined ? [] : [`${JSON.stringify(row)}\n`];
  });
  await writeText(epoch.services.files, epoch.paths.credit, lines.join(""));
  return { ...result, words: `${words(delta, rollouts.kind === "live")}${replies}` };
}
