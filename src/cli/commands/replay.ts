import { Command } from "commander";
import process from "node:process";
import readline from "node:readline";
import { openReplayJudge, type ExplainedJudgement } from "../../app/judge-replay.ts";
import { contextsOf } from "../../trace/context-at.ts";
import type { Episode } from "../../model/episode.ts";
import { contextRulesOf, foreignDomain } from "../../domains/registry.ts";
import { nodeFiles } from "../../platform/files.ts";
import { followSteps } from "../follow-steps.ts";
import { helpText } from "../help.ts";
import { printableLine } from "../../model/printable.ts";
import { renderStep } from "../render-step.ts";
import { findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { inSession, readSkills } from "../session.ts";
import { CliError, EXIT, openTerminal, type SetExit } from "../terminal.ts";

interface Options {
  readonly episode?: string;
  readonly follow?: boolean;
  readonly step?: string;
  readonly skills?: string[];
  readonly json?: boolean;
}

const KEYS = "← → step · Home End first, last · q quit";

function moveBy(key: string, t: number, length: number): number | undefined {
  if (key === "q" || key === "escape") return undefined;
  if (key === "home") return 0;
  if (key === "end") return length - 1;
  if (key === "right" || key === "l" || key === "return" || key === "space")
    return Math.min(length - 1, t + 1);
  if (key === "left" || key === "h") return Math.max(0, t - 1);
  return t;
}

/** One screen a step, driven by keys, until the person quits. The terminal is left as it was found. */
async function stepThrough(length: number, start: number, draw: (t: number) => string[]): Promise<void> {
  const { stdin, stdout } = process;
  readline.emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  let t = start;
  const show = (): void => {
    stdout.write(`\u001b[2J\u001b[H${draw(t).join("\n")}\n\n${KEYS}\n`);
  };
  show();
  await new Promise<void>((resolve) => {
    const onKey = (_text: string | undefined, key: { name?: string; ctrl?: boolean }): void => {
      const next = key.ctrl === true && key.name === "c" ? undefined : moveBy(key.name ?? "", t, length);
      if (next === undefined) {
        stdin.removeListener("keypress", onKey);
        resolve();
      } else if (next !== t) {
        t = next;
        show();
      }
    };
    stdin.on("keypress", onKey);
  });
  stdin.setRawMode(false);
  stdin.pause();
}

function chosenSteps({ steps }: Episode, step: string | undefined): number[] {
  return step === undefined ? steps.map((_, t) => t) : [stepIndex(step, steps.length)];
}

/** What today's library would do at these steps, and why. */
async function judge(
  episode: Episode,
  steps: readonly number[],
  skills: string[],
): Promise<ExplainedJudgement[]> {
  return inSession(async (session) => {
    const judge = await openReplayJudge(await readSkills(skills, session), session.host, session.compiler);
    const explained: ExplainedJudgement[] = [];
    for (const t of steps) explained[t] = await judge.explained(episode, t);
    return explained;
  });
}

function forJson({ judgement, reasons }: ExplainedJudgement) {
  const { statesBefore: _, events, notAsked, ...rest } = judgement;
  return { ...rest, events: [...events, ...notAsked], explanations: [...reasons.values()] };
}

function wantedEpisode({ episode }: Options): string {
  if (episode !== undefined) return episode;
  throw new CliError("Which episode?", "Name it with --episode <id>, or watch the run with --follow.");
}

async function follow(runPath: string, options: Options): Promise<0> {
  if (options.json === true || options.step !== undefined || options.skills !== undefined)
    throw new CliError(
      "--follow goes with --episode alone.",
      "Leave out --json, --step and --skills; they are for episodes that have ended.",
    );
  const terminal = openTerminal(false);
  const print = (line: string): void => terminal.line(printableLine(line));
  await followSteps(runPath, options.episode, nodeFiles(), print);
  return EXIT.fine;
}

async function runReplay(runPath: string, options: Options): Promise<0> {
  if (options.follow === true) return follow(runPath, options);
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const episode = await findEpisode(await openRunAt(runPath, files), wantedEpisode(options), files);
  const steps = chosenSteps(episode, options.step);
  const judged = options.skills === undefined ? [] : await judge(episode, steps, options.skills);
  const contexts = contextsOf(episode, contextRulesOf(episode.facts.domain));
  // Texts of an episode may hold escape sequences: they are shown, never obeyed.
  const draw = (t: number): string[] =>
    renderStep(episode, t, contexts, judged[t], process.stdout.columns).map(printableLine);
  const notice = foreignDomain(episode.facts.domain);
  if (notice !== undefined) terminal.line(notice);
  const interactive =
    process.stdin.isTTY && process.stdout.isTTY && !terminal.json && options.step === undefined;
  if (interactive && steps.length > 0)
    await stepThrough(episode.steps.length, 0, (t) => [
      ...(notice === undefined ? [] : [printableLine(notice)]),
      ...draw(t),
    ]);
  else for (const t of steps) draw(t).forEach((line) => terminal.line(line));
  terminal.result({ episode, judged: judged.map(forJson), contexts, notice });
  return EXIT.fine;
}

/** `hasp replay <run> --episode <id>`. */
export function replayCommand(setExit: SetExit): Command {
  return new Command("replay")
    .description("Step through a recorded episode: on a terminal by keys, otherwise all steps in a row.")
    .argument("<run>", "a run folder")
    .option("--episode <id>", "an episode's id, or its number in the run; needed except with --follow")
    .option("--follow", "print the steps of episodes that run, as they come")
    .option("--step <n>", "only this step, counted from 1")
    .option("--skills <dir...>", "also show what these skills would do at each step")
    .option("--json", "print the episode, its contexts and the decisions as JSON")
    .addHelpText("after", helpText("hasp replay samples/.hasp/runs/first-look --episode 1 --skills skills"))
    .action(async (run: string, options: Options) => {
      setExit(await runReplay(run, options));
    });
}
