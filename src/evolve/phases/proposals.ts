import type { BacktestRun } from "../../app/backtest.ts";
import { episodeOf } from "../../app/open-run.ts";
import { progressOf } from "../../app/progress.ts";
import { counted } from "../../model/counted.ts";
import { EVOLVE_LIMITS } from "../../model/evolution.ts";
import type { FailureCluster, FailureExample } from "../../model/failure.ts";
import { exampleOf, type AuthorExample, type AuthorTask, type Proposal } from "../author/author-task.ts";
import { proposeSkill, type AuthorTools } from "../author/propose.ts";
import { withVersion } from "../../skill/with-version.ts";
import { writeJson, writeText, type PhaseResult, type ProposalFile } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { authorRuns, runOf } from "../epoch-runs.ts";
import { epochPath } from "../evolution-paths.ts";
import { renamedFinding, withFreeId } from "../free-id.ts";

/** Examples of a cluster that an author reads; it is shown three. */
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

/** Undefined where the episode, or its run among those of the author, is gone. */
async function readExample(
  epoch: Epoch,
  runs: readonly BacktestRun[],
  example: FailureExample,
): Promise<AuthorExample | undefined> {
  const run = runOf(epoch, runs, example);
  if (run === undefined) return undefined;
  const { value } = await episodeOf(epoch.services.files, run, example.index);
  return value === undefined ? undefined : exampleOf(value, example.steps);
}

/** Examples of different questions, as far as there are enough. */
export function spread(examples: readonly FailureExample[]): readonly FailureExample[] {
  const first = new Map(examples.toReversed().map((one) => [one.questionId, one]));
  const firsts = examples.filter((one) => first.get(one.questionId) === one);
  const others = examples.filter((one) => first.get(one.questionId) !== one);
  return [...firsts, ...others].slice(0, MOST_EXAMPLES);
}

/** Services of the author; equal replies give equal proposals. */
export const authorTools = ({ services, paths, order }: Epoch): AuthorTools => ({
  compiler: services.compiler,
  startHost: services.startHost,
  folder: paths.proposals,
  mode: order.mode,
  signal: services.signal,
});

/**
 * The text with the version that the skill would have in the library, so that checks and reviews are about the very text that is admitted. A
 * text that cannot take it stays as it is; admission then says why.
 */
async function withNextVersion(
  epoch: Epoch,
  skillId: string,
  candidate: string,
  text: string,
): Promise<string> {
  if (skillId === "") return text;
  const skills = (await epoch.allSkills()).flatMap(({ skill }) => skill ?? []);
  const place = { evolution: epoch.evolution, candidate };
  const version = await (await epoch.generated()).nextVersion(skillId, skills, place);
  if (version === 1) return text;
  const domains = await epoch.services.compiler.domains();
  return withVersion(text, { skillId, version }, { file: "SKILL.md", domains }).value ?? text;
}

/**
 * Writes the skill of a proposal and all replies of its author; answers what later phases need. `taken`: ids of other candidates, of which a
 * skill that needs a free id takes none.
 */
export async function keepProposal(
  epoch: Epoch,
  cluster: string,
  written: Proposal,
  taken: readonly string[] = [],
): Promise<ProposalFile> {
  const { services, paths, order } = epoch;
  const { files } = services;
  const { proposal, renamedFrom } = withFreeId(written, await epoch.allSkills(), taken);
  const { id, skillId = "", name = "", errorCategory = "", messages, completion, replies } = proposal;
  await writeJson(files, paths.replies(id), replies);
  const about = { id, cluster, skillId, name, errorCategory };
  const said = { replies: replies.length, messages: [...messages], completion };
  if (proposal.files === undefined || proposal.folder === undefined) {
    const problem = proposal.diagnostics.find(({ severity }) => severity === "error");
    if (problem === undefined) return { ...about, ...said, problem: "No reply of the author held a skill." };
    return { ...about, ...said, problem: problem.message, problemCode: problem.code };
  }
  const skillMd = await withNextVersion(epoch, skillId, id, proposal.files["SKILL.md"]);
  for (const [file, text] of Object.entries({ ...proposal.files, "SKILL.md": skillMd }))
    await writeText(files, `${proposal.folder}/${file}`, text);
  if (renamedFrom !== undefined) epoch.found.push(renamedFinding(id, renamedFrom, skillId));
  const place = epochPath(order.folder, proposal.folder);
  return { ...about, ...said, folder: place, ...(renamedFrom !== undefined && { renamedFrom }) };
}

/** Phase C (SPEC §7): the student writes a candidate for each chosen cluster. */
export async function proposalsPhase(epoch: Epoch): Promise<PhaseResult<"proposals">> {
  const { order, services, number } = epoch;
  const most =
    order.mode === "lite"
      ? Math.min(order.caps.candidates, EVOLVE_LIMITS.liteCandidates)
      : order.caps.candidates;
  const chosen = chosenClusters(epoch.result("failures").clusters, epoch.tried, most);
  const { runs } = await authorRuns(epoch);
  const existing = (await epoch.library()).flatMap(({ skill }) => skill ?? []);
  const proposals: ProposalFile[] = [];
  for (const [i, cluster] of chosen.entries()) {
    services.signal.throwIfAborted();
    services.on(progressOf(i, chosen.length, "candidates written"));
    const id = `e${number}-c${i + 1}`;
    const examples = await Promise.all(spread(cluster.examples).map((one) => readExample(epoch, runs, one)));
    const task: AuthorTask = {
      id,
      domain: order.domain,
      cluster: { ...cluster, size: cluster.examples.length },
      examples: examples.flatMap((one) => one ?? []),
      library: existing,
      // Another epoch asks anew where replies are cached.
      sample: order.seed + number,
    };
    const proposal = await proposeSkill(task, epoch.author, authorTools(epoch));
    const taken = proposals.map(({ skillId }) => skillId);
    proposals.push(await keepProposal(epoch, cluster.id, proposal, taken));
  }
  const usable = proposals.filter(({ folder }) => folder !== undefined).length;
  return { proposals, words: `${counted(proposals.length, "candidate")}, ${usable} with a skill` };
}
