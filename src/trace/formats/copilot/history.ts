import { asList, asRecord, asText } from "../records.ts";
import { type Event, say } from "./event.ts";
import { beginSummary, clear, lose, type Session, sumUp, takeBack } from "./session.ts";
import { usageIn } from "./usage.ts";

export function readCompactionStart({ ledger }: Session, { type, talker }: Event): void {
  ledger.mapped(`events ${type}`, "prompts");
  beginSummary(talker);
}

export function readCompaction({ ledger }: Session, { type, data, at, talker }: Event): void {
  const used = usageIn(asRecord(data["compactionTokensUsed"]), ledger);
  if (used !== undefined) talker.usages.set(`compaction ${at}`, used);
  const summary = asText(data["summaryContent"]);
  if (data["success"] === false || summary === undefined) {
    ledger.dropped(`events ${type}`, "they tell of no summary");
    return;
  }
  ledger.mapped(`events ${type}`, "text that the agent read, and cost");
  talker.entries.push({ kind: "words", at, before: talker.said, text: summary, isPersons: false });
  sumUp(talker, summary);
}

export function readTruncation({ ledger }: Session, { type, data, talker }: Event): void {
  ledger.mapped(`events ${type}`, "no prompts of what follows");
  if (data["messagesRemovedDuringTruncation"] !== 0) lose(talker);
}

export function readClearing(session: Session, event: Event): void {
  clear(event.talker);
  say(session, event, asText(event.data["initialMessage"]) ?? "");
}

/** Each looks at all that stands. */
const MOST_REWINDS = 100;

export function readRewind({ ledger, places }: Session, { type, data, talker }: Event): void {
  const from = places.get(asText(data["upToEventId"]) ?? "");
  if (from === undefined || talker.branches.length >= MOST_REWINDS) {
    ledger.dropped(
      `events ${type}`,
      "the file does not tell what they took back, or there are more than 100",
    );
    return;
  }
  ledger.mapped(`events ${type}`, "episodes of abandoned branches");
  const named = asList(data["eventIds"]);
  const gone = new Set(named.map((id) => places.get(asText(id) ?? "")));
  takeBack(talker, from, (at) => named.length > 0 && !gone.has(at));
}
