/**
 * How handlers vote on the answers of recorded Reflexion episodes that are driven again, and what their overrides were good for. The
 * teacher is a loopback server that answers each site by a fixed rule. Prints the tables of docs/handlers.md. Needs `npm run build`.
 *
 *   node test/bench/handlers.mts [--trajectories reflexion.jsonl]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { FINAL } from "../../src/model/action-types.ts";
import type { Vote } from "../../src/model/decision.ts";
import type { Episode } from "../../src/model/episode.ts";
import { exactMatch, normaliseAnswer } from "../../src/scoring/exact-match.ts";
import { loopbackModel } from "../support/loopback-model.ts";
import { DATA, HOTPOT, markdownTable, redrive, runHasp } from "../support/redrive.ts";

/** Seven of the eight LLM handlers; with the three mandatory skills, which handlers of code have, they are the ten of `pf_top_k`. */
const SEVEN_LLM = [
  "answer_confidence_guard",
  "answer_kind_mismatch",
  "citation_mismatch",
  "multi_hop_reasoning_failure",
  "reasoning_error",
  "temporal_confusion",
  "unfinished_answer",
];
/** Program Functions take their code path in each column, so that the columns differ in selection and handlers alone. */
const PF_BY_CODE = ["--set", "teacher_sites.pf=false"];

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);

/** The helpers of the prompt with most words of the question, in its order where they have as many. */
function helpersFor(prompt: string): string[] {
  const asked = wordsOf(/^Question: (.*)$/m.exec(prompt)?.[1] ?? "");
  const most = Number(/at most (\d+)/.exec(prompt)?.[1] ?? 0);
  return [...prompt.matchAll(/^- (\w+): (.*)$/gm)]
    .map(([, id = "", text = ""]) => ({
      id,
      shared: [...wordsOf(text)].filter((word) => asked.has(word)).length,
    }))
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ id }) => id);
}

/** Whether the answer stands, word for word after normalisation, in the evidence that the prompt shows. */
function isShown(prompt: string): boolean {
  const answer = normaliseAnswer(/^Answer: (.*)$/m.exec(prompt)?.[1] ?? "");
  const evidence = /What it has found:\n(.*)\n\nCheck: /s.exec(prompt)?.[1] ?? "";
  return ` ${normaliseAnswer(evidence)} `.includes(` ${answer} `);
}

/** The teacher `words` selects by shared words, `voters` names the seven; both say the same at every other site. */
function teacherSays(teacher: string, prompt: string): string {
  if (prompt.startsWith("Rate how hard")) return '{"difficulty": 3, "reason": "fixed"}';
  if (prompt.startsWith("Helpers can watch"))
    return JSON.stringify({ skills: teacher === "voters" ? SEVEN_LLM : helpersFor(prompt), reason: "fixed" });
  if (prompt.includes("Check one thing"))
    return JSON.stringify({ override: !isShown(prompt), reason: "whether the answer stands there" });
  if (prompt.includes("Decide whether it should have another round")) return '{"retry": false, "advice": ""}';
  if (prompt.startsWith("Bring an agent's answer")) return /^Answer: (.*)$/m.exec(prompt)?.[1] ?? "";
  throw new Error(`No rule for this prompt: ${prompt.slice(0, 80)}`);
}

/** One vote of the handlers on one answer. */
interface Ballot {
  readonly episode: Episode;
  readonly t: number;
  readonly answer: string;
  readonly isRight: boolean;
  readonly votes: readonly Vote[];
  readonly isOver: boolean;
}

/** The final action that would have stood at a step: as a Program Function worded it, else as it was proposed. */
function finalAt({ steps }: Episode, t: number): string {
  const step = steps[t];
  const reworded = step?.events.findLast(
    ({ status, intervention }) =>
      status === "applied" && intervention?.type === "MODIFY_ACTION" && intervention.newActionType === FINAL,
  )?.intervention;
  if (step?.executed.type === FINAL) return step.executed.arg;
  if (reworded?.type === "MODIFY_ACTION") return reworded.newActionArg ?? "";
  return step?.proposals.at(-1)?.action.arg ?? "";
}

function ballotsIn(episode: Episode): Ballot[] {
  return (episode.decisions ?? []).flatMap(({ part, t, votes, value }) => {
    if (part !== "handler_vote" || t === undefined || votes === undefined) return [];
    const answer = finalAt(episode, t);
    const isRight = exactMatch(answer, episode.gold ?? []);
    return [{ episode, t, answer, isRight, votes, isOver: value === true }];
  });
}

/** Whether the search that ran in place of an answer brought an accepted answer that no observation before it had. */
function broughtGold({ episode: { steps, gold = [] }, t }: Ballot): boolean {
  const texts = steps.map(({ observation, documents = [] }) =>
    normaliseAnswer([observation, ...documents.map(({ text }) => text)].join(" ")),
  );
  const has = (text: string): boolean =>
    gold.some((accepted) => ` ${text} `.includes(` ${normaliseAnswer(accepted)} `));
  return has(texts[t] ?? "") && !texts.slice(0, t).some(has);
}

