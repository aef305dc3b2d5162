import { hashText } from "../hash.ts";
import { withoutBlobs } from "./blobs.ts";
import { unreadableMessages, usageOf } from "./chat-messages.ts";
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
import { promptedTurns } from "./prompted-turns.ts";
import { asList, asRecord, asText, compact, isRecord, type JsonRecord, without } from "./records.ts";
import {
  endsStream,
  type Exchange,
  exchangeOf,
  isCall,
  isEvent,
  isInput,
  isRequest,
  itemsAlone,
  joinBatches,
  responseOfEvents,
} from "./responses-calls.ts";
import { withoutDoubles, withoutHistories } from "./responses-history.ts";
import { isItem, turnsOfItems } from "./responses-items.ts";
import { pathsOf, type TalkNode, type TalkPath, treeEpisodes } from "./talk-tree.ts";
import type { ReadEpisode, Turn } from "./turn.ts";

interface Reading {
  readonly exchanges: Exchange[];
  /** Items on lines of their own. */
  readonly items: unknown[];
  /** Of the response that is being streamed. */
  events: JsonRecord[];
  readonly problems: FormatProblem[];
}

/** The Responses API: each chain of responses is an episode; items and events of streams, too. */
export function responsesReader(options: ReaderOptions): FormatReader {
  const reading: Reading = { exchanges: [], items: [], events: [], problems: [] };
  function read(value: unknown, line: number): FormatResult {
    if (isEvent(value)) takeEvent(reading, value, line, options);
    else if (Array.isArray(value) && !isInput(value))
      for (const one of value as unknown[]) take(reading, one, line);
    else take(reading, value, line);
    return NOTHING;
  }
  function end(): FormatResult {
    closeStream(reading, 0, options);
    if (reading.items.length > 0) reading.exchanges.push(itemsAlone(reading.items, 0));
    const talks = talksOf(reading, options);
    return { episodes: talks, problems: reading.problems };
  }
  return { read, end };
}

function take(reading: Reading, value: unknown, line: number): void {
  if (Array.isArray(value)) reading.exchanges.push(itemsAlone(value, line));
  else if (isRecord(value) && (isItem(value) || (typeof value["role"] === "string" && "content" in value)))
    reading.items.push(value);
  else if (isRecord(value) && (isCall(value) || isRequest(value)))
    reading.exchanges.push(exchangeOf(value, line));
  else
    reading.problems.push(
      ...refuse(line, "a response or items of one are expected.", "Check what wrote the file.").problems,
    );
}

function takeEvent(reading: Reading, event: JsonRecord, line: number, options: ReaderOptions): void {
  if (event["type"] === "response.created") closeStream(reading, line, options);
  reading.events.push(event);
  options.ledger.mapped("events of a stream", "the response that they make");
  if (endsStream(event)) closeStream(reading, line, options);
}

function closeStream(reading: Reading, line: number, { ledger }: ReaderOptions): void {
  const { events } = reading;
  reading.events = [];
  if (events.length === 0) return;
  const { response, ended } = responseOfEvents(events);
  ledger.dropped("pieces of items that a stream did not end", "they are not whole", ended ? 0 : 1);
  reading.exchanges.push(exchangeOf(response, line));
}

const KEY = "responseId";

/** Each conversation is a tree of calls that name the one before; most have one path. */
function talksOf(reading: Reading, options: ReaderOptions): readonly ReadEpisode[] {
  const { problems } = reading;
  const { kept, doubled } = withoutDoubles(joinBatches(reading.exchanges));
  options.ledger.dropped("calls that come again", "their responses were read before", doubled);
  const { exchanges, repeated } = withoutHistories(kept);
  options.ledger.mapped(
    "calls that repeat what was said before",
    "the episode that they go on with",
    repeated,
  );
  const nodes = exchanges.map((exchange, at) => nodeOf(exchange, at, reading, options));
  const paths = pathsOf(nodes);
  const missing = paths.filter(({ lacksParent }) => lacksParent !== undefined).length;
  if (missing > 0)
    problems.push(
      warning(
        0,
        `${missing} ${missing === 1 ? "response goes" : "responses go"} on from one that is not in the file; what was said before it is not known.`,
        "Log the whole chain in one file, or write the earlier items as `input`.",
      ),
    );
  return conversations(paths).flatMap((talk) => episodesOf(talk, reading, options));
}

