import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Decision } from "../../src/model/decision.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { PfEvent, TeacherCall } from "../../src/model/intervention.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { openScene, type Ended } from "./hook-process.ts";
import { loopbackModel, type Behaviour, type LoopbackCall } from "./loopback-model.ts";

/** A text, or what a server does in the place of a reply. */
type Reply = string | Behaviour | (() => Behaviour);

/** One question and the replies of its policy, proposal by proposal; the last one again where more are asked for. */
export interface Asked {
  readonly question: string;
  readonly replies: readonly Reply[];
}

export interface RunOrder {
  readonly asked: Asked | readonly Asked[];
  /** Title and text of each passage that can be found. */
  readonly passages?: Readonly<Record<string, string>>;
  /** Replies of the teacher by the group of its site (`handler` for all handlers). Without it there is none. */
  readonly teacher?: Readonly<Partial<Record<SiteGroup, string | Behaviour>>>;
  readonly args?: readonly string[];
  /** Exit code; 0 where nothing is said. */
  readonly code?: number;
}

/** The record of a run of the command. */
export interface Recorded {
  readonly folder: string;
  readonly episodes: readonly Episode[];
  /** The first of them. */
  readonly episode: Episode;
  /** Requests that the teacher's server has received. */
  readonly teacherRequests: number;
  /** All messages that the policy read for this proposal, one below the other. */
  readonly prompt: (t: number, proposal?: number) => Promise<string>;
}

/** A folder in which `hasp` runs as a person starts it, with models on this machine. */
export interface PaperScene {
  readonly hasp: (...args: readonly string[]) => Promise<Ended>;
  readonly at: (...names: string[]) => string;
  readonly run: (order: RunOrder) => Promise<Recorded>;
  /** Writes a web-search skill. Answers with its folder. */
  readonly skill: (name: string, pf: string, metadata?: string) => string;
  readonly close: () => void;
}

/** How the prompts of the teacher's sites begin or what they hold; anything else is a Program Function's. */
const SITES = {
  difficulty_gate: "Rate how hard",
  pf_selector: "Helpers can watch",
  handler: "Check one thing",
  retry: "another round",
  answer_format: "into the form that the question asks for",
  pf: "",
} as const;
type SiteGroup = keyof typeof SITES;

const PASSAGES = { Walmart: "Walmart opened its first store in Rogers. Sam Walton ran it." };

/** A Program Function that holds back each final action with "Wait a moment." */
export const HOLDS_BACK = `import { injectContext, ProgramFunction, type ActionType, type StepContext } from "hasp";
export default class Guard extends ProgramFunction {
  shouldActivate(_ctx: StepContext, type: ActionType): boolean {
    return type === "FINAL";
  }
  intervene() {
    return injectContext("Wait a moment.", "a test");
  }
}
`;

export const act = (action: string, thought = "I look."): string => `Thought: ${thought}\nAction: ${action}`;

export const callsIn = ({ decisions = [], steps }: Episode): TeacherCall[] => [
  ...decisions.flatMap(({ calls = [] }) => calls),
  ...steps.flatMap(({ events }) => events.flatMap(({ teacherCalls = [] }) => teacherCalls)),
];

export const sitesIn = (episode: Episode): string[] => [
  ...new Set(callsIn(episode).map(({ site = "" }) => site)),
];

export const partsIn = ({ decisions = [] }: Episode): string[] => [
  ...new Set(decisions.map(({ part }) => part)),
];

export function decisionOf({ decisions = [] }: Episode, part: Decision["part"]): Decision {
  const found = decisions.find((one) => one.part === part);
  if (found === undefined) throw new Error(`no decision of ${part}`);
  return found;
}

/** The events of a skill's Program Function, proposal by proposal. */
export const eventsOf = ({ steps }: Episode, skillId: string): PfEvent[] =>
  steps.flatMap(({ events }) => events.filter((event) => event.skillId === skillId));

export const statusesOf = (episode: Episode, skillId: string): string[] =>
  eventsOf(episode, skillId).map(({ status }) => status);

export const executedIn = ({ steps }: Episode): string[] =>
  steps.map(({ executed: { type, arg } }) => `${type}[${arg}]`);

