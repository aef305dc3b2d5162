import type { Usage } from "../../../model/usage.ts";
import { usageOf } from "../chat-messages.ts";
import type { Ledger } from "../ledger.ts";
import { asRecord, asText, type JsonRecord } from "../records.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** The usage of whole messages, which `stream-json` tells in its parts of messages alone: a message itself is written before it ends. */
export class StreamUsage {
  readonly #usage = new Map<string, Usage>();
  /** The message that has begun. */
  #open: { readonly id: string; readonly usage: JsonRecord } | undefined;

  /** Takes in a line of the type `stream_event`. */
  note(row: JsonRecord, ledger: Ledger): void {
    const event = asRecord(row["event"]);
    if (event["type"] === "message_start") {
      const message = asRecord(event["message"]);
      const id = asText(message["id"]);
      this.#open = id === undefined ? undefined : { id, usage: asRecord(message["usage"]) };
    } else if (event["type"] === "message_delta" && this.#open !== undefined) {
      const id = asText(row["api_message_id"]) ?? this.#open.id;
      const whole = { ...this.#open.usage, ...asRecord(event["usage"]) };
      const usage = usageOf(whole, ledger);
      if (usage !== undefined) this.#usage.set(id, usage);
    }
  }

  /** The lines with the usage of their whole messages, as far as it is known. */
  applied(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
    if (this.#usage.size === 0) return lines;
    return lines.map((line) => {
      const usage = line.kind === "agent" ? this.#usage.get(line.messageId ?? "") : undefined;
      return usage === undefined ? line : { ...line, usage };
    });
  }
}
