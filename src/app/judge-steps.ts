import { divergenceOf } from "../analysis/signals/divergence.ts";
import {
  readScore,
  SEMANTIC_PROMPT,
  SEMANTIC_SAMPLING,
  SEMANTIC_SITE,
  semanticPrompt,
} from "../analysis/signals/semantic-judge.ts";
import { addUsage } from "../harness/usage.ts";
import { ModelError, type ChatMessage, type ChatModel } from "../llm/chat-model.ts";
import { lookAlike } from "../llm/look-alike.ts";
import { splitReasoning } from "../llm/reasoning.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { TeacherCall } from "../model/intervention.ts";
import { refusedReply, type RefusedReply } from "../model/refused-reply.ts";
import { SEMANTIC_SCHEMA, type SemanticLine } from "../model/semantic.ts";
import { askEach, type AskFailures } from "../scoring/ask-each.ts";
import { standingEpisodes } from "../trace/placed-episodes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { appendSemantic, readSemantic } from "../trace/semantic-store.ts";
import { progressOf, type Progress } from "./progress.ts";
import type { SignalsRun } from "./signals.ts";

export interface JudgeStepsOrder {
  readonly runs: readonly SignalsRun[];
  readonly teacher: ChatModel;
  /** Steps judged at once. */
  readonly concurrency: number;
}

export interface JudgeStepsServices {
  readonly files: TraceFiles;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

export interface JudgedSteps extends AskFailures {
  readonly judged: number;
  /** Steps that this teacher had judged already, with this prompt. */
  readonly had: number;
  /** Replies without a score, those of earlier commands included: these steps take the fallback. */
  readonly withoutScore: number;
  /** Lines of the runs that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
  /** A person stopped it; the judgements so far are kept. */
  readonly stopped: boolean;
}

interface Asked {
  readonly call: TeacherCall;
  /** In the reply, unless that only looks like one. */
  readonly score?: number | undefined;
  /** An earlier reply, which gave back the form or the prompt. */
  readonly refused?: RefusedReply;
  readonly failure?: ModelError;
}

/** One call. A failed one is recorded like an answered one. */
async function askOnce(
  messages: readonly ChatMessage[],
  { teacher }: JudgeStepsOrder,
  { redact, signal }: JudgeStepsServices,
): Promise<Asked> {
  const prompt = redact(messages.map(({ content }) => content).join("\n\n"));
  const asked = { site: SEMANTIC_SITE, prompt, ...SEMANTIC_SAMPLING };
  try {
    const { text, usage } = await teacher.chat({ messages, ...SEMANTIC_SAMPLING }, { signal });
    return { call: { ...asked, reply: redact(text), usage } };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const usage = error.usage !== undefined && { usage: error.usage };
    return { call: { ...asked, error: redact(error.message), ...usage }, failure: error };
  }
}

/** Asks about one step, once more in the short form where the reply gives back the form or the prompt. */
async function askAbout(
  episode: Episode,
  t: number,
  order: JudgeStepsOrder,
  services: JudgeStepsServices,
): Promise<Asked> {
  const messages = semanticPrompt(episode, t);
  const first = await askOnce(messages, order, services);
  const { reply, usage } = first.call;
  const { why, score } = readReply(messages, reply);
  if (reply === undefined || why === undefined) return { ...first, score };
  const short = semanticPrompt(episode, t, "short");
  const second = await askOnce(short, order, services);
  const both = [usage, second.call.usage].flatMap((one) => one ?? []);
  const call = { ...second.call, ...(both.length > 0 && { usage: both.reduce(addUsage) }) };
  const read = readReply(short, second.call.reply);
  return { ...second, call, score: read.score, refused: refusedReply(reply, `HASP858: ${why}`) };
}

/** The score in a reply, or why the reply only looks like one. */
function readReply(
  messages: readonly ChatMessage[],
  given: string | undefined,
): { readonly why?: string; readonly score?: number | undefined } {
  const reply = splitReasoning(given ?? "").text;
  const why = lookAlike({ request: { messages }, reply });
  return why === undefined ? { score: readScore(reply) } : { why };
}

/**
 * Lets a teacher score every measured step of these runs for `s3.semantic` (SPEC §6). Each call is appended to `semantic.jsonl` of its run
 * with its site, reply and usage, so that a stopped or killed command repeats none. Rejects on I/O errors.
 */
export async function judgeSteps(order: JudgeStepsOrder, services: JudgeStepsServices): Promise<JudgedSteps> {
  const { runs, teacher, concurrency } = order;
  const { files, signal, on } = services;
  const known = new Map<string, Awaited<ReturnType<typeof readSemantic>>["byEpisode"]>();
  const folders = new Map(runs.map(({ run, folder }) => [run, folder]));
  const found: Diagnostic[] = [];
  for (const { run, folder } of runs) known.set(run, (await readSemantic(files, folder)).byEpisode);
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  const counts = { judged: 0, had: 0, withoutScore: 0 };

  /** An answer of this teacher to this very prompt; a failed call is made again. */
  const isOwn = ({ teacher: by, prompt, call }: SemanticLine): boolean =>
    by === teacher.id && prompt === SEMANTIC_PROMPT && call.reply !== undefined;

  async function* steps() {
    let done = 0;
    for await (const { run, episode } of standingEpisodes(files, runs, (more) => found.push(...more))) {
      const last = divergenceOf(episode)?.t ?? episode.steps.length;
      for (const { t } of episode.steps) {
        const answered = known.get(run)?.get(episode.id)?.get(t)?.find(isOwn);
        if (answered !== undefined) counts[answered.score === undefined ? "withoutScore" : "had"] += 1;
        else if (t <= last) yield { run, episode, t };
      }
      on(progressOf(++done, total, "episodes"));
    }
  }

  const asked = askEach(
    steps(),
    async ({ run, episode, t }, guarded) => {
      const { call, score, refused, failure } = await guarded(() => askAbout(episode, t, order, services));
      await appendSemantic(files, folders.get(run) ?? run, {
        schema: SEMANTIC_SCHEMA,
        episode: episode.id,
        t,
        ...(score !== undefined && { score }),
        teacher: teacher.id,
        prompt: SEMANTIC_PROMPT,
        call,
        ...(refused !== undefined && { refused }),
      });
      if (failure !== undefined) throw failure;
      if (score === undefined) counts.withoutScore += 1;
      else counts.judged += 1;
      return true;
    },
    { concurrency, signal },
  );
  const failures = await asked.catch((error: unknown) => {
    if (signal.aborted) return { failed: 0, failure: undefined };
    throw error;
  });
  return { ...counts, ...failures, diagnostics: found, stopped: signal.aborted };
}
