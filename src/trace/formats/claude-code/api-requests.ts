import type { ChatMessage } from "../../../llm/chat-model.ts";
import type { Sha256 } from "../../ports.ts";
import type { Ledger } from "../ledger.ts";
import { asList, asText, isRecord, type JsonRecord, recordsOf } from "../records.ts";
import { callText, resultMessage, toolsText } from "../talk.ts";
import type { ReadPrompt } from "../turn.ts";
import { blocksOf, isCall, isResult, resultText } from "./message-blocks.ts";
import { heldMessages } from "./message-hash.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** Messages that are copied for prompts which part from their base: a file could ask for it without end. */
const MAX_COPIED = 20_000_000;

interface ApiRequest {
  readonly shape: string;
  /** The request whose first `keep` messages are those of this one. */
  readonly base: string | undefined;
  readonly keep: number;
  /** Names of the messages that follow. */
  readonly tail: readonly string[];
}

/** The first messages of a list that requests share while they go on from each other. */
interface Prompt {
  readonly talk: ChatMessage[];
  readonly length: number;
}

/**
 * The requests that a file holds, word for word: `api-request` lines, with the system messages and tools (`-shape`) and those of their
 * messages (`-blob`) that its other lines do not hold.
 */
export class ApiRequests {
  readonly #requests = new Map<string, ApiRequest>();
  readonly #shapes = new Map<string, string>();
  readonly #messages = new Map<string, ChatMessage>();
  readonly #prompts = new Map<string, Prompt | undefined>();
  #copied = 0;

  get isEmpty(): boolean {
    return this.#requests.size === 0 && this.#shapes.size === 0;
  }

  note(type: string, row: JsonRecord, ledger: Ledger): void {
    if (type === "api-request-shape") {
      ledger.mapped("api-request-shape lines", "system messages of prompts");
      const [hash, shape] = [asText(row["shapeHash"]), row["shape"]];
      if (hash !== undefined && isRecord(shape)) this.#shapes.set(hash, shapeText(shape));
    } else if (type === "api-request-blob") {
      ledger.mapped("api-request-blob lines", "messages of prompts");
      const [hash, message] = [asText(row["hash"]), row["message"]];
      if (hash !== undefined && isRecord(message)) this.#messages.set(hash, messageOf(message));
    } else if (type === "api-request") {
      ledger.mapped("api-request lines", "prompts");
      const id = asText(row["id"]);
      if (id !== undefined) this.#requests.set(id, requestOf(row));
    } else ledger.dropped("api-request-resumed lines", "the reply names its request itself");
  }

  /** Finds the messages that only the transcript's own lines hold; `sessions`: the lines of each session and sub-agent, in the order of the file. */
  complete(
    sessions: Iterable<Iterable<TranscriptLine>>,
    sha256: Sha256,
    names: ReadonlyMap<TranscriptLine, string>,
  ): void {
    const wanted = new Set<string>();
    for (const { tail } of this.#requests.values())
      for (const name of tail) if (!this.#messages.has(name)) wanted.add(name);
    if (wanted.size === 0) return;
    for (const lines of sessions)
      for (const [name, message] of heldMessages(lines, wanted, sha256, names))
        this.#messages.set(name, messageOf({ role: message.role, content: message.blocks }));
  }

  /** What the agent read in this request; undefined where a part of it is not in the file. */
  promptOf(id: string): ReadPrompt | undefined {
    const found = this.#promptOf(id);
    return found && { talk: found.talk, upTo: found.length };
  }

  /** Builds the prompts that this one goes on from first; they may be 50,000, so there is a list of them in place of recursion. */
  #promptOf(id: string): Prompt | undefined {
    const open = new Set<string>();
    let next: string | undefined = id;
    while (next !== undefined && !this.#prompts.has(next) && !open.has(next)) {
      open.add(next);
      next = this.#requests.get(next)?.base;
    }
    for (const one of [...open].toReversed()) this.#prompts.set(one, this.#build(one));
    return this.#prompts.get(id);
  }

  #build(id: string): Prompt | undefined {
    const request = this.#requests.get(id);
    const system = request && this.#shapes.get(request.shape);
    if (request === undefined || system === undefined) return undefined;
    const messages = request.tail.flatMap((name) => this.#messages.get(name) ?? []);
    if (messages.length < request.tail.length) return undefined;
    const base = request.base === undefined ? undefined : this.#prompts.get(request.base);
    const kept = request.keep === 0 ? [] : this.#kept(base, request.keep, system);
    if (kept === undefined) return undefined;
    const talk = kept.length === 0 ? [{ role: "system", content: system } as const] : kept;
    for (const message of messages) talk.push(message);
    return { talk, length: talk.length };
  }

  /** The base's own list where it ends with the messages that are kept, else a new one that begins with them. */
  #kept(base: Prompt | undefined, keep: number, system: string): ChatMessage[] | undefined {
    if (base === undefined || base.length <= keep) return undefined;
    const isWhole = base.length === keep + 1 && base.talk.length === base.length;
    if (isWhole && base.talk[0]?.content === system) return base.talk;
    this.#copied += keep;
    if (this.#copied > MAX_COPIED) return undefined;
    return [{ role: "system", content: system }, ...base.talk.slice(1, keep + 1)];
  }
}

function requestOf(row: JsonRecord): ApiRequest {
  const { keep } = row;
  return {
    shape: asText(row["shapeHash"]) ?? "",
    base: asText(row["base"]),
    keep: typeof keep === "number" && Number.isSafeInteger(keep) && keep > 0 ? keep : 0,
    tail: asList(row["tail"]).filter((name) => typeof name === "string"),
  };
}

/** The system message of a request, with its tools at the end. */
function shapeText(shape: JsonRecord): string {
  const system = (blocksOf(shape["system"]) ?? []).map(({ text }) => (typeof text === "string" ? text : ""));
  return [...system, toolsText(recordsOf(shape["tools"]))].filter((text) => text !== "").join("\n\n");
}

/** A message of a request as one of a chat: calls and results as text, a mark for each picture, without thoughts. */
function messageOf({ role, content }: JsonRecord): ChatMessage {
  const said = role === "assistant" || role === "system" ? role : "user";
  const texts = (blocksOf(content) ?? []).map(blockText).filter((text) => text !== "");
  return { role: said, content: texts.join("\n") };
}

function blockText(block: JsonRecord): string {
  const { type, text } = block;
  if (type === "thinking" || type === "redacted_thinking") return "";
  if (isCall(block)) return callText({ name: asText(block["name"]) ?? "", args: block["input"] });
  if (isResult(block)) return resultMessage(resultText(block));
  return typeof text === "string" ? text : `[${asText(type) ?? "part"}]`;
}