interface Column {
  readonly name: string;
  readonly episodes: readonly Episode[];
  readonly ballots: readonly Ballot[];
}

const COLUMNS = [
  { name: "pf-only", setting: "pf-only", teacher: undefined },
  { name: "full, by words", setting: "full", teacher: "words" },
  { name: "full, seven LLM", setting: "full", teacher: "voters" },
] as const;

const count = <T,>(items: readonly T[], holds: (item: T) => boolean): number => items.filter(holds).length;

/** Votes against and all votes of one handler on right or on wrong answers. */
function share({ ballots }: Column, id: string, isRight: boolean): string {
  const votes = ballots
    .filter((ballot) => ballot.isRight === isRight)
    .flatMap((ballot) => ballot.votes.filter(({ skillId }) => skillId === id));
  return votes.length === 0 ? "–" : `${count(votes, ({ override }) => override)} of ${votes.length}`;
}

function handlersTable(columns: readonly Column[]): string {
  const ids = new Set(
    columns.flatMap(({ ballots }) => ballots.flatMap(({ votes }) => votes.map(({ skillId }) => skillId))),
  );
  const head = ["handler", ...columns.flatMap(({ name }) => [`${name}: right`, `${name}: wrong`])];
  const rows = [...ids]
    .toSorted()
    .map((id) => [
      `\`${id}\``,
      ...columns.flatMap((column) => [share(column, id, true), share(column, id, false)]),
    ]);
  return markdownTable([head, ...rows]);
}

/** How many handlers voted against one answer: how far the votes are from the threshold. */
function heightsTable(columns: readonly Column[]): string {
  const against = ({ votes }: Ballot): number => count(votes, ({ override }) => override);
  const highest = Math.max(...columns.flatMap(({ ballots }) => ballots.map(against)));
  const rows = Array.from({ length: highest + 1 }, (_, n) => [
    String(n),
    ...columns.flatMap(({ ballots }) =>
      [true, false].map((isRight) =>
        String(count(ballots, (ballot) => ballot.isRight === isRight && against(ballot) === n)),
      ),
    ),
  ]);
  const head = ["votes against", ...columns.flatMap(({ name }) => [`${name}: right`, `${name}: wrong`])];
  return markdownTable([head, ...rows]);
}

/** `right → right 1`, for each pair that comes up: by exact match of the answer that was overridden and of the episode's. */
function changes(overridden: readonly Ballot[]): string {
  const words = overridden.map(({ isRight, episode: { answer, gold = [] } }) => {
    const after = answer === undefined ? "none" : exactMatch(answer, gold) ? "right" : "wrong";
    return `${isRight ? "right" : "wrong"} → ${after}`;
  });
  const counts = [...Map.groupBy(words.toSorted(), (word) => word)];
  return counts.map(([word, { length }]) => `${word} ${length}`).join(", ") || "–";
}

function outcomesTable(columns: readonly Column[]): string {
  const head = [
    "setting",
    "right",
    "wrong",
    "no answer",
    "answers voted on",
    "overridden",
    "before → after",
    "search brought the accepted answer",
  ];
  const rows = columns.map(({ name, episodes, ballots }) => {
    const overridden = ballots.filter(({ isOver }) => isOver);
    const brought = (isRight: boolean): number =>
      count(overridden, (ballot) => ballot.isRight === isRight && broughtGold(ballot));
    return [
      name,
      ...["correct", "wrong", "halted"].map((outcome) =>
        String(count(episodes, (episode) => episode.outcome === outcome)),
      ),
      String(ballots.length),
      String(overridden.length),
      changes(overridden),
      overridden.length === 0 ? "–" : `right ${brought(true)}, wrong ${brought(false)}`,
    ];
  });
  return markdownTable([head, ...rows]);
}

const { values } = parseArgs({
  options: {
    trajectories: { type: "string", default: path.join(DATA, "trajectories/reflexion-hotpotqa.jsonl") },
  },
});

const place = mkdtempSync(path.join(tmpdir(), "hasp-handlers-"));
const model = await loopbackModel(({ request }) => ({
  kind: "text",
  text: teacherSays(request.model, request.messages.at(-1)?.content ?? ""),
}));
try {
  const recorded = path.join(place, "recorded");
  await runHasp(["import", "--from", "reflexion", values.trajectories, "-o", recorded]);
  const columns: Column[] = [];
  for (const { name, setting, teacher } of COLUMNS) {
    const options = teacher === undefined ? [] : ["--teacher", `${model.url}#${teacher}`, ...PF_BY_CODE];
    const output = path.join(place, name.replaceAll(/\W+/g, "-"));
    const order = { questions: HOTPOT, recorded: `${recorded}#1`, setting, options, output };
    const episodes = await redrive(order);
    columns.push({ name, episodes, ballots: episodes.flatMap(ballotsIn) });
  }
  const tables = [outcomesTable(columns), handlersTable(columns), heightsTable(columns)];
  process.stdout.write(`${tables.join("\n\n")}\n`);
} finally {
  await model.close();
  rmSync(place, { recursive: true, force: true });
}
