import { asText, type JsonRecord } from "../records.ts";
import type { HostLine, LinePlace } from "./transcript-line.ts";

/** Words of another agent, of a team or of another session; older versions say so in no other way. */
export const isOfAgent = (text: string): boolean =>
  /^\s*<(?:teammate-message|cross-session-message|agent-message)[\s>]/.test(text);

/** Texts of a queue; the next one and any one can be taken out of it. */
class TextQueue {
  readonly #texts: string[] = [];
  #next = 0;
  readonly #waiting = new Map<string, number>();
  /** Texts that were taken from within, and stand in the list all the same. */
  readonly #gone = new Map<string, number>();

  add(text: string): void {
    this.#texts.push(text);
    count(this.#waiting, text, 1);
  }

  next(): string | undefined {
    while (this.#next < this.#texts.length) {
      const text = this.#texts[this.#next++] ?? "";
      if (count(this.#gone, text, -1)) continue;
      count(this.#waiting, text, -1);
      return text;
    }
    return undefined;
  }

  remove(text: string): void {
    if (count(this.#waiting, text, -1)) count(this.#gone, text, 1);
  }

  clear(): void {
    this.#next = this.#texts.length;
    this.#waiting.clear();
    this.#gone.clear();
  }
}

/** Adds to a number that is not to fall below 0. Answers whether it could be done. */
function count(counts: Map<string, number>, text: string, change: number): boolean {
  const before = counts.get(text) ?? 0;
  if (before + change < 0) return false;
  counts.set(text, before + change);
  return true;
}

/** The queue of one session: what a person types while the agent works waits in it. */
export class WordQueue {
  readonly #queue = new TextQueue();

  /**
   * Takes in a line of the type `queue-operation`. Answers with the words where they went to the agent in the middle of a turn; newer versions
   * write these down as an attachment as well.
   */
  note(row: JsonRecord, place: LinePlace): HostLine | undefined {
    const text = asText(row["content"]);
    const operation = row["operation"];
    if (operation === "enqueue") {
      if (text !== undefined) this.#queue.add(text);
    } else if (operation === "dequeue") this.#queue.next();
    else if (operation === "popAll") this.#queue.clear();
    else if (operation === "remove") return this.#take(text, row["reason"], place);
    return undefined;
  }

  #take(given: string | undefined, reason: unknown, place: LinePlace): HostLine | undefined {
    const text = given ?? this.#queue.next();
    if (given !== undefined) this.#queue.remove(given);
    // Without a reason it went to the agent: older versions told none. Any other reason: the person took it back.
    if (text === undefined || (typeof reason === "string" && reason !== "absorbed_mid_turn"))
      return undefined;
    const isProgram = text.trimStart().startsWith("<task-notification>") || isOfAgent(text);
    return { ...place, kind: "host", event: { kind: "queued", text, isProgram } };
  }
}

/** The lines without words of the queue that an attachment tells as well. */
export function withoutRepeatedWords<Line extends { readonly kind: string }>(
  lines: readonly Line[],
  fromQueue: ReadonlySet<Line>,
): readonly Line[] {
  if (fromQueue.size === 0) return lines;
  const told = new Map<string, number>();
  for (const line of lines) {
    const text = fromQueue.has(line) ? undefined : queuedText(line);
    if (text !== undefined) count(told, text, 1);
  }
  return lines.filter((line) => !(fromQueue.has(line) && count(told, queuedText(line) ?? "", -1)));
}

function queuedText(line: { readonly kind: string }): string | undefined {
  const { event } = line as Partial<HostLine>;
  return event?.kind === "queued" ? event.text : undefined;
}
