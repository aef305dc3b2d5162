import { guessInputTokens } from "./tokens.ts";
import type { ChatRequest } from "./chat-model.ts";

/** An endpoint's complaint, in any of the forms that servers have for it. */
export interface Complaint {
  readonly detail: string;
  readonly code?: string | undefined;
  /** The error object as it came. */
  readonly fields?: unknown;
}

/** OpenAI, vLLM, llama.cpp, LM Studio, Mistral, Anthropic and Gemini, in this order. */
const SAYS_SO =
  /context_length_exceeded|maximum context length|model's context length|exceeds? (?:the )?(?:available )?context (?:size|length|window)|context the overflows|context overflow|too large for model with|prompt is too long|input token count .{0,40}exceeds/i;

/** The tokens that a model reads, as servers write them. */
const LIMITS = [
  /context (?:length|size|window)[^\d]{0,30}(\d+)/i,
  /(\d+) maximum context length/i,
  /> (\d+) maximum/i,
  /maximum number of tokens allowed \((\d+)/i,
];

/**
 * Reads that a prompt is longer than the model reads, and says it with both numbers; undefined for any other complaint. The prompt's number
 * is a guess where the server does not count.
 */
export function contextOverflow(
  { detail, code, fields }: Complaint,
  request: ChatRequest,
): string | undefined {
  const isOverflow =
    code === "context_length_exceeded" ||
    field(fields, "type") === "exceed_context_size_error" ||
    SAYS_SO.test(detail);
  if (!isOverflow) return undefined;
  const text = detail.slice(0, 4_000).replaceAll(/(\d),(?=\d{3})/g, "$1");
  const limit = count(fields, "n_ctx") ?? limitIn(text);
  if (limit === undefined) return "cannot read so long a prompt";
  const told = count(fields, "n_prompt_tokens") ?? largestAbove(limit, text);
  const withReply = told === undefined || /in the completion|output tokens|max_new_tokens/i.test(text);
  const guess = guessInputTokens(request) + request.maxTokens;
  if (told === undefined && guess <= limit)
    return `cannot read so long a prompt: the model reads ${grouped(limit)} tokens`;
  const asked = told === undefined ? `about ${grouped(guess)}` : grouped(told);
  const what = withReply ? "the prompt and the longest reply have" : "the prompt has";
  return `cannot read so long a prompt: ${what} ${asked} tokens; the model reads ${grouped(limit)}`;
}

function field(fields: unknown, name: string): unknown {
  return typeof fields === "object" && fields !== null && Object.hasOwn(fields, name)
    ? (fields as Record<string, unknown>)[name]
    : undefined;
}

function count(fields: unknown, name: string): number | undefined {
  const value = field(fields, name);
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function limitIn(text: string): number | undefined {
  const found = LIMITS.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : Number(found);
}

function largestAbove(limit: number, text: string): number | undefined {
  const counts = [...text.matchAll(/(?<![\w.-])\d{2,9}(?!\w)/g)].map(([digits]) => Number(digits));
  const largest = Math.max(0, ...counts);
  return largest > limit ? largest : undefined;
}

function grouped(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
