import { episodesOf } from "./copilot/episodes.ts";
import { isKnownEvent, readEvent } from "./copilot/events.ts";
import { openSession } from "./copilot/session.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { hashText } from "../hash.ts";
import { asName, asText, isRecord, type JsonRecord } from "./records.ts";

const KIND = /^(?:session|user|assistant|tool|subagent|hook)\.[a-z_.]+$/;

/** A line of the events of a session, as VS Code's Local sessions and Copilot CLI write them. */
export function isCopilotEvent(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value["data"])) return false;
  const type = asName(value["type"]);
  if (!KIND.test(type) && !isKnownEvent(type)) return false;
  return "id" in value || "timestamp" in value || "parentId" in value;
}

/** Equal for an event that is given twice: its id, and what tells it from others in files whose ids are not their own. */
function markOf(value: JsonRecord, data: JsonRecord): string | undefined {
  const { id, timestamp, type } = value;
  const { toolCallId, messageId, content } = data;
  if (asText(id) === undefined) return undefined;
  return JSON.stringify([id, timestamp, type, toolCallId, messageId, hashText(asName(content))]);
}

/** Events of a session: messages with the calls they ask for, and how each call ended. Sub-agents are episodes of their own. */
export function copilotReader({ name, ledger }: ReaderOptions): FormatReader {
  let session = openSession(name, ledger);
  /** The session's events. */
  const known = new Set<string>();
  const end = (): FormatResult => ({ episodes: episodesOf(session), problems: [] });
  return {
    read(value, line) {
      if (isRecord(value) && value["type"] === "result" && asText(value["sessionId"]) !== undefined) {
        // What `copilot --output-format json` writes last.
        ledger.mapped("result", "id, where no event tells it");
        if (!session.isNamed) session.id = asText(value["sessionId"]) ?? session.id;
        return NOTHING;
      }
      if (!isRecord(value) || !isRecord(value["data"]))
        return refuse(line, "this line is no event: it has no object `data`.", "Check the file.");
      const { data } = value;
      const next = value["type"] === "session.start" ? asText(data["sessionId"]) : undefined;
      const isNext = session.isNamed && next !== undefined && next !== session.id;
      const before = isNext ? end() : NOTHING;
      if (isNext) {
        session = openSession(name, ledger);
        known.clear();
      }
      const mark = markOf(value, data);
      if (mark !== undefined && known.has(mark)) {
        ledger.dropped(`events ${asName(value["type"])} that come again`, "they were read before");
        return before;
      }
      if (mark !== undefined) known.add(mark);
      const problem = readEvent(session, value, data, line);
      if (problem === undefined) return before;
      return { ...before, problems: [...before.problems, problem] };
    },
    end,
  };
}
