import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { FailureCluster, FailureExample } from "../../model/failure.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import {
  notesOfCluster,
  ofDistinctQuestions,
  plainLine,
  skillOfCluster,
  stepOfExample,
} from "../failures/cluster-words.ts";
import { openSkillDesk } from "../new-skill/command.ts";
import type { EditorServices } from "../services.ts";
import { requireTrust } from "../workspace/trust.ts";
import { MOST_CASES, writeSkillFromAlike } from "./alike-skill.ts";
import { recordedStep, type RecordedStep } from "./recorded-step.ts";

/**
 * The recorded steps of examples of distinct questions, as they are now, up to `MOST_CASES`: those of the first one's domain where something was
 * proposed, because a case asks about a proposal.
 */
async function stepsOf(
  services: EditorServices,
  examples: readonly FailureExample[],
): Promise<readonly RecordedStep[]> {
  const steps: RecordedStep[] = [];
  for (const example of ofDistinctQuestions(examples)) {
    const { run, index } = example;
    const place = { run: vscode.Uri.parse(run, true), episode: index, t: stepOfExample(example) };
    const step = await recordedStep(services, place);
    const isOfDomain = step.domain.name === (steps[0]?.domain.name ?? step.domain.name);
    if (isOfDomain && step.step.proposals[0] !== undefined) steps.push(step);
    if (steps.length === MOST_CASES) break;
  }
  return steps;
}

/** New Skill from the first example of a cluster; the steps of further examples are its cases. */
export async function newSkillFromCluster(
  services: EditorServices,
  cluster: FailureCluster,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  requireTrust("Writing a skill into it");
  const category = plainLine(cluster.category);
  const [first, ...others] = await stepsOf(services, cluster.examples);
  if (first === undefined)
    throw new Failure(
      `No example of ${category} has a step at which something was proposed.`,
      "Choose another cluster.",
    );
  const ofAll = `of ${counted(cluster.examples.length, "episode")} of the cluster ${category}`;
  return writeSkillFromAlike(
    services,
    openSkillDesk(services),
    { first, others, ofAll },
    {
      title: COMMANDS.newSkillFromCluster.title,
      argument,
      suggested: skillOfCluster(cluster),
      notes: notesOfCluster(cluster),
    },
  );
}
