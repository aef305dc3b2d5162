import { decisionLines, eventWords } from "../../app/decision-lines.ts";
import { explainSkill } from "../../app/explain.ts";
import { verdictWords } from "../../model/verdict-words.ts";
import type { JudgedPf } from "../../protocol/replay.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { needed, text, texts, TRIGGERS } from "../options.ts";
import { actionInLine, answersArePrograms } from "../render-program.ts";
import { RECORDED_SKILLS, skillsOfEpisode } from "../recorded-skills.ts";
import { findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { readSkills } from "../session.ts";
import { EXIT, type Terminal } from "../terminal.ts";

/** Prints what a PF decides today, and why. */
export function printDecision(terminal: Terminal, pf: JudgedPf): void {
  const [said, ...lines] = decisionLines(pf);
  terminal.line(`${pf.event.skillId}, ${said}`);
  for (const line of lines) terminal.line(`  ${line}`);
}

/** `hasp explain <run> --episode <id> --step <n> --skill <id>`. */
export const explainCommand = defineCommand({
  name: "explain",
  about:
    "Why did a PF fire, or not fire, on a recorded step? Names the deciding operand, its values and its line.",
  takes: [["<run>", "a run folder"]],
  options: {
    episode: needed(text("--episode <id>", "an episode's id, or its number in the run")),
    step: needed(text("--step <n>", "the step, counted from 1")),
    skill: needed(text("--skill <id>", "the skill's id")),
    skills: texts("--skills <dir...>", "where the skills are (default: the libraries of hasp.yaml)"),
    triggers: TRIGGERS,
    recordedSkills: RECORDED_SKILLS,
  },
  examples: ["hasp explain .hasp/runs/reflexion --episode 12 --step 3 --skill reasoning_error"],
  async run({ options, terminal, session, files }, path: string) {
    const run = await openRunAt(path, files);
    const episode = await findEpisode(run, options.episode, files);
    const skills =
      options.recordedSkills === true
        ? await skillsOfEpisode(run, episode, session)
        : await readSkills(options.skills, session);
    const t = stepIndex(options.step, episode.steps.length);
    const order = { skills, skill: options.skill, episode, t };
    const found = need(await explainSkill(order, session));
    const { proposed, recorded, notice, event, reason, explanation } = found;
    terminal.line(
      `step ${t + 1} of ${episode.steps.length}: ${actionInLine(proposed, answersArePrograms(episode))}`,
    );
    for (const verdict of episode.steps[t]?.proposals[0]?.verdicts ?? [])
      terminal.line(`  ${verdictWords(verdict)}`);
    if (notice !== undefined) terminal.line(notice);
    printDecision(terminal, found);
    if (recorded !== undefined) terminal.line(`  ${eventWords("recorded", recorded, recorded.reason)}`);
    terminal.result({ episode: episode.id, step: t + 1, event, reason, explanation, recorded, notice });
    return EXIT.fine;
  },
});
