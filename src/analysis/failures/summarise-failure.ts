import type { ChatReply, ChatRequest } from "../../llm/chat-model.ts";
import { lookAlike } from "../../llm/look-alike.ts";
import { followed } from "../../llm/prompt-file.ts";
import { splitReasoning } from "../../llm/reasoning.ts";
import type { Episode } from "../../model/episode.ts";
import { failureSummarySchema, type FailureSummary } from "../../model/failure.ts";
import { parseJson, readJson } from "../../model/read-json.ts";
import { refusedReply, type RefusedReply } from "../../model/refused-reply.ts";
import { normaliseAnswer } from "../../scoring/exact-match.ts";
import { failedTestOf, failureRequest } from "./failure-prompt.ts";

/** A shorter answer is in many words by chance. Characters. */
const TELLING_ANSWER = 4;
/** Yes and no, also as a program says them. */
const CLOSED_ANSWERS: ReadonlySet<string> = new Set(["yes", "no", "true", "false", "none"]);

/** The result of asking about one failure, with the replies that were no summary. */
export type Summarised = { readonly refused?: readonly RefusedReply[] } & (
  | { readonly kind: "made"; readonly summary: FailureSummary }
  /** An author of skills reads summaries, and never the accepted answer. */
  | { readonly kind: "names answer" }
  /** Neither reply can be read, or both only look like a summary. */
  | { readonly kind: "unreadable"; readonly problem: string }
);

type Read =
  | { readonly summary: FailureSummary; readonly problem?: undefined }
  | {
      readonly summary?: undefined;
      readonly problem: string;
      /** It gives back the form or the prompt. */
      readonly isLookAlike?: boolean;
    };

const FENCE = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/;
const unfenced = (text: string): string => FENCE.exec(text.trim())?.[1] ?? text.trim();

/** Reads a reply: one JSON object, in a code fence or bare, with nothing around it. Never throws. */
export function readFailureSummary(reply: string): Read {
  const { value, problem } = readJson(unfenced(reply));
  if (problem !== undefined) return { problem: `The reply is not one JSON object: ${problem.why}.` };
  const { data, error } = failureSummarySchema.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    const place =
      issue === undefined || issue.path.length === 0 ? "the object" : `\`${issue.path.join(".")}\``;
    return { problem: `In the reply, ${place} is not as it was asked for: ${issue?.message ?? "unknown"}.` };
  }
  return { summary: data };
}

/** Whether a summary holds an accepted answer of over three characters that is neither yes nor no, compared as answers are. */
export function namesAnswer(summary: FailureSummary, gold: readonly string[]): boolean {
  const said = Object.values(summary).map((text) => normaliseAnswer(text.replaceAll("_", " ")));
  const answers = gold
    .map(normaliseAnswer)
    .filter((answer) => answer.length >= TELLING_ANSWER && !CLOSED_ANSWERS.has(answer));
  return answers.some((answer) => said.some((text) => text.includes(answer)));
}

/** Accepted answers that the request holds. */
function acceptedOf(episode: Episode): readonly string[] {
  const expected = failedTestOf(episode)?.expected;
  return [...(episode.gold ?? []), ...(expected === undefined ? [] : [expected])];
}

function retryRequest(first: ChatRequest, reply: string, problem: string): ChatRequest {
  const content = `Your reply cannot be used. ${problem} Write the whole JSON object again, with nothing before or after it.`;
  return followed(first, reply, content);
}

/** `readFailureSummary`, for which a reply that gives back the form or the prompt of its request is no summary. */
function readReply(reply: string, request: ChatRequest): Read {
  const text = splitReasoning(reply).text;
  const read = readFailureSummary(text);
  const fields = read.summary ?? stringsOf(text);
  const why = lookAlike({ request, reply: text, ...(fields !== undefined && { fields }) });
  return why === undefined ? read : { problem: `HASP858: ${why}`, isLookAlike: true };
}

/** The texts of a JSON object that is no summary; undefined where there is none. */
function stringsOf(text: string): Readonly<Record<string, string>> | undefined {
  const value = parseJson(unfenced(text));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const texts = Object.entries(value).filter(([, one]) => typeof one === "string");
  return texts.length === 0 ? undefined : (Object.fromEntries(texts) as Record<string, string>);
}

/**
 * Has a model describe a failed episode, with one more try where its reply cannot be read, or gives back the form or the prompt: then in a shorter
 * form, without that reply. Rejects as `ask` does.
 */
export async function summariseFailure(
  episode: Episode,
  known: readonly string[],
  ask: (request: ChatRequest) => Promise<Pick<ChatReply, "text">>,
): Promise<Summarised> {
  const { request, short } = failureRequest(episode, known);
  const { text: reply } = await ask(request);
  let read = readReply(reply, request);
  const refused: RefusedReply[] = [];
  if (read.problem !== undefined) {
    refused.push(refusedReply(reply, read.problem));
    const again = read.isLookAlike === true ? short : retryRequest(request, reply, read.problem);
    const second = (await ask(again)).text;
    read = readReply(second, again);
    if (read.problem !== undefined) refused.push(refusedReply(second, read.problem));
  }
  if (read.problem !== undefined) return { kind: "unreadable", problem: read.problem, refused };
  const { summary } = read;
  const kept = refused.length > 0 && { refused };
  if (namesAnswer(summary, acceptedOf(episode))) return { kind: "names answer", ...kept };
  return { kind: "made", summary, ...kept };
}
