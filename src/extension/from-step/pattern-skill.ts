import type * as vscode from "vscode";
import { facetsOf } from "../../app/judge-replay.ts";
import { mostTellingSteps, type PatternStep, patternSteps } from "../../app/pattern-steps.ts";
import { progressOf } from "../../app/progress.ts";
import { FAILURE_PATTERNS, type FailurePattern } from "../../model/failure-pattern.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { inform, inNotification } from "../notification.ts";
import { openSkillDesk } from "../new-skill/command.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { requireTrust } from "../workspace/trust.ts";
import { MOST_CASES, writeSkillFromAlike } from "./alike-skill.ts";
import { isRunPlace, recordedStep, type RecordedStep, runAt, type StepServices } from "./recorded-step.ts";
import type { Services } from "../services.ts";

/** A pattern of a run, as the replay names it; asked for where it is left out. */
export interface PatternArgument {
  /** The run folder or its `episodes.jsonl`. */
  readonly run: vscode.Uri | string;
  readonly pattern: FailurePattern;
  /** Position of the episode whose step comes first. */
  readonly episode?: number;
}

function isPattern(value: unknown): value is FailurePattern {
  return typeof value === "string" && Object.hasOwn(FAILURE_PATTERNS, value);
}

function isArgument(value: unknown): value is PatternArgument {
  const { run, pattern } = fieldsOf(value);
  return isRunPlace(run) && isPattern(pattern);
}

/** A pattern of the episode that is shown; undefined when the person leaves or there is none. */
async function askPattern(services: StepServices): Promise<PatternArgument | undefined> {
  const { episode, index, run } = await recordedStep(services, undefined);
  const picks = facetsOf(episode, undefined).patterns.map(({ name, reason }) => ({
    label: FAILURE_PATTERNS[name],
    description: reason,
    value: name,
  }));
  if (picks.length === 0) {
    inform(`Episode ${index + 1} shows no failure pattern.`);
    return undefined;
  }
  const title = `HASP: ${COMMANDS.newSkillFromPattern.title}`;
  const placeHolder = `Patterns of episode ${index + 1}`;
  const asked = picks.length > 1;
  const pattern = asked
    ? await choose(title, placeHolder, picks, { matchOnDescription: true })
    : picks[0]?.value;
  return pattern === undefined ? undefined : { run: run.file, pattern, episode: index };
}

function lookThrough(
  files: StepServices["files"],
  run: FoundRun,
  pattern: FailurePattern,
): Thenable<PatternStep[]> {
  const title = `Looking for “${FAILURE_PATTERNS[pattern]}” in ${run.title}`;
  return inNotification(title, (signal, on) =>
    patternSteps(files, run, pattern, (read, total) => {
      signal.throwIfAborted();
      on(progressOf(read, total, "episodes"));
    }),
  );
}

/**
 * `HASP: New Skill from This Pattern`: New Skill from the step at which one episode shows the pattern; the steps of up to
 * `MOST_CASES` episodes of the run that show it are its cases.
 */
export function registerNewSkillFromPattern({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const desk = openSkillDesk(editorServices);
  const { log, files, runs } = editorServices;
  const { newSkillFromPattern } = COMMANDS;

  async function newSkill(given?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Writing a skill into it");
    const argument = isArgument(given) ? given : await askPattern(editorServices);
    if (argument === undefined) return undefined;
    const { pattern, episode } = argument;
    const run = await runAt(runs, argument.run);
    const all = await lookThrough(files, run, pattern);
    const telling = mostTellingSteps(all);
    const first = telling.find(({ index }) => index === episode) ?? telling[0];
    if (first === undefined)
      throw new Failure(
        `No episode of ${run.title} shows “${FAILURE_PATTERNS[pattern]}”.`,
        "Choose another pattern.",
      );
    const stepAt = ({ index, t }: PatternStep): Promise<RecordedStep> =>
      recordedStep(editorServices, { run: run.file, episode: index, t });
    const others = telling.filter((step) => step !== first).slice(0, MOST_CASES - 1);
    const alike = {
      first: await stepAt(first),
      others: await Promise.all(others.map(stepAt)),
      ofAll: `of ${all.length} episodes with “${FAILURE_PATTERNS[pattern]}”`,
    };
    const wish = { title: newSkillFromPattern.title, argument: given };
    return writeSkillFromAlike(editorServices, desk, alike, wish);
  }

  return registerCommand(log, newSkillFromPattern, newSkill);
}
