import { readNamed } from "../../app/named-text.ts";
import { trainDataOrder } from "../../app/train-data/assemble.ts";
import { buildTrainData } from "../../app/train-data/build.ts";
import { counted } from "../../model/counted.ts";
import type { Objective } from "../../model/train-data.ts";
import { standingEpisodes } from "../../trace/placed-episodes.ts";
import { isInSplit } from "../../trace/question-split.ts";
import { writeText, type PhaseResult } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { authorRuns } from "../epoch-runs.ts";

/** The questions of recorded runs that are no author's, as a file: training on them would show them to the next author. */
async function heldOutFile({ order, parts, services, paths }: Epoch): Promise<readonly string[]> {
  const { rollouts } = order;
  if (rollouts.kind === "live" || parts.author === undefined) return [];
  const questions = new Map<string, string>();
  for await (const { episode } of standingEpisodes(services.files, rollouts.runs, () => undefined))
    if (!isInSplit(episode.question, parts.author)) questions.set(episode.questionId, episode.question);
  const lines = [...questions].map(([id, question]) => `${JSON.stringify({ id, question })}\n`);
  await writeText(services.files, paths.heldOut, lines.join(""));
  return lines.length === 0 ? [] : [paths.heldOut];
}

/** Recorded runs give rows where their policy's completions are known; an import has none, and its build says so. */
async function buildOne(
  epoch: Epoch,
  objective: Objective,
): Promise<{ readonly rows: Readonly<Record<string, number>>; readonly notices: readonly string[] }> {
  const { services, paths } = epoch;
  const { files, clock, signal, on, training } = services;
  const request = {
    runs: objective === "a" ? (await authorRuns(epoch)).runs.map(({ run }) => run) : [],
    candidates: objective === "b" ? [paths.credit] : [],
    heldOut: objective === "a" ? await heldOutFile(epoch) : [],
    objectives: [objective],
    output: `${paths.data}/${objective}`,
    signal,
  };
  const order = await trainDataOrder(request, files);
  const built =
    order.value === undefined
      ? order
      : await buildTrainData(order.value, {
          files,
          clock,
          on,
          redact: training.redact,
          readNamed: (file) => readNamed(files, file),
        });
  const cards = built.value !== undefined && "cards" in built.value ? built.value.cards : [];
  return {
    rows: Object.fromEntries(cards.map(({ file, rows }) => [file, rows])),
    // Without a row there is nothing to train on; the evolution continues.
    notices: built.diagnostics.map(({ message }) => message),
  };
}

/** Phase H (SPEC §7): training data of both objectives, by the rules of `hasp train-data`. */
export async function dataPhase(epoch: Epoch): Promise<PhaseResult<"data">> {
  // A sitting that was cut off may have left half of it.
  await epoch.services.library.removeFolder(epoch.paths.data);
  const a = await buildOne(epoch, "a");
  const b = await buildOne(epoch, "b");
  const rows = { ...a.rows, ...b.rows };
  const total = Object.values(rows).reduce((sum, n) => sum + n, 0);
  return { rows, notices: [...a.notices, ...b.notices], words: counted(total, "row") };
}
