import { compareQuestion, compareTwoRuns } from "../../app/compare-runs.ts";
import { judgeOfBoth } from "../../app/recorded-judge.ts";
import { clip } from "../../model/clip.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { recordedSettingsSchema } from "../../model/recorded-settings.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { interruptible } from "../interrupt.ts";
import { BY_JUDGE } from "../judge-option.ts";
import { flag, text, whole, withDefault } from "../options.ts";
import { renderEpisodeComparison, renderRunComparison } from "../render-comparison.ts";
import { openRunAt } from "../runs.ts";
import { EXIT } from "../terminal.ts";

const MOST_FLIPS = 20;

function headLine(name: string, { title, run, index }: OpenedRunFolder, questions: number): string {
  const episodes = index.entries.length;
  const list = recordedSettingsSchema.pick({ triggers: true }).safeParse(run?.settings).data?.triggers;
  const skills = list === undefined ? "" : `, triggers: ${clip(list, 80)}`;
  return `${name}  ${title}: ${counted(episodes, "episode")}, ${counted(questions, "question")}${skills}`;
}

/** `hasp compare <runA> <runB>`. */
export const compareCommand = defineCommand({
  name: "compare",
  about:
    "Compare two runs by question: what the second won and lost, and what both took; or two episodes of one question, step beside step.",
  takes: [
    ["<runA>", "a run folder: what is compared with, e.g. the run without skills"],
    ["<runB>", "a run folder: what won or lost is said of"],
  ],
  options: {
    question: text(
      "--question <id>",
      "compare two episodes of this question: its id for the first samples, q1#2 for others, or the id of an episode",
    ),
    limit: withDefault(whole("--limit <n>", "questions won or lost to list"), MOST_FLIPS),
    by: BY_JUDGE,
    quick: flag("--quick", "do not read every episode: outcomes and steps only"),
  },
  json: "print the comparison as JSON, with every question",
  examples: [
    "hasp compare .hasp/runs/without .hasp/runs/with-skills",
    "hasp compare .hasp/runs/without .hasp/runs/with-skills --question q17#2",
  ],
  async run(
    { options: { question, quick, limit, by: wanted }, terminal, files },
    pathA: string,
    pathB: string,
  ) {
    const runs = [await openRunAt(pathA, files), await openRunAt(pathB, files)] as const;
    const titles = { a: runs[0].title, b: runs[1].title };
    const measured = quick !== true && question === undefined;
    const {
      by,
      value,
      diagnostics: unread,
    } = await interruptible(terminal, async (signal, on) => {
      const by = wanted === undefined ? undefined : need(await judgeOfBoth(wanted, runs, { files, signal }));
      return { by, ...(await compareTwoRuns({ runs, measured, by }, { files, signal, on })) };
    });
    const { comparison, questions, remarks } = value;
    const diagnostics = [...remarks, ...unread];
    terminal.diagnostics(diagnostics);
    if (question === undefined) {
      terminal.line(headLine("A", runs[0], questions[0]));
      terminal.line(headLine("B", runs[1], questions[1]));
      if (by !== undefined) terminal.line(`right and wrong by the verdicts of ${by}`);
      for (const line of renderRunComparison(comparison, limit)) terminal.line(line);
      terminal.result({ ...titles, by, ...comparison, diagnostics });
    } else {
      const compared = need(await compareQuestion(comparison, question, runs, files));
      const { pair, episodes, comparison: steps } = compared;
      for (const line of renderEpisodeComparison(
        steps,
        episodes,
        titles,
        terminal.context.streams.stdout.columns,
      ))
        terminal.line(line);
      terminal.result({ question: pair, ...steps, remarks });
    }
    return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  },
});
