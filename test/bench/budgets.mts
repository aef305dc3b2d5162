/**
 * The rollout budgets of the paper (5 steps, 3 searches) over recorded FireAct episodes that are driven again: how the episodes end, and
 * which recorded answers are lost. Prints the table of docs/handlers.md. Needs `npm run build`.
 *
 *   node test/bench/budgets.mts [--checkout before=../before] [--trajectories fireact.jsonl]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Episode } from "../../src/model/episode.ts";
import {
  DATA,
  episodesOf,
  firstOfEach,
  markdownTable,
  recordedAnswer,
  redrive,
  ROOT,
  ROLLOUT_STEPS,
  ROLLOUT_BUDGETS,
  runHasp,
  writeQuestions,
} from "../support/redrive.ts";

const SETTINGS = ["ra-agent", "pf-only"] as const;

const { values } = parseArgs({
  options: {
    trajectories: { type: "string", default: path.join(DATA, "trajectories/fireact-hotpotqa-even.jsonl") },
    checkout: { type: "string", multiple: true, default: [] },
  },
});

const tally = (texts: readonly string[]): string => {
  const counts = Map.groupBy(texts.toSorted(), (text) => text);
  return [...counts].map(([text, { length }]) => `${text} ${length}`).join(", ");
};

interface Row {
  readonly code: string;
  readonly setting: string;
  readonly episodes: readonly Episode[];
  readonly recorded: ReadonlyMap<string, Episode>;
}

function cellsOf({ code, setting, episodes, recorded }: Row): string[] {
  const within = episodes.filter(({ questionId }) => {
    const said = recordedAnswer(recorded.get(questionId));
    return said !== undefined && said.t < ROLLOUT_STEPS;
  });
  const kept = within.filter(({ answer }) => answer !== undefined);
  const same = kept.filter(
    ({ questionId, answer }) => answer === recordedAnswer(recorded.get(questionId))?.answer,
  );
  return [
    code,
    `\`${setting}\``,
    tally(episodes.map(({ stopReason }) => `\`${stopReason}\``)),
    tally(episodes.map(({ outcome }) => outcome)),
    `${kept.length} of ${within.length}`,
    String(same.length),
  ];
}

const place = mkdtempSync(path.join(tmpdir(), "hasp-budgets-"));
const checkouts = values.checkout.map((text) => {
  const [name = "", ...root] = text.split("=");
  return [name, path.resolve(root.join("="))] as const;
});
try {
  const rows: string[][] = [];
  for (const [code, root] of [...checkouts, ["this checkout", ROOT] as const]) {
    const run = path.join(place, `${code}-recorded`);
    await runHasp(["import", "--from", "fireact", values.trajectories, "-o", run], root);
    const recorded = firstOfEach(episodesOf(run));
    const questions = path.join(place, `${code}.jsonl`);
    writeQuestions(questions, recorded);
    for (const setting of SETTINGS) {
      const output = path.join(place, `${code}-${setting}`);
      const order = { questions, recorded: run, setting, root, output, options: ROLLOUT_BUDGETS };
      rows.push(cellsOf({ code, setting, episodes: await redrive(order), recorded }));
    }
  }
  const head = ["code", "setting", "ended by", "outcome", "recorded answers kept", "word for word"];
  process.stdout.write(`${markdownTable([head, ...rows])}\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
