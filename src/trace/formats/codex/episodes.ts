import type { Origin, Step } from "../../../model/episode.ts";
import { codingAction } from "../coding-turns.ts";
import { type Conversation, episodeOf } from "../conversation.ts";
import { sumOfUsages } from "../counts.ts";
import { compact } from "../records.ts";
import { promptsOf } from "../said.ts";
import { calledIn } from "../tools/code-calls.ts";
import { CODEX_TOOLS } from "../tools/codex.ts";
import type { AgentTurn, ReadEpisode, ReadPrompt, ToolCall, Turn } from "../turn.ts";
import { isScript } from "./items.ts";
import { arePersons, takeBackAfter } from "./roll-back.ts";
import {
  type About,
  type Branch,
  type Call,
  completionOf,
  type Response,
  type Rollout,
  type Segment,
} from "./rollout.ts";
import { type CodexThreads, keyOf } from "./threads.ts";

/** The episodes of a rollout: the turns that stand, and each branch that was taken back. None where nothing was said. */
export function episodesOf(rollout: Rollout, name: string, threads?: CodexThreads): readonly ReadEpisode[] {
  const { about, places } = rollout;
  const id = idOf(about.id ?? name, about.segment);
  const cut = places.reached.find(({ ordinal }) => ordinal === places.takenFrom);
  if (cut !== undefined && cut.ordinal > 0) takeBackAfter(rollout, cut.segments);
  const { segments, roots } = rollout;
  if (rollout.branches === 0 && segments.every(({ entries }) => entries.length === 0)) return [];
  const isAbandoned = places.takenFrom === 0;
  const main = build(rollout, segments, {
    id,
    origin: originOf(rollout, threads),
    isTold: true,
    isAbandoned,
  });
  if (places.segment !== undefined) markPlaces(rollout, places.segment, main, threads);
  const open = leavesOf(segments, main, id);
  for (const branch of roots) open.push({ branch, episode: id, t: -1 });
  return [main.read, ...branchesOf(rollout, open, { id, question: main.read.episode.question })];
}

/** A thread's first file has its id; those that it goes on in have their own, too. */
const idOf = (thread: string, segment: string | undefined): string =>
  segment === undefined || segment === thread ? thread : `${thread}~${segment}`;

function originOf({ about }: Rollout, threads: CodexThreads | undefined): Origin | undefined {
  const { parent, base } = about;
  if (parent !== undefined) return { as: "sub_agent", episode: parent };
  const episode = goesOnFrom(about);
  const t = base === undefined ? undefined : threads?.marks.get(keyOf(base))?.t;
  if (episode === undefined || t === undefined) return undefined;
  return { as: "branch", episode, ...(t >= 0 && { t }) };
}

/** The episode of the file that this one goes on from. */
const goesOnFrom = ({ id, base, forkedFrom }: About): string | undefined =>
  base === undefined ? undefined : idOf(forkedFrom ?? id ?? base.segment, base.segment);

/** Tells the files that go on from this one what they have to know of it. */
function markPlaces(
  { places, segments }: Rollout,
  segment: string,
  { lastSteps }: Built,
  threads: CodexThreads | undefined,
): void {
  for (const { ordinal, segments: before, talk } of places.reached) {
    const t = before > segments.length ? undefined : (lastSteps[before - 1] ?? -1);
    threads?.marks.set(keyOf({ segment, ordinal }), { talk, t });
  }
}

/** Branches whose prompts are told: each of 50,000 repeats all that was said before it. */
const MOST_TOLD = 100;

/** A branch, and the episode and its step (from 0) after which it left; -1: before the first. */
interface Leaf {
  readonly branch: Branch;
  readonly episode: string;
  readonly t: number;
}

function leavesOf(segments: readonly Segment[], { lastSteps }: Built, episode: string): Leaf[] {
  return segments.flatMap(({ branches }, at) =>
    branches.map((branch) => ({ branch, episode, t: lastSteps[at] ?? -1 })),
  );
}

/** The branches in the order in which they were taken back; a branch may have left another one. */
function branchesOf(
  rollout: Rollout,
  open: Leaf[],
  session: { readonly id: string; readonly question: string },
): readonly ReadEpisode[] {
  const made: ReadEpisode[] = [];
  for (let leaf = open.pop(); leaf !== undefined; leaf = open.pop()) {
    const { branch, episode, t } = leaf;
    const origin: Origin = { as: "branch", episode, ...(t < 0 ? {} : { t }) };
    const id = `${session.id}~branch-${branch.number}`;
    const { question } = session;
    const isTold = branch.number <= MOST_TOLD;
    const built = build(rollout, branch.segments, { id, origin, isTold, isAbandoned: true, question });
    made[branch.number - 1] = built.read;
    for (const inner of leavesOf(branch.segments, built, id)) open.push(inner);
  }
  return made.filter((read) => read !== undefined);
}

interface Named {
  readonly id: string;
  readonly origin: Origin | undefined;
  /** Its prompts are told. */
  readonly isTold: boolean;
  readonly isAbandoned?: boolean;
  /** Where the segments themselves have none. */
  readonly question?: string;
}

interface Built {
  readonly read: ReadEpisode;
  /** The last step of each segment and of all before it, from 0; -1: none so far. */
  readonly lastSteps: readonly number[];
}

