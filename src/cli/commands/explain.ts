import { Command } from "commander";
import { explainSkill } from "../../app/explain.ts";
import { formatAction } from "../../model/action.ts";
import { explanationLines } from "../../model/explained-text.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { PfEvent } from "../../model/intervention.ts";
import { need } from "../checked.ts";
import { helpText } from "../help.ts";
import { findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { inSession, readSkills } from "../session.ts";
import { EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

interface Options {
  readonly episode: string;
  readonly step: string;
  readonly skill: string;
  readonly skills?: string[];
  readonly json?: boolean;
}

function print(terminal: Terminal, event: PfEvent | undefined, explanation: Explanation): void {
  terminal.line(
    `${explanation.skillId} ${event?.status ?? (explanation.activated ? "fired" : "skipped")}: ${explanation.sentence}`,
  );
  const { deciding } = explanation;
  if (deciding !== undefined) {
    terminal.line(`  decided at ${explanation.file}:${deciding.line}`);
    for (const line of explanationLines(explanation)) terminal.line(`    ${line}`);
  }
  if (event?.reason !== undefined && event.reason !== "") terminal.line(`  ${event.reason}`);
}

async function runExplain(runPath: string, options: Options): Promise<0> {
  const terminal = openTerminal(options.json === true);
  return inSession(async (session) => {
    const skills = await readSkills(options.skills, session);
    const run = await openRunAt(runPath, session.files);
    const episode = await findEpisode(run, options.episode, session.files);
    const t = stepIndex(options.step, episode.steps.length);
    const { proposed, event, explanation, notice } = need(
      await explainSkill({ skills, skill: options.skill, episode, t }, session),
    );
    terminal.line(`step ${t + 1} of ${episode.steps.length}: ${formatAction(proposed)}`);
    if (notice !== undefined) terminal.line(notice);
    print(terminal, event, explanation);
    terminal.result({ episode: episode.id, step: t + 1, event, explanation, notice });
    return EXIT.fine;
  });
}

/** `hasp explain <run> --episode <id> --step <n> --skill <id>`. */
export function explainCommand(setExit: SetExit): Command {
  return new Command("explain")
    .description(
      "Why did a PF fire, or not fire, on a recorded step? Names the deciding operand, its values and its line.",
    )
    .argument("<run>", "a run folder")
    .requiredOption("--episode <id>", "an episode's id, or its number in the run")
    .requiredOption("--step <n>", "the step, counted from 1")
    .requiredOption("--skill <id>", "the skill's id")
    .option("--skills <dir...>", "where the skills are (default: the libraries of hasp.yaml)")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText("hasp explain .hasp/runs/reflexion --episode 12 --step 3 --skill retrieval_failure"),
    )
    .action(async (run: string, options: Options) => {
      setExit(await runExplain(run, options));
    });
}
