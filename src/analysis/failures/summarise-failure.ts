import type { ChatReply, ChatRequest } from "../../llm/chat-model.ts";
import type { Episode } from "../../model/episode.ts";
import { failureSummarySchema, type FailureSummary } from "../../model/failure.ts";
import { readJson } from "../../model/read-json.ts";
import { normaliseAnswer } from "../../scoring/exact-match.ts";
import { failureRequest } from "./failure-prompt.ts";

/** A shorter answer is in many words by chance. Characters. */
const TELLING_ANSWER = 4;
const CLOSED_ANSWERS: ReadonlySet<string> = new Set(["yes", "no"]);

/** The result of asking about one failure. */
export type Summarised =
  | { readonly kind: "made"; readonly summary: FailureSummary }
  /** An author of skills reads summaries, and never the accepted answer. */
  | { readonly kind: "names answer" }
  /** Neither reply can be read. */
  | { readonly kind: "unreadable"; readonly problem: string };

type Read =
  | { readonly summary: FailureSummary; readonly problem?: undefined }
  | { readonly summary?: undefined; readonly problem: string };

const FENCE = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/;

/** Reads a reply: one JSON object, in a code fence or bare, with nothing around it. Never throws. */
export function readFailureSummary(reply: string): Read {
  const text = reply.trim();
  const { value, problem } = readJson(FENCE.exec(text)?.[1] ?? text);
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

function retryRequest(first: ChatRequest, reply: string, problem: string): ChatRequest {
  const content = `Your reply cannot be used. ${problem} Write the whole JSON object again, with nothing before or after it.`;
  return {
    ...first,
    messages: [...first.messages, { role: "assistant", content: reply }, { role: "user", content }],
  };
}

/** Has a model describe a failed episode, with one more try where its reply cannot be read. Rejects as `ask` does. */
export async function summariseFailure(
  episode: Episode,
  known: readonly string[],
  ask: (request: ChatRequest) => Promise<Pick<ChatReply, "text">>,
): Promise<Summarised> {
  const request = failureRequest(episode, known);
  const { text: reply } = await ask(request);
  const first = readFailureSummary(reply);
  const read =
    first.problem === undefined
      ? first
      : readFailureSummary((await ask(retryRequest(request, reply, first.problem))).text);
  if (read.problem !== undefined) return { kind: "unreadable", problem: read.problem };
  const { summary } = read;
  return namesAnswer(summary, episode.gold ?? []) ? { kind: "names answer" } : { kind: "made", summary };
}