function build(rollout: Rollout, segments: readonly Segment[], named: Named): Built {
  const { about } = rollout;
  const prompted = named.isTold ? promptsFor(segments) : new Map<Response, ReadPrompt>();
  const turns = segments.flatMap((segment, at) => turnsOf(rollout, segment, { number: at, prompted }));
  const conversation: Conversation = {
    id: named.id,
    source: "codex",
    turns,
    coding: { cwd: about.cwd },
    origin: named.origin,
    ...(named.isAbandoned === true && { outcome: "abandoned" as const }),
    settings: compact({ model: about.model, agent: "codex", agentVersion: about.version }),
    cost: sumOfUsages(segments.flatMap(({ usages }) => usages)),
    extra: compact({
      branch: about.branch,
      forkedFrom: about.forkedFrom,
      goesOnFrom: named.isAbandoned !== true && named.origin === undefined ? goesOnFrom(about) : undefined,
      error: about.error,
    }),
  };
  const first = episodeOf(conversation);
  const hasQuestion = first.episode.question !== "" || named.question === undefined;
  const { episode, prompts } = hasQuestion ? first : episodeOf({ ...conversation, question: named.question });
  const { steps, lastSteps } = withoutMarks(episode.steps, segments.length);
  return { read: { episode: { ...episode, steps }, prompts }, lastSteps };
}

/** The key under which a turn of the agent bears the number of its segment until the steps are made. */
const MARK = "segment";

function withoutMarks(
  steps: readonly Step[],
  segments: number,
): { readonly steps: Step[]; readonly lastSteps: readonly number[] } {
  const lastSteps: number[] = Array.from({ length: segments }, () => -1);
  let at = 0;
  const plain = steps.map((step, t) => {
    const { [MARK]: mark, ...rest } = step.extra ?? {};
    if (typeof mark === "number") at = mark;
    lastSteps[at] = t;
    const { extra: _, ...bare } = step;
    return Object.keys(rest).length === 0 ? bare : { ...bare, extra: rest };
  });
  for (let i = 1; i < segments; i++) lastSteps[i] = Math.max(lastSteps[i] ?? -1, lastSteps[i - 1] ?? -1);
  return { steps: plain, lastSteps };
}

/** What each reply was given to read. */
function promptsFor(segments: readonly Segment[]): ReadonlyMap<Response, ReadPrompt> {
  const replies = segments.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.kind === "response" && entry.read !== undefined ? [{ entry, read: entry.read }] : [],
    ),
  );
  const prompts = promptsOf(replies.map(({ read }) => read));
  return new Map(
    replies.flatMap(({ entry }, at) => {
      const prompt = prompts[at];
      return prompt === undefined ? [] : [[entry, prompt] as const];
    }),
  );
}

interface Place {
  /** Of the segment. */
  readonly number: number;
  readonly prompted: ReadonlyMap<Response, ReadPrompt>;
}

function turnsOf(rollout: Rollout, { entries }: Segment, place: Place): readonly Turn[] {
  return entries.flatMap((entry): readonly Turn[] => {
    if (entry.kind === "words")
      return [{ kind: arePersons(rollout, entry) ? "user" : "system", text: entry.text }];
    return responseTurns(rollout, entry, place);
  });
}

function responseTurns(rollout: Rollout, response: Response, { number, prompted }: Place): readonly Turn[] {
  const { texts, reasoning, calls, usage, timestamp, ends } = response;
  const read = prompted.get(response);
  const ran = calls.flatMap((call) => ranBy(rollout, call));
  const agent: AgentTurn = {
    kind: "agent",
    text: texts.filter((text) => text !== "").join("\n\n"),
    reasoning: reasoning.join("\n\n"),
    calls: ran.map(({ call, extra }) => toolCall(rollout, call, extra)),
    ...(ends === undefined ? {} : { ends }),
    usage,
    ...(read === undefined ? {} : { read, completion: completionOf(response) }),
    extra: compact({ timestamp, [MARK]: number }),
  };
  return [agent, ...ran.flatMap(({ call, isInner }) => resultTurns(call, isInner))];
}

/** A call of the model, or one that its script made, and what its step has besides. */
interface RanCall {
  readonly call: Call;
  readonly isInner: boolean;
  readonly extra: Record<string, unknown> | undefined;
}

/** A script stands as what it ran. Files that never tell what ran have the commands that its text names. */
function ranBy({ hasNested }: Rollout, call: Call): readonly RanCall[] {
  const named = isScript(call) && !hasNested ? namedIn(call) : [];
  const inner = call.nested.length > 0 ? call.nested : named;
  if (inner.length === 0) return [{ call, isInner: false, extra: undefined }];
  const scriptOutput = call.outputs.length === 0 ? undefined : call.outputs.join("\n");
  const about = compact({ script: call.args, scriptOutput, scriptCall: call.id });
  return inner.map((one, at) => ({ call: one, isInner: true, extra: at === 0 ? about : undefined }));
}

/** The commands that the text of a script names; nothing tells how they ended. */
function namedIn({ id, args, at }: Call): readonly Call[] {
  return calledIn(String(args), "javascript").map((cmd, index) => ({
    id: `${id ?? "script"}-${index + 1}`,
    name: "exec_command",
    args: { cmd },
    at,
    nested: [],
    outputs: [],
  }));
}

function toolCall(
  { about }: Rollout,
  { id, name, args, agents }: Call,
  extra: Record<string, unknown> | undefined,
): ToolCall {
  const action = codingAction(CODEX_TOOLS, name, args, about.cwd);
  return { id, name, args, action, extra: compact({ ...extra, subAgents: agents }) };
}

function resultTurns({ id, outputs, printed, result, isOver }: Call, isInner: boolean): readonly Turn[] {
  const read = outputs.length === 0 ? undefined : outputs.join("\n");
  const text = isInner ? (printed ?? read) : (read ?? printed);
  if (text === undefined && result === undefined && isOver !== true) return [];
  return [{ kind: "result", callId: id, text: text ?? "", result }];
}
