import { Command } from "commander";
import { explain, judgeRecorded, recordedQuestions } from "../../analysis/judge.ts";
import { formatAction } from "../../model/action.ts";
import { explanationLines } from "../../model/explained-text.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { PfEvent } from "../../model/intervention.ts";
import { contextRulesOf } from "../../domains/registry.ts";
import { helpText } from "../help.ts";
import { findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { inSession, readLibrary } from "../session.ts";
import { CliError, EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

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
    const library = await readLibrary(options.skills, session);
    const active = library.active.find(
      ({ skill }) => skill.skillId === options.skill || skill.name === options.skill,
    );
    if (active === undefined) {
      const known = library.active.map(({ skill }) => skill.skillId).join(", ");
      throw new CliError(
        `No skill here is called ${options.skill}.`,
        `Loaded: ${known === "" ? "none" : known}. See --skills.`,
      );
    }
    const episode = await findEpisode(
      await openRunAt(runPath, session.files),
      options.episode,
      session.files,
    );
    const contextRules = contextRulesOf(episode.facts.domain);
    const t = stepIndex(options.step, episode.steps.length);
    const judged = (
      await judgeRecorded(episode, { ...library, active: [active] }, session.host, contextRules)
    )[t];
    const question = recordedQuestions(episode, contextRules)[t];
    const state = judged?.statesBefore.get(active.skill.skillId);
    if (judged === undefined || question === undefined || state === undefined)
      throw new CliError(
        "The step cannot be judged.",
        `A skill that stands in another domain's folder does not act in a ${episode.facts.domain} episode.`,
      );
    const explanation = await explain(active, state, question, session.compiler, session.host);
    if (explanation === undefined)
      throw new CliError(`${active.program.file} cannot be instrumented.`, "Run `hasp validate` on it.");
    terminal.line(`step ${t + 1} of ${episode.steps.length}: ${formatAction(question.proposed)}`);
    print(terminal, judged.events[0], explanation);
    terminal.result({ episode: episode.id, step: t + 1, event: judged.events[0], explanation });
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
