import { chatReader } from "./chat-reader.ts";
import { chatRow } from "./chat-row.ts";
import { isMessage } from "./chat-shapes.ts";
import type { FormatReader, ReaderOptions } from "./format-reader.ts";
import { isRecord } from "./records.ts";

/** A value that holds chat messages with roles, or is one. */
export function isChat(value: unknown): boolean {
  if (chatRow(value) !== undefined || isMessage(value)) return true;
  return Array.isArray(value) && isRecord(value[0]) && chatRow(value[0]) !== undefined;
}

/** OpenAI chat, and what others write in its form or near it: LangChain's messages, ShareGPT's turns, rows for fine-tuning. */
export function openaiReader(options: ReaderOptions): FormatReader {
  return chatReader({ ...options, source: "openai" });
}