function policyOf(asked: readonly Asked[]) {
  return ({ request }: LoopbackCall): Behaviour => {
    const first = request.messages.find(({ role }) => role === "user")?.content ?? "";
    const own = asked.find(({ question }) => first.split("\n", 1)[0] === `Question: ${question}`);
    const said = request.messages.filter(({ role }) => role === "assistant").length;
    const reply = own?.replies[Math.min(said, own.replies.length - 1)];
    if (typeof reply === "string") return { kind: "text", text: reply };
    return (typeof reply === "function" ? reply() : reply) ?? { kind: "status", status: 400 };
  };
}

function teacherOf(replies: NonNullable<RunOrder["teacher"]>) {
  return ({ request }: LoopbackCall): Behaviour => {
    const prompt = request.messages[0]?.content ?? "";
    const groups = Object.keys(SITES) as SiteGroup[];
    const reply = replies[groups.find((group) => prompt.includes(SITES[group])) ?? "pf"];
    if (typeof reply === "string") return { kind: "text", text: reply };
    return reply ?? { kind: "status", status: 400, message: "no reply here" };
  };
}

const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function skillText(name: string, metadata: string): string {
  return `---
name: ${name}
description: A skill of one test; use it nowhere else.
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: ${name}
    version: 1
    priority: 0.9
    error_category: test
    applicable_modes: [web-search]
    system_summary: A line of ${name}.
${metadata}---
# ${name}
`;
}

export function openPaperScene(name: string): PaperScene {
  const scene = openScene(name);
  let runs = 0;

  async function run({
    asked,
    passages = PASSAGES,
    teacher,
    args = [],
    code = 0,
  }: RunOrder): Promise<Recorded> {
    const all = "question" in asked ? [asked] : asked;
    const output = `run-${++runs}`;
    const [questions, corpus] = [`${output}-questions.jsonl`, `${output}-corpus.jsonl`];
    writeFileSync(
      scene.at(questions),
      jsonl(all.map(({ question }, i) => ({ id: `q${i}`, question, gold: ["gold"] }))),
    );
    writeFileSync(
      scene.at(corpus),
      jsonl(Object.entries(passages).map(([title, text]) => ({ title, text }))),
    );
    const policy = await loopbackModel(policyOf(all));
    const adviser = await loopbackModel(teacherOf(teacher ?? {}));
    try {
      const models = ["--policy", `${policy.url}#policy`];
      if (teacher !== undefined) models.push("--teacher", `${adviser.url}#teacher`);
      const sources = ["--questions", questions, "--corpus", corpus, "--triggers", "paper"];
      const ended = await scene.hasp("run", ...sources, ...models, "-o", output, ...args);
      if (ended.code !== code) throw new Error(`hasp run ended with ${ended.code}: ${ended.err}${ended.out}`);
      return await recordIn(scene.at(output), adviser.calls.length);
    } finally {
      await Promise.all([policy.close(), adviser.close()]);
    }
  }

  return {
    hasp: (...args) => scene.hasp(...args),
    at: (...names) => scene.at(...names),
    run,
    skill(skill, pf, metadata = "") {
      const folder = scene.at("own/web-search", skill);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "SKILL.md"), skillText(skill, metadata));
      writeFileSync(path.join(folder, "pf.ts"), pf);
      return folder;
    },
    close: () => scene.close(),
  };
}

async function recordIn(folder: string, teacherRequests: number): Promise<Recorded> {
  const lines = readFileSync(path.join(folder, "episodes.jsonl"), "utf8").trimEnd().split("\n");
  const episodes = lines
    .map((line) => JSON.parse(line) as Episode)
    .toSorted((a, b) => (a.questionId < b.questionId ? -1 : 1));
  const [episode] = episodes;
  if (episode === undefined) throw new Error(`${folder} has no episode`);
  return {
    folder,
    episodes,
    episode,
    teacherRequests,
    async prompt(t, proposal = 0) {
      const id = episode.steps[t]?.proposals[proposal]?.messages ?? "";
      const messages = await (await openMessages(nodeFiles(), folder)).upTo(id);
      if (messages === undefined) throw new Error(`no messages before proposal ${proposal} of step ${t}`);
      return messages.map(({ content }) => content).join("\n");
    },
  };
}
