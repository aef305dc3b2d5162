import { measureSkill, type EvidenceEvent } from "../../app/measure-skill.ts";
import { progressOf } from "../../app/progress.ts";
import type { FailureCluster } from "../../model/failure.ts";
import { counted } from "../../model/counted.ts";
import type { RefusedReply } from "../../model/refused-reply.ts";
import type { Review } from "../../model/review.ts";
import { reviewSkill } from "../../review/review.ts";
import type { Proposal } from "../author/author-task.ts";
import { reviseSkill } from "../author/propose.ts";
import type { PhaseResult, ProposalFile, ReviewedCandidate } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { authorRuns } from "../epoch-runs.ts";
import { checkOne, comparisonOf } from "./checks.ts";
import { authorTools, keepProposal } from "./proposals.ts";
import { heldOutWorths, worthInWords } from "./worth.ts";

type Checked = PhaseResult<"checks">["candidates"][number]["checks"];

function clusterOf(epoch: Epoch, { cluster }: ProposalFile): FailureCluster | undefined {
  return epoch.result("failures").clusters.find(({ id }) => id === cluster);
}

/** All that was measured of the candidate on the author's questions, for the teacher to weigh; nothing of the questions of the gate. */
async function evidenceOn(epoch: Epoch, proposal: ProposalFile, folder: string) {
  const { services } = epoch;
  const cluster = clusterOf(epoch, proposal);
  const order = {
    folder,
    ...(await authorRuns(epoch)),
    library: await epoch.library(),
    ...(cluster && { cluster: { ...cluster, size: cluster.examples.length } }),
  };
  const on = (event: EvidenceEvent): void => void (event.kind === "progress" && services.on(event));
  return (await measureSkill(order, { ...services, on })).value;
}

/** The teacher's review of a candidate; none without a teacher, without a readable skill, or where the reply is no review. */
interface Asked {
  readonly review?: Review;
  readonly refusedReviews?: readonly RefusedReply[];
}

async function reviewOf(epoch: Epoch, proposal: ProposalFile): Promise<Asked> {
  const { services, number, order, found } = epoch;
  const teacher = epoch.teacherFor("review");
  if (teacher === undefined || proposal.folder === undefined) return {};
  const measured = await evidenceOn(epoch, proposal, epoch.at(proposal.folder));
  if (measured === undefined) return {};
  const { subject, evidence } = measured;
  const { value, diagnostics, refused } = await reviewSkill(subject, evidence, teacher, {
    clock: services.clock,
    signal: services.signal,
    sample: order.seed + number,
  });
  if (value !== undefined) return { review: value };
  found.push(...diagnostics);
  return { refusedReviews: refused };
}

/** A revision with a review of its own; without one, the replies of which none came. */
interface Revised {
  readonly value?: ReviewedCandidate;
  readonly refusedReviews?: readonly RefusedReply[] | undefined;
}

/** REVISE gives the author one more try, with the feedback (SPEC §10.2). */
async function revised(epoch: Epoch, proposal: ProposalFile, review: Review): Promise<Revised> {
  const { order, number, paths } = epoch;
  const { folder, skillId, name, errorCategory, messages, completion } = proposal;
  if (folder === undefined) return {};
  const id = `${proposal.id}-revised`;
  const texts = await epoch.readTexts(folder);
  const before: Proposal = {
    id,
    domain: order.domain.name,
    messages,
    completion,
    replies: [],
    files: { ...texts, "SKILL.md": texts["SKILL.md"] ?? "", "pf.ts": texts["pf.ts"] ?? "" },
    folder: `${paths.proposals}/${id}/${order.domain.name}/${name}`,
    skillId,
    name,
    errorCategory,
    diagnostics: [],
  };
  const tools = { ...authorTools(epoch), sample: order.seed + number };
  const again = await reviseSkill(before, review, epoch.author, tools);
  const others = epoch.result("proposals").proposals.filter((one) => one.id !== proposal.id);
  const taken = others.map((one) => one.skillId);
  const kept = await keepProposal(epoch, proposal.cluster, again, taken);
  if (kept.folder === undefined) return {};
  const comparison = await comparisonOf(epoch, [{ id, folder: await epoch.readSkill(kept.folder) }]);
  const checks = await checkOne(epoch, kept, comparison, []);
  if (!checks.compiles) return {};
  const { review: second, refusedReviews } = await reviewOf(epoch, kept);
  if (second === undefined) return { refusedReviews };
  const replies = proposal.replies + kept.replies;
  // The revision takes the place of what was revised.
  const onSeed = epoch.onSeed.get(id);
  if (onSeed !== undefined) epoch.onSeed.set(proposal.id, onSeed);
  const value = { id: proposal.id, checks, proposal: { ...kept, id: proposal.id, replies }, review: second };
  return { value };
}

/** Whether a candidate is worth the teacher's time: under a gate that asks for the checks, one that fails them is refused already. */
const isReviewed = (epoch: Epoch, { compiles, score, refusals }: Checked): boolean => {
  const { gate } = epoch.order;
  if (!compiles || gate === "none" || gate === "exec-only") return false;
  return gate === "strict" ? score === 1 && refusals.length === 0 : true;
};

async function reviewCandidate(
  epoch: Epoch,
  proposal: ProposalFile,
  checks: Checked,
): Promise<ReviewedCandidate> {
  const plain = { id: proposal.id, checks, proposal };
  const { review, refusedReviews } = isReviewed(epoch, checks) ? await reviewOf(epoch, proposal) : {};
  const kept = (replies: readonly RefusedReply[] = []) =>
    replies.length > 0 && { refusedReviews: [...replies] };
  if (review === undefined) return { ...plain, ...kept(refusedReviews) };
  const again: Revised = review.said === "REVISE" ? await revised(epoch, proposal, review) : {};
  return again.value ?? { ...plain, review, ...kept(again.refusedReviews) };
}

/** Phase E (SPEC §7): the teacher's reviews, and worth on held-out questions. */
export async function reviewsPhase(epoch: Epoch): Promise<PhaseResult<"reviews">> {
  const checks = new Map(epoch.result("checks").candidates.map((one) => [one.id, one.checks]));
  const { proposals } = epoch.result("proposals");
  const reviewed: ReviewedCandidate[] = [];
  for (const [i, proposal] of proposals.entries()) {
    epoch.services.signal.throwIfAborted();
    epoch.services.on(progressOf(i, proposals.length, "candidates reviewed"));
    const own = checks.get(proposal.id);
    if (own !== undefined) reviewed.push(await reviewCandidate(epoch, proposal, own));
  }
  const worths = await heldOutWorths(epoch, reviewed);
  const candidates = reviewed.map((one) => {
    const worth = worths.get(one.id);
    return worth === undefined ? one : { ...one, worth };
  });
  const reviews = candidates.filter(({ review }) => review !== undefined).length;
  return { candidates, words: `${counted(reviews, "review")}${worthInWords(epoch, [...worths.values()])}` };
}
