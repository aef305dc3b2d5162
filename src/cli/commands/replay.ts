import readline from "node:readline";
import { openReplayJudge } from "../../app/judge-replay.ts";
import { contextsOf } from "../../trace/context-at.ts";
import type { Episode } from "../../model/episode.ts";
import { contextRulesOf, foreignDomain } from "../../domains/registry.ts";
import type { Streams } from "../context.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { followSteps } from "../follow-steps.ts";
import { flag, text, texts, TRIGGERS } from "../options.ts";
import { printableLine } from "../../model/printable.ts";
import { RECORDED_SKILLS, skillsOfEpisode } from "../recorded-skills.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { JudgedStep } from "../../protocol/replay.ts";
import { renderStep } from "../render-step.ts";
import { findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { readSkills, type Session } from "../session.ts";
import { CliError, EXIT, type ExitCode } from "../terminal.ts";

const OPTIONS = {
  episode: text("--episode <id>", "an episode's id, or its number in the run; needed except with --follow"),
  follow: flag("--follow", "print the steps of episodes that run, as they come"),
  step: text("--step <n>", "only this step, counted from 1"),
  skills: texts("--skills <dir...>", "also show what these skills would do at each step"),
  triggers: TRIGGERS,
  recordedSkills: RECORDED_SKILLS,
};

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
async function stepThrough(
  { stdin, stdout }: Streams,
  length: number,
  draw: (t: number) => string[],
): Promise<void> {
  readline.emitKeypressEvents(stdin);
  stdin.setRawMode?.(true);
  let t = 0;
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
  stdin.setRawMode?.(false);
  stdin.pause();
}

function chosenSteps({ steps }: Episode, step: string | undefined): number[] {
  return step === undefined ? steps.map((_, t) => t) : [stepIndex(step, steps.length)];
}

/** The decisions of these skills at these steps, with their reasons. */
async function judge(
  episode: Episode,
  steps: readonly number[],
  skills: readonly SkillFolder[],
  session: Session,
): Promise<JudgedStep[]> {
  const judge = await openReplayJudge(skills, session.host, session.compiler);
  const judged: JudgedStep[] = [];
  for (const t of steps) judged[t] = await judge.step(episode, t);
  return judged;
}

async function follow({ options, terminal, files }: Call<typeof OPTIONS>, path: string): Promise<ExitCode> {
  const { step, skills, recordedSkills } = options;
  if (terminal.json || (step ?? skills ?? recordedSkills) !== undefined)
    throw new CliError(
      "--follow goes with --episode alone.",
      "Leave out --json, --step, --skills and --recorded-skills; they are for episodes that have ended.",
    );
  await followSteps(path, options.episode, files, terminal);
  return EXIT.fine;
}

async function runReplay(call: Call<typeof OPTIONS>, path: string): Promise<ExitCode> {
  const { options, terminal, session, files } = call;
  const { streams } = terminal.context;
  if (options.follow === true) return follow(call, path);
  const run = await openRunAt(path, files);
  if (options.episode === undefined)
    throw new CliError("Which episode?", "Name it with --episode <id>, or watch the run with --follow.");
  const episode = await findEpisode(run, options.episode, files);
  const steps = chosenSteps(episode, options.step);
  const skills =
    options.recordedSkills === true
      ? await skillsOfEpisode(run, episode, session)
      : options.skills && (await readSkills(options.skills, session));
  const judged = skills === undefined ? [] : await judge(episode, steps, skills, session);
  const contexts = contextsOf(episode, contextRulesOf(episode.facts.domain));
  // Texts of an episode may hold escape sequences: they are shown, never obeyed.
  const draw = (t: number): string[] =>
    renderStep(episode, t, contexts, judged[t], streams.stdout.columns).map(printableLine);
  const notice = foreignDomain(episode.facts.domain);
  if (notice !== undefined) terminal.line(notice);
  const isWatched = streams.stdin.isTTY === true && streams.stdout.isTTY === true && !terminal.json;
  const above = notice === undefined ? [] : [printableLine(notice)];
  if (isWatched && options.step === undefined && steps.length > 0)
    await stepThrough(streams, steps.length, (t) => [...above, ...draw(t)]);
  else for (const t of steps) draw(t).forEach((line) => terminal.line(line));
  terminal.result({ episode, judged, contexts, notice });
  return EXIT.fine;
}

/** `hasp replay <run> --episode <id>`. */
export const replayCommand = defineCommand({
  name: "replay",
  about: "Step through a recorded episode: on a terminal by keys, otherwise all steps in a row.",
  takes: [["<run>", "a run folder"]],
  options: OPTIONS,
  json: "print the episode, its contexts and the decisions as JSON",
  examples: ["hasp replay samples/.hasp/runs/first-look --episode 1 --skills skills"],
  run: runReplay,
});
