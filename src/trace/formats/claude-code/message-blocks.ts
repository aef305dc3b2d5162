import { contentOf } from "../chat-messages.ts";
import type { Ledger } from "../ledger.ts";
import { asName, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { CALL_BLOCKS, isServerResult, MARKED_BLOCKS } from "./known-kinds.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** Characters of an image or a document that is kept as it is: a larger one leaves a mark. */
const SMALL_MEDIA = 256;

const isMedia = (block: JsonRecord): boolean => {
  const data = asRecord(block["source"])["data"];
  return typeof data === "string" && data.length > SMALL_MEDIA;
};

/** Whether the content holds pictures or documents, whose bytes are not kept. */
export function holdsMedia(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block) => isRecord(block) && (isMedia(block) || holdsMedia(block["content"])));
}

function withoutMedia(block: JsonRecord): JsonRecord {
  if (isMedia(block)) return { type: block["type"] };
  return holdsMedia(block["content"]) ? { ...block, content: blocksOf(block["content"]) } : block;
}

/** The blocks of a message's content, a text as one; without the bytes of pictures. Undefined for a content of another type. */
export function blocksOf(content: unknown): readonly JsonRecord[] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((block: unknown) => {
    if (typeof block === "string") return [{ type: "text", text: block }];
    return isRecord(block) ? [withoutMedia(block)] : [];
  });
}

export const isCall = ({ type }: JsonRecord): boolean => CALL_BLOCKS.has(type);
export const isResult = ({ type }: JsonRecord): boolean => type === "tool_result" || isServerResult(type);

/** Ids of the calls in a list of blocks that have one. */
export const callIdsIn = (blocks: readonly JsonRecord[]): readonly string[] =>
  blocks.flatMap((block) => (isCall(block) && typeof block["id"] === "string" ? [block["id"]] : []));

/** Ids of all calls in these lines. */
export function callIdsOf(lines: readonly TranscriptLine[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) if (line.kind === "agent") for (const id of callIdsIn(line.blocks)) found.add(id);
  return found;
}

/** Ids of the calls that a line has the results of; empty for a result that names none. */
export const callsAnsweredBy = (line: TranscriptLine): readonly string[] =>
  line.kind === "user"
    ? line.blocks.filter(({ type }) => type === "tool_result").map((block) => asName(block["tool_use_id"]))
    : [];

/** Thoughts of which the service tells no word. */
const isSecret = ({ type, thinking }: JsonRecord): boolean =>
  type === "redacted_thinking" || (type === "thinking" && asText(thinking) === undefined);
const isBlank = ({ type, text }: JsonRecord): boolean => type === "text" && asText(text) === undefined;

export const saysNothing = (block: JsonRecord): boolean => isSecret(block) || isBlank(block);

/** Whether a block is words, thoughts, or something that leaves a mark among them. */
const isSpoken = (block: JsonRecord): boolean => !isCall(block) && !isResult(block) && !saysNothing(block);

/** Words and thoughts of a message. */
export function spokenIn(blocks: readonly JsonRecord[]): {
  readonly text: string;
  readonly reasoning: string;
} {
  return contentOf(blocks.filter(isSpoken));
}

/** The text of a result. The service's own results hold lists of objects, of which their titles and addresses stay. */
export function resultText({ content }: JsonRecord): string {
  if (typeof content === "string") return content;
  if (isRecord(content)) return contentOf([content]).text;
  return contentOf(Array.isArray(content) ? content.map(asPart) : content).text;
}

function asPart(part: unknown): unknown {
  if (!isRecord(part) || typeof part["text"] === "string") return part;
  const named = [part["title"], part["url"], part["tool_name"]].filter((value) => typeof value === "string");
  return named.length === 0 ? part : { type: "text", text: named.join(" ") };
}

const KNOWN = new Set<unknown>(["text", "thinking", "redacted_thinking", "tool_result"]);

/** Counts the blocks of a message in the ledger. */
export function noteBlocks(blocks: readonly JsonRecord[], role: "agent" | "user", ledger: Ledger): void {
  for (const block of blocks) {
    const { type } = block;
    if (isCall(block)) {
      if (role === "agent") ledger.mapped("calls of tools (tool_use)", "steps");
      else ledger.unknown("tool_use blocks in the user's place");
    } else if (isResult(block)) ledger.mapped("tool_result blocks", "observations and results");
    else if (isSecret(block)) ledger.dropped("thoughts without words", "the service keeps them to itself");
    else if (isBlank(block)) ledger.dropped("text blocks without words", "they say nothing");
    else if (MARKED_BLOCKS.has(type))
      ledger.dropped(`${String(type)} blocks`, "a mark stands in their place");
    else if (!KNOWN.has(type))
      ledger.unknown(
        `blocks of type ${typeof type === "string" ? type.slice(0, 60) : "(none)"}, which leave a mark`,
      );
  }
}