/** Paths that left each other, each list with its first one in front; the earliest conversation first. */
function conversations<Node extends TalkNode>(
  paths: readonly TalkPath<Node>[],
): readonly (readonly TalkPath<Node>[])[] {
  const roots = new Map<number, number[]>();
  const rootOf: number[] = [];
  paths.forEach(({ left }, at) => {
    const root = left === undefined ? at : (rootOf[left.path] ?? at);
    rootOf.push(root);
    const list = roots.get(root) ?? [];
    list.push(at);
    roots.set(root, list);
  });
  return Array.from(roots.values(), (list) => {
    const places = new Map(list.map((at, place) => [at, place]));
    return list.flatMap((at): TalkPath<Node>[] => {
      const path = paths[at];
      if (path === undefined) return [];
      const { left } = path;
      return [{ ...path, ...(left && { left: { ...left, path: places.get(left.path) ?? 0 } }) }];
    });
  }).toReversed();
}

/** A node with the call that it was made of. */
interface ExchangeNode extends TalkNode {
  readonly exchange: Exchange;
}

function nodeOf(
  exchange: Exchange,
  at: number,
  { problems }: Reading,
  { ledger }: ReaderOptions,
): ExchangeNode {
  const { response, input, output, line } = exchange;
  const status = asText(response["status"]);
  const ends = status === undefined || status === "completed";
  const id = exchange.id ?? `call-${at + 1}`;
  const before = turnsOfItems(input, { ledger, ends: ends && output.length === 0 });
  const after = turnsOfItems(output, { ledger, ends });
  const unreadable = [...before.unreadable, ...after.unreadable];
  if (unreadable.length > 0) problems.push(unreadableMessages(line, unreadable));
  const usage = usageOf(response["usage"] ?? exchange.body["usage"], ledger);
  const first = after.turns.findIndex((turn) => turn.kind === "agent");
  const replied = after.turns.map((turn, place): Turn => {
    if (turn.kind !== "agent" || place !== first) return turn;
    return { ...turn, usage, extra: compact({ ...turn.extra, [KEY]: exchange.id }) };
  });
  return { id, parent: exchange.previous, turns: [...before.turns, ...replied], exchange };
}

function episodesOf(
  talk: readonly TalkPath<ExchangeNode>[],
  { problems }: Reading,
  { name, ledger }: ReaderOptions,
): readonly ReadEpisode[] {
  const last = talk[0]?.nodes.at(-1)?.exchange;
  const whole = talk[0]?.lacksParent === undefined;
  const read = treeEpisodes(talk, {
    id: last === undefined ? name : idOf(last, name),
    key: KEY,
    episodeOf: (path) => {
      const { nodes: said, ...rest } = path;
      const at = said.at(-1)?.exchange;
      const { body = {}, response = {}, error } = at ?? {};
      const instructions = asText(body["instructions"]);
      const turns: readonly Turn[] = [
        ...(instructions === undefined ? [] : [{ kind: "system", text: instructions } as const]),
        ...endingOnce(path.turns),
      ];
      const tools = asList(body["tools"]);
      const cut = asRecord(response["incomplete_details"])["reason"] === "max_output_tokens";
      const stands = path.outcome === undefined;
      ledger.kept("tools", "extra of the episode", tools.length > 0 ? 1 : 0);
      return episodeOf({
        ...rest,
        turns: stands && whole ? promptedTurns(turns, { tools, cut }) : turns,
        ...(stands && !whole ? { prompts: "transcript" } : {}),
        source: "openai-responses",
        settings: compact({ model: asText(response["model"]) ?? asText(body["model"]) }),
        extra: compact({ ...extraOf(body, ledger), tools: tools.length > 0 ? tools : undefined, error }),
      });
    },
  });
  if (read.episodes.length === 0)
    problems.push(
      ...refuse(
        last?.line ?? 0,
        `this call has no answer.${last?.error === undefined ? "" : ` It failed: ${last.error.slice(0, 200)}`}`,
        "Check whether the response is logged.",
      ).problems,
    );
  ledger.dropped("forks of a conversation without an answer", "the agent did nothing in them", read.silent);
  return read.episodes;
}

/** Each reply of a chain says that it is complete; only the last one ends the conversation. */
function endingOnce(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex((turn) => turn.kind === "agent");
  return turns.map((turn, at) => (turn.kind === "agent" && at !== last ? { ...turn, ends: false } : turn));
}

const idOf = ({ body, id, input }: Exchange, name: string): string =>
  asText(body["custom_id"]) ?? id ?? `${name}-${hashText(JSON.stringify(input))}`;

const MAPPED =
  "id object input output instructions tools usage model previous_response_id custom_id headers request response error".split(
    " ",
  );

function extraOf(body: JsonRecord, ledger: ReaderOptions["ledger"]): JsonRecord {
  const kept = Object.fromEntries(
    Object.entries(without(body, MAPPED)).filter(([, value]) => value !== null && value !== undefined),
  );
  for (const key of Object.keys(kept)) ledger.kept(key, "extra of the episode");
  return asRecord(withoutBlobs(kept));
}
