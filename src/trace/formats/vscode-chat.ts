import { addAll } from "./add-all.ts";
import { episodeOf } from "./conversation.ts";
import {
  type FormatProblem,
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
} from "./records.ts";
import { pathsOf, type TalkNode, treeEpisodes } from "./talk-tree.ts";
import type { ReadEpisode } from "./turn.ts";
import { applyEntry, type ChatLog, isChatLogEntry, type RemovedRequests } from "./vscode-log.ts";
import { readRequest, type RequestReading, type SubAgent } from "./vscode-request.ts";

/** An export of `Chat: Export Chat…`, a file of `chatSessions`, or a line of its log. */
export function isVscodeChat(value: unknown): boolean {
  if (isChatLogEntry(value)) return true;
  if (!isRecord(value) || !Array.isArray(value["requests"])) return false;
  return "responderUsername" in value || ("sessionId" in value && "creationDate" in value);
}

/** Chats of VS Code. Requests that a person took back are an abandoned branch; sub-agents are episodes of their own. */
export function vscodeChatReader({ name, ledger }: ReaderOptions): FormatReader {
  const log: ChatLog = { state: undefined, removed: [] };
  let isLog = false;

  function read(value: unknown, line: number, cut = false): FormatResult {
    if (isChatLogEntry(value)) {
      isLog = true;
      ledger.mapped("entries of the log", "the session that they make");
      // A change that breaks off could take away what it does not give back.
      if (cut && log.state !== undefined) return NOTHING;
      const why =
        log.state === undefined && value["kind"] !== 0
          ? "the session's beginning is missing"
          : applyEntry(log, value, ledger);
      if (why === undefined) return NOTHING;
      return {
        episodes: [],
        problems: [
          warning(
            line,
            `this change of the session was left out: ${why}.`,
            "Check whether the file is whole.",
          ),
        ],
      };
    }
    if (isRecord(value) && Array.isArray(value["requests"]))
      return sessionResult(value, [], { name, ledger });
    return refuse(line, "a chat session or a change of one is expected.", "Check the file.");
  }

  const end = (): FormatResult =>
    isLog ? sessionResult(asRecord(log.state), log.removed, { name, ledger }) : NOTHING;
  return { read, end };
}

/** A session in pieces, and where it stands. */
interface Tree {
  readonly nodes: TalkNode[];
  readonly subAgents: SubAgent[];
  /** The last piece of each request that stands, by the request. */
  readonly ends: Map<string, string | undefined>;
}

function sessionResult(
  session: JsonRecord,
  removed: readonly RemovedRequests[],
  { name, ledger }: ReaderOptions,
): FormatResult {
  const requests = recordsOf(session["requests"]);
  const cwd = folderOf(session, requests);
  const { nodes, subAgents } = treeOf(requests, removed, { cwd, ledger });
  const id = asText(session["sessionId"]) ?? sessionIn(requests) ?? name;
  noteWhatIsLeft(session, requests, ledger);
  const model = requests.map(modelOf).find((one) => one !== undefined);
  const settings = compact({ model, agent: "vscode" });
  const { episodes, silent } = treeEpisodes(pathsOf(nodes, nodes.length - 1), {
    id,
    key: "roundId",
    episodeOf: ({ nodes: _, ...path }) =>
      episodeOf({
        ...path,
        source: "vscode-chat",
        coding: { cwd },
        settings,
        prompts: path.outcome === undefined ? "transcript" : undefined,
        extra: compact({ title: asText(session["customTitle"]) ?? asText(session["computedTitle"]) }),
      }),
  });
  ledger.dropped("abandoned branches without a step", "the agent did nothing in them", silent);
  return {
    episodes: withSubAgents(episodes, subAgents, { id, cwd, settings }),
    problems: problemsOf(episodes, requests),
  };
}

function problemsOf(
  episodes: readonly ReadEpisode[],
  requests: readonly JsonRecord[],
): readonly FormatProblem[] {
  if (episodes.length > 0) return [];
  const what = requests.length === 0 ? "no request" : "no answer of an agent";
  return refuse(
    0,
    `the session has ${what}, so it has no step.`,
    "Nothing to do, unless the file is cut off.",
  ).problems;
}

