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
import { type AsUser, ENTRIES, type Entry, type Reading, type Session, turnsOf } from "./pi-entries.ts";
import { promptedTurns } from "./prompted-turns.ts";
import { asName, asText, compact, isRecord, type JsonRecord } from "./records.ts";
import { pathsOf, type PathEpisode, treeEpisodes } from "./talk-tree.ts";
import type { ReadEpisode, Turn } from "./turn.ts";

/** A line of a session of Pi, or of what `pi --mode json` prints. */
export function isPi(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const type = asName(value["type"]);
  if (type === "session") return "cwd" in value && "timestamp" in value;
  if (type === "message_end") return isRecord(value["message"]) && "role" in value["message"];
  return ENTRIES.has(type) && "parentId" in value && "timestamp" in value;
}

/** Sessions of Pi: a tree of entries. The path to the last entry is the episode, and each other path an abandoned branch. */
export function piReader({ name, ledger }: ReaderOptions): FormatReader {
  const reading: Reading = { sessions: [], asUser: new Set(), ledger };
  return {
    read: (value, line, cut) => readLine(reading, value, line, cut),
    end: () => {
      const read = reading.sessions.map((session) => episodesOf(session, reading, name));
      return {
        episodes: read.flatMap(({ episodes }) => episodes),
        problems: read.flatMap(({ problems }) => problems),
      };
    },
  };
}

function readLine(reading: Reading, value: unknown, line: number, cut = false): FormatResult {
  if (!isRecord(value)) return refuse(line, "an object is expected.", "Check the session's file.");
  const type = asName(value["type"]);
  if (type === "session")
    reading.sessions.push({ header: value, entries: [], model: undefined, title: undefined });
  else {
    if (reading.sessions.length === 0)
      reading.sessions.push({ header: {}, entries: [], model: undefined, title: undefined });
    const session = reading.sessions.at(-1);
    if (session !== undefined) addEntry(reading, session, type, cut ? { ...value, cut } : value);
  }
  return NOTHING;
}

function addEntry(reading: Reading, session: Session, type: string, entry: JsonRecord): void {
  const { entries } = session;
  // The first version had no ids; events have none either.
  const id = asText(entry["id"]) ?? `#${entries.length}`;
  const parent = "parentId" in entry ? asText(entry["parentId"]) : entries.at(-1)?.id;
  const made = turnsOf(reading, session, type, { ...entry, id });
  if (made !== undefined) entries.push({ id, parent, ...made });
}

function episodesOf(session: Session, reading: Reading, name: string): FormatResult {
  const { header, entries } = session;
  const paths = pathsOf(entries);
  const lost = paths.filter(({ lacksParent }) => lacksParent !== undefined).length;
  const { episodes, silent } = treeEpisodes(paths, {
    id: asText(header["id"]) ?? name,
    key: "entryId",
    episodeOf: (path) => episodeOfPath(session, reading, path),
  });
  reading.ledger.dropped("abandoned branches without a step", "the agent did nothing in them", silent);
  const problems: readonly FormatProblem[] =
    lost === 0
      ? []
      : [
          warning(
            0,
            `${lost} ${lost === 1 ? "entry names a parent" : "entries name parents"} that the session does not have, or that comes after it; the branch begins there.`,
            "Check whether the file is whole.",
          ),
        ];
  return { episodes, problems };
}

function episodeOfPath(
  { header, model, title }: Session,
  { asUser }: Reading,
  path: PathEpisode<Entry>,
): ReadEpisode {
  const { nodes, turns, ...rest } = path;
  const stands = path.outcome === undefined;
  return episodeOf({
    ...rest,
    source: "pi",
    turns: stands ? withReads(nodes, turns, asUser) : turns,
    coding: { cwd: asText(header["cwd"]) },
    settings: compact({ model, agent: "pi" }),
    extra: compact({ title, parentSession: asText(header["parentSession"]) }),
  });
}

/** The turns with what the agent read: the whole of it where the session tells its system message, until the program changes it. */
function withReads(nodes: readonly Entry[], turns: readonly Turn[], asUser: AsUser): readonly Turn[] {
  const tools = nodes.find((node) => node.turns.length > 0)?.tools;
  const edited = nodes.findIndex(({ edits }) => edits === true);
  const exact =
    tools === undefined
      ? 0
      : nodes.slice(0, edited === -1 ? nodes.length : edited).flatMap((node) => node.turns).length;
  const shown = turns.map((turn): Turn =>
    turn.kind === "system" && asUser.has(turn) ? { ...turn, kind: "user" } : turn,
  );
  const told = promptedTurns(shown, { tools: tools ?? [], cut: false });
  return turns.map((turn, at) => {
    const read = told[at];
    if (turn.kind !== "agent" || read?.kind !== "agent" || read.read === undefined) return turn;
    const finish =
      turn.ends !== false ? "stop" : turn.extra?.["stopReason"] === "length" ? "length" : "other";
    return {
      ...turn,
      read: at < exact ? read.read : { ...read.read, fromTranscript: true },
      ...(read.completion && { completion: { ...read.completion, finish } }),
    };
  });
}
