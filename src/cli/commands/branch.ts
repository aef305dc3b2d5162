import path from "node:path";
import { branchFrom, type BranchOrder } from "../../app/run/branch.ts";
import { dollars } from "../../llm/budget.ts";
import type { Episode } from "../../model/episode.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { MODELS, SKILLS_AND_CONTROL } from "../episode-options.ts";
import { episodeOrder, inEpisodeSession, type EpisodeSession } from "../episode-session.ts";
import { KEYS } from "../help.ts";
import { decimal, needed, text } from "../options.ts";
import { RETRIEVER } from "../retriever-options.ts";
import { findEpisode, openRunAt, runnableOrRefuse, stepIndex } from "../runs.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const OPTIONS = {
  episode: needed(text("--episode <id>", "an episode's id, or its number in the run")),
  step: needed(text("--step <n>", "the first step that is taken anew, counted from 1")),
  output: needed(text("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/branch-1")),
  corpus: text("--corpus <file>", "what is searched: JSONL with title and text (default: that of hasp.yaml)"),
  ...RETRIEVER,
  ...MODELS,
  ...SKILLS_AND_CONTROL,
  maxDollars: decimal("--max-dollars <n>", "what the branch may cost"),
};

async function orderOf(
  call: Call<typeof OPTIONS>,
  run: string,
  { config }: EpisodeSession,
): Promise<BranchOrder> {
  const { options, isGiven, files } = call;
  const opened = await openRunAt(run, files);
  const episode = await findEpisode(opened, options.episode, files);
  const t = stepIndex(options.step, episode.steps.length);
  const domain = runnableOrRefuse(episode.facts.domain);
  return {
    ...episodeOrder(call, config, domain),
    episode,
    from: { run: opened.folder.split(path.sep).join("/"), episode: episode.id, t },
    keepsRetriever: isGiven("retriever"),
  };
}

function report(terminal: Terminal, { folder, from, episode }: BranchOrder, made: Episode): ExitCode {
  const { outcome, stopReason, length, answer, cost } = made;
  const before = `${episode.outcome} after ${episode.steps.length} steps`;
  terminal.line(`${outcome} after ${length} steps, ended by ${stopReason} (the record: ${before})`);
  if (answer !== undefined) terminal.line(`answer: ${answer}`);
  if (cost !== undefined && cost.cost !== 0)
    terminal.line(`cost: ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}`);
  terminal.line(`branch written to ${folder}`);
  terminal.result({ run: folder, branchedFrom: from, episode: made });
  return /^(?:model_|environment_error$|budget$|cancelled$)/.test(stopReason) ? EXIT.findings : EXIT.fine;
}

function runBranch(call: Call<typeof OPTIONS>, run: string): Promise<ExitCode> {
  const { terminal } = call;
  return inEpisodeSession(call, async (session) => {
    const { services, signal } = session;
    const order = await orderOf(call, run, session);
    const made = await branchFrom(order, services, {
      signal,
      on: (event) =>
        event.kind === "trouble" ? terminal.line(event.message) : terminal.diagnostics(event.diagnostics),
    });
    return report(terminal, order, need(made));
  });
}

/** `hasp branch <run> --episode <id> --step <n> --policy <spec> -o <run>`. */
export const branchCommand = defineCommand({
  name: "branch",
  about: "Go on from a step of a recorded episode with another policy, library or corpus.",
  takes: [["<run>", "a run folder"]],
  options: OPTIONS,
  section: KEYS,
  examples: [
    "hasp branch .hasp/runs/first --episode 12 --step 3 --corpus corpus/passages.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/branch-12-3",
    "hasp branch .hasp/runs/first --episode 12 --step 3 --policy recorded:.hasp/runs/first -o .hasp/runs/what-if",
  ],
  run: runBranch,
});