/** The folder of the workspace, from what the agent was told of it or from where a command ran. */
function folderOf(session: JsonRecord, requests: readonly JsonRecord[]): string | undefined {
  const own = pathIn(session["workingDirectory"]);
  if (own !== undefined) return own;
  for (const { result, response } of requests.slice(0, 20)) {
    const context = asList(asRecord(asRecord(result)["metadata"])["renderedGlobalContext"]);
    const text = context.map((part) => asText(asRecord(part)["text"]) ?? "").join("\n");
    const found = /workspace with the following folders?: {0,8}\n {0,8}- ([^\n]{1,1000})/.exec(text)?.[1];
    if (found !== undefined) return found.trim();
    const ran = recordsOf(response).map((part) => pathIn(asRecord(part["toolSpecificData"])["cwd"]));
    const first = ran.find((path) => path !== undefined);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** The path of a file's address, as a text or in parts. */
function pathIn(address: unknown): string | undefined {
  const path =
    typeof address === "string" ? address.replace(/^file:\/\//, "") : asText(asRecord(address)["path"]);
  // `/c:/repo` is a path of Windows.
  return asText(path?.replace(/^\/(?=[A-Za-z]:)/, ""));
}

const sessionIn = (requests: readonly JsonRecord[]): string | undefined =>
  requests
    .map(({ result }) => asText(asRecord(asRecord(result)["metadata"])["sessionId"]))
    .find((one) => one !== undefined);

const modelOf = (request: JsonRecord): string | undefined =>
  asText(asRecord(asRecord(request["result"])["metadata"])["resolvedModel"]) ?? asText(request["modelId"]);

/** Taken back, and not sent away yet: the next request would remove it. */
function isTakenBack(request: JsonRecord): boolean {
  const mark = request["shouldBeRemovedOnSend"];
  if (isRecord(mark)) return asText(mark["afterUndoStop"]) === undefined;
  return request["isHidden"] === true;
}

function treeOf(
  requests: readonly JsonRecord[],
  removed: readonly RemovedRequests[],
  reading: RequestReading,
): Tree {
  const tree: Tree = { nodes: [], subAgents: [], ends: new Map() };
  let standing: string | undefined;
  let back: string | undefined;
  for (const request of requests) {
    const gone = isTakenBack(request);
    const { last, stood } = addRequest(tree, request, gone ? (back ?? standing) : standing, reading);
    back = gone ? last : undefined;
    if (gone) reading.ledger.mapped("requests that were taken back", "abandoned branches");
    else standing = stood;
    tree.ends.set(asName(request["requestId"]), standing);
  }
  for (const { after, requests: group } of removed) {
    let parent = after === undefined ? undefined : tree.ends.get(after);
    for (const request of group) {
      reading.ledger.mapped("requests that the log removed", "abandoned branches");
      const before = parent;
      parent = addRequest(tree, request, before, reading).last;
      tree.ends.set(asName(request["requestId"]), parent);
    }
  }
  tree.nodes.push({ id: "#end", parent: standing, turns: [] });
  return tree;
}

/** Adds the pieces of a request; answers its last one, and the last one that stands. */
function addRequest(
  { nodes, subAgents }: Tree,
  request: JsonRecord,
  parent: string | undefined,
  reading: RequestReading,
): { readonly last: string | undefined; readonly stood: string | undefined } {
  const read = readRequest(request, parent, nodes.length, reading);
  for (const node of read.nodes) nodes.push(node);
  addAll(subAgents, read.subAgents);
  return { last: read.nodes.at(-1)?.id, stood: read.nodes[read.standing - 1]?.id };
}

/** Counts the parts of a session that are not imported. */
function noteWhatIsLeft(session: JsonRecord, requests: readonly JsonRecord[], ledger: Ledger): void {
  ledger.dropped(
    "requests in the queue",
    "they were never sent",
    recordsOf(session["pendingRequests"]).length,
  );
  for (const [key, why] of Object.entries(LEFT)) {
    const times = requests.filter(
      (request) => asList(request[key]).length > 0 || isRecord(request[key]),
    ).length;
    ledger.dropped(`fields of requests: ${key}`, why, times);
  }
}

const LEFT: Readonly<Record<string, string>> = {
  followups: "suggestions for the person",
  contentReferences: "the list below the answer",
  codeCitations: "the list below the answer",
  editedFileEvents: "what the person did with the edits",
};

interface Parent {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly settings: Record<string, unknown> | undefined;
}

/** The episodes, each sub-agent's behind them, with links both ways. */
function withSubAgents(
  episodes: readonly ReadEpisode[],
  subAgents: readonly SubAgent[],
  { id, cwd, settings }: Parent,
): readonly ReadEpisode[] {
  if (subAgents.length === 0) return episodes;
  const calls = new Map<unknown, { readonly episode: ReadEpisode["episode"]; readonly t: number }>();
  for (const { episode } of episodes)
    for (const { t, extra } of episode.steps)
      if (extra?.["callId"] !== undefined) calls.set(extra["callId"], { episode, t });
  const named = new Map(subAgents.map(({ callId }) => [callId, `${id}~${callId}`]));
  const linked = episodes.map(({ episode, ...rest }): ReadEpisode => {
    const steps = episode.steps.map((step) => {
      const own = named.get(asName(step.extra?.["callId"]));
      return own === undefined ? step : { ...step, extra: { ...step.extra, subAgents: [own] } };
    });
    return { ...rest, episode: { ...episode, steps } };
  });
  const made = subAgents.map(({ callId, prompt, turns }): ReadEpisode => {
    const call = calls.get(callId);
    return episodeOf({
      id: `${id}~${callId}`,
      source: "vscode-chat",
      turns: prompt === undefined ? turns : [{ kind: "user", text: prompt }, ...turns],
      coding: { cwd },
      settings,
      outcome: call?.episode.outcome === "abandoned" ? "abandoned" : undefined,
      origin: {
        as: "sub_agent",
        episode: call?.episode.id ?? id,
        ...(call === undefined ? {} : { t: call.t }),
      },
    });
  });
  return [...linked, ...made];
}
