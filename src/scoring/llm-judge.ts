import { lookAlike } from "../llm/look-alike.ts";
import { filled, promptParts } from "../llm/prompt-file.ts";
import { splitReasoning } from "../llm/reasoning.ts";
import { refusedReply, type RefusedReply } from "../model/refused-reply.ts";
import { z } from "../model/zod.ts";
import { parseJson } from "../model/read-json.ts";
import { isMathAnswer } from "./math-answers.ts";
import { LIKE_WORDS, type Likeness } from "./same-answer.ts";
import template from "./prompts/mbe-1.md?text";

/** Name of the prompt file; a change of its wording gets a new number and a new file. */
export const JUDGE_PROMPT = "mbe-1";
/** How a judge is to be asked: the same reply each time, and room for a short thought before it. */
export const JUDGE_SAMPLING = { temperature: 0, maxTokens: 256 } as const;

/** Characters of one text. An answer that needs more is none. */
const LONGEST_TEXT = 2_000;
const MOST_REFERENCES = 20;

export interface JudgePrompt {
  readonly system: string;
  readonly user: string;
}

/** Puts a prompt to a model and answers its reply. May reject; the rejection is passed on. */
export type AskJudge = (prompt: JudgePrompt) => Promise<string>;

export interface JudgeTask {
  readonly question: string;
  readonly gold: readonly string[];
  /** Undefined: no answer was given. */
  readonly answer: string | undefined;
  /** Of its domain; of answers of a few words where nothing is said. */
  readonly likeness?: Likeness | undefined;
}

export interface Judgement {
  /** True: means the same as an accepted answer. Undefined: unjudged, since the reply had no verdict that could be read. */
  readonly equivalent: boolean | undefined;
  /** Nobody is asked about an answer that matches exactly, nor about none. */
  readonly by: "exact_match" | "no_answer" | "judge";
  /** The judge's last reply. */
  readonly reply?: string;
  /** An earlier reply, which gave back the form or the prompt (HASP858). */
  readonly refused?: RefusedReply;
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** What a judge is asked. The texts are quoted as JSON, so that none of them can pretend to be another part. */
export function judgePrompt({ question, gold, answer = "", likeness = LIKE_WORDS }: JudgeTask): JudgePrompt {
  const values: Readonly<Record<string, string>> = {
    same: likeness.words,
    question: quoted(question),
    gold: `[${gold.slice(0, MOST_REFERENCES).map(quoted).join(", ")}]`,
    answer: quoted(answer),
  };
  const { system, user } = promptParts(template);
  return { system: filled(system, values), user: filled(user, values) };
}

const YES = new Set(["yes", "true", "equivalent", "correct", "same"]);
const NO = new Set(["no", "false", "not equivalent", "incorrect", "wrong", "different"]);

function ofWord(text: string): boolean | undefined {
  const word = text
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

const verdictSchema = z.object({ equivalent: z.union([z.boolean(), z.string()]) });

/** The verdict of one JSON object; undefined where it has none. */
function ofJson(source: string): boolean | undefined {
  const { success, data } = verdictSchema.safeParse(parseJson(source));
  if (!success) return undefined;
  return typeof data.equivalent === "boolean" ? data.equivalent : ofWord(data.equivalent);
}

/**
 * The verdict in a judge's reply: a JSON object `{"equivalent": …}`, wherever it stands, or a reply that is one word such as `yes` or
 * `Verdict: different`. Prose, and verdicts that contradict each other, give undefined: nothing is guessed. Never throws.
 */
export function readVerdict(reply: string): boolean | undefined {
  const text = splitReasoning(reply).text;
  const whole = ofJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  if (whole !== undefined) return whole;
  const objects = text.match(/\{[^{}]{0,2000}\}/g) ?? [];
  const found = new Set(objects.map(ofJson).filter((verdict) => verdict !== undefined));
  if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
  return ofWord(text.replace(/^[\s*_#`]*(?:verdict|answer|equivalent)[\s*_]*[:=]/i, ""));
}

/** Nobody needs to be asked. Signs and brackets, which exact match removes, are what math answers differ by. */
function isSame(answer: string, { gold, likeness: { key } = LIKE_WORDS }: JudgeTask): boolean {
  const given = key(answer);
  const isLike = gold.some((accepted) => key(accepted) === given);
  return isLike && (gold.includes(answer.trim()) || !gold.some(isMathAnswer));
}

const isBlank = (answer: string | undefined): answer is undefined =>
  answer === undefined || answer.trim() === "";

/** The prompt that `judgeAnswer` begins with; undefined where it asks nobody. */
export function firstPrompt(task: JudgeTask): JudgePrompt | undefined {
  const { answer } = task;
  return isBlank(answer) || isSame(answer, task) ? undefined : judgePrompt(task);
}

/**
 * Model-based equivalence (MBE, SPEC §9, §10.9): does the answer mean what an accepted answer means? A judge
 * that gives back its form or its prompt is asked once more in a shorter form. Rejects as `ask` does.
 */
export async function judgeAnswer(task: JudgeTask, ask: AskJudge): Promise<Judgement> {
  if (isBlank(task.answer)) return { equivalent: false, by: "no_answer" };
  const prompt = firstPrompt(task);
  if (prompt === undefined) return { equivalent: true, by: "exact_match" };
  const reply = await ask(prompt);
  const why = copyOf(prompt, reply);
  if (why === undefined) return { equivalent: readVerdict(reply), by: "judge", reply };
  const short = { system: SHORT, user: prompt.user };
  const second = await ask(short);
  const equivalent = copyOf(short, second) === undefined ? readVerdict(second) : undefined;
  return { equivalent, by: "judge", reply: second, refused: refusedReply(reply, `HASP858: ${why}`) };
}

/** Asks a judge that gave the long instructions back. */
const SHORT =
  "Answers to one question are below, as JSON strings: those that are right, and a given one. Reply with the word yes where " +
  "the given one means the same as any of the others, and with the word no where it does not. Reply with nothing else.";

function copyOf({ system, user }: JudgePrompt, reply: string): string | undefined {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: user },
  ] as const;
  return lookAlike({ request: { messages }, reply: splitReasoning(reply).text });
}
