import { episodeOf, openRunAt } from "../../app/open-run.ts";
import { need } from "../../app/refusal.ts";
import { progressOf } from "../../app/progress.ts";
import { counted } from "../../model/counted.ts";
import { EVOLVE_LIMITS } from "../../model/evolution.ts";
import type { FailureCluster, FailureExample } from "../../model/failure.ts";
import { proposeSkill, type AuthorExample, type AuthorTask, type Proposal } from "../author/propose.ts";
import { writeText, type PhaseResult, type ProposalFile } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";

/** Examples of a cluster that an author reads. */
const MOST_EXAMPLES = 3;

/** The clusters that candidates are written for: new categories first, then those that were tried least, then the largest. */
export function chosenClusters(
  clusters: readonly FailureCluster[],
  tried: ReadonlyMap<string, number>,
  most: number,
): readonly FailureCluster[] {
  const times = ({ id }: FailureCluster): number => tried.get(id) ?? 0;
  return clusters
    .toSorted(
      (a, b) =>
        Number(b.isNewCategory) - Number(a.isNewCategory) ||
        times(a) - times(b) ||
        b.examples.length - a.examples.length ||
        (a.id < b.id ? -1 : 1),
    )
    .slice(0, most);
}

async function exampleOf({ services }: Epoch, example: FailureExample): Promise<AuthorExample | undefined> {
  const run = need(await openRunAt(services.files, example.run));
  const { value } = await episodeOf(services.files, run, example.index);
  const at = example.steps[0];
  return value === undefined || at === undefined ? undefined : { episode: value, at };
}

/** Examples of different questions, as far as there are enough. */
function spread(examples: readonly FailureExample[]): readonly FailureExample[] {
  const first = new Map(examples.toReversed().map((one) => [one.questionId, one]));
  const firsts = examples.filter((one) => first.get(one.questionId) === one);
  const others = examples.filter((one) => first.get(one.questionId) !== one);
  return [...firsts, ...others].slice(0, MOST_EXAMPLES);
}

/** The folder of a candidate's skill in its epoch. */
export const proposalFolder = ({ paths, order }: Epoch, id: string, name: string): string =>
  `${paths.proposals}/${id}/${order.domain.name}/${name}`;

/** Writes the skill of a proposal, and says all of it that later phases need. */
export async function keepProposal(
  epoch: Epoch,
  { id, cluster }: { readonly id: string; readonly cluster: string },
  proposal: Proposal,
  before = 0,
): Promise<ProposalFile> {
  const { files, skillId, name, errorCategory, messages, completion, replies, diagnostics } = proposal;
  const about = {
    id,
    cluster,
    skillId: skillId ?? "",
    name: name ?? "",
    errorCategory: errorCategory ?? "",
    replies: replies.length + before,
    messages: [...messages],
    completion,
  };
  if (files === undefined || name === undefined) {
    const problem = diagnostics.find(({ severity }) => severity === "error")?.message;
    return { ...about, problem: problem ?? "No reply of the author held a skill." };
  }
  const folder = proposalFolder(epoch, id, name);
  for (const [file, text] of Object.entries(files))
    if (text !== undefined) await writeText(epoch.services.files, `${folder}/${file}`, text);
  return { ...about, folder };
}

/** Phase C (SPEC §7): the student writes a candidate for each chosen cluster. */
export async function proposalsPhase(epoch: Epoch): Promise<PhaseResult<"proposals">> {
  const { order, services, number } = epoch;
  const most =
    order.mode === "lite" ? Math.min(order.caps.candidates, EVOLVE_LIMITS.liteCandidates) : order.caps.candidates;
  const chosen = chosenClusters(epoch.result("failures").clusters, epoch.tried, most);
  const existing = (await epoch.library()).flatMap(({ skill }) => skill ?? []);
  const proposals: ProposalFile[] = [];
  for (const [i, cluster] of chosen.entries()) {
    services.signal.throwIfAborted();
    services.on(progressOf(i, chosen.length, "candidates written"));
    const id = `e${number}-c${i + 1}`;
    const examples = await Promise.all(spread(cluster.examples).map((one) => exampleOf(epoch, one)));
    const task: AuthorTask = {
      id,
      domain: order.domain,
      folder: `${epoch.paths.proposals}/${id}`,
      cluster,
      examples: examples.flatMap((one) => one ?? []),
      existing,
      // Another epoch asks anew where replies are cached.
      sample: order.seed + number,
    };
    const proposal = await proposeSkill(task, epoch.author, { ...services, signal: services.signal });
    proposals.push(await keepProposal(epoch, { id, cluster: cluster.id }, proposal));
  }
  const usable = proposals.filter(({ folder }) => folder !== undefined).length;
  return { proposals, words: `${counted(proposals.length, "candidate")}, ${usable} with a skill` };
}
