import { domainOfRecord } from "../../domains/registry.ts";
import { textsOf } from "../../domains/texts.ts";
import type { ChatMessage } from "../../llm/chat-model.ts";
import { promptMessages, promptParts } from "../../llm/prompt-file.ts";
import { formatAction } from "../../model/action.ts";
import type { Episode } from "../../model/episode.ts";
import { parseJson } from "../../model/read-json.ts";
import { z } from "../../model/zod.ts";
import template from "./prompts/semantic-2.md?text";

/** Name of the prompt file; a change of its wording gets a new number and a new file. */
export const SEMANTIC_PROMPT = "semantic-2";
/** The site of these calls, beside those of an episode. */
export const SEMANTIC_SITE = "s3.semantic";
/** How the teacher is asked: the same reply each time, and room for a short thought before it. */
export const SEMANTIC_SAMPLING = { temperature: 0, maxTokens: 128 } as const;

/** Characters of one text. */
const LONGEST_TEXT = 2_000;

const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/**
 * The messages in which a teacher is asked about step `t` (0-based), which exists. They hold no gold and nothing of later steps. The texts
 * are quoted as JSON, so that none of them can pretend to be another part. The short form is for a teacher that gave the long one back.
 */
export function semanticPrompt(
  { question, steps, facts }: Episode,
  t: number,
  form: "long" | "short" = "long",
): readonly ChatMessage[] {
  const step = steps[t];
  if (step === undefined) throw new RangeError(`No step ${t} among ${steps.length}`);
  const { does, stepScores: scores } = textsOf(domainOfRecord(facts));
  const before = steps.slice(0, t);
  const values: Readonly<Record<string, string>> = {
    does,
    scores,
    question: quoted(question),
    before: quoted(before.map(({ executed }) => formatAction(executed)).join("; ") || "none"),
    observation: quoted(before.at(-1)?.observation ?? ""),
    thought: quoted(step.proposals.at(-1)?.thought ?? ""),
    action: quoted(formatAction(step.executed)),
  };
  const { system, user, short } = promptParts(template);
  return promptMessages(form === "long" ? system : short, user, values);
}

const scoreSchema = z.object({ score: z.number().min(0).max(1) });

/** The score in a teacher's reply; undefined where it has none that can be read, or several that differ. Never throws. */
export function readScore(reply: string): number | undefined {
  const found = (reply.match(/\{[^{}]{0,500}\}/g) ?? []).flatMap((text) => {
    const { data } = scoreSchema.safeParse(parseJson(text));
    return data === undefined ? [] : [data.score];
  });
  return new Set(found).size === 1 ? found[0] : undefined;
}
