import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from "../llm/chat-model.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { refusedReply, type RefusedReply } from "../model/refused-reply.ts";
import type { Usage } from "../model/usage.ts";
import { qSkillOf, REVIEW_SCHEMA, REVIEWED_FILES, type Review } from "../model/review.ts";
import type { Clock } from "../trace/ports.ts";
import { checkEdits, type CheckedEdits } from "./check-edits.ts";
import { decide } from "./decide.ts";
import type { ReviewEvidence } from "./evidence.ts";
import { evidenceSections } from "./evidence-text.ts";
import { readReply } from "./look-alike-review.ts";
import { looksLikeReview, type ReadReview } from "./parse-review.ts";
import { REVIEW_PROMPT, retryRequest, reviewRequest } from "./review-prompt.ts";
import type { ReviewSubject } from "./review-subject.ts";

export interface ReviewOptions extends ChatOptions {
  readonly clock: Clock;
  /** Another number asks anew where the teacher's replies are cached (`ChatRequest.sample`). */
  readonly sample?: number;
  /** The reply could not be read, so the teacher is asked once more; `onText` begins again. */
  readonly onRetry?: (problems: readonly Diagnostic[]) => void;
}

/** A review, or the reply that is none: then `diagnostics` has an error for each field that it lacks or has wrong. */
export interface ReviewResult extends Checked<Review> {
  /** The teacher's last words, where no review came of them. */
  readonly unusable?: string;
  /** All replies that were no review. */
  readonly refused: readonly RefusedReply[];
}

/**
 * Has a teacher review a skill (SPEC §7 E). A reply that cannot be read is asked for once more, with what was wrong; one that
 * gives back the form or the prompt (HASP858) in a shorter form, without that reply. After
 * that there is no value, and the diagnostics say why. An edit that does not fit the files is one of the suggestions in words (HASP707). Scores are the teacher's or there are none. Rejects with ModelError,
 * and with the signal's reason when it aborts. Writes nothing.
 */
export async function reviewSkill(
  subject: ReviewSubject,
  evidence: ReviewEvidence,
  teacher: ChatModel,
  options: ReviewOptions,
): Promise<ReviewResult> {
  const { request: first, short, diagnostics } = reviewRequest(subject, evidence);
  const sampled = (request: ChatRequest): ChatRequest =>
    options.sample === undefined ? request : { ...request, sample: options.sample };
  const notices = [...diagnostics, ...addressesTeacher(subject)];
  const request = sampled(first);
  const replies = [await ask(teacher, request, options)] as [ChatReply, ...ChatReply[]];
  let read = readReply(replies[0].text, request);
  const refused: RefusedReply[] = [];
  if (read.value === undefined) {
    options.onRetry?.(read.diagnostics);
    refused.push(refusedReply(replies[0].text, whyNot(read)));
    const again = isLookAlike(read)
      ? sampled(short)
      : retryRequest(request, replies[0].text, read.diagnostics, replies[0].finish === "length");
    const second = await ask(teacher, again, options);
    replies.push(second);
    read = readReply(second.text, again);
  }
  if (read.value === undefined) {
    const unusable = replies.at(-1)?.text ?? "";
    refused.push(refusedReply(unusable, whyNot(read)));
    return { value: undefined, diagnostics: [...notices, ...read.diagnostics], unusable, refused };
  }
  const edits = checkEdits(read.value.edits, subject.texts);
  const review = reviewOf(subject, evidence, { ...read.value, ...edits }, replies);
  const value = {
    ...review,
    when: options.clock.now(),
    teacher: { ...review.teacher, id: teacher.id },
    ...(refused[0] !== undefined && { refused: refused[0] }),
  };
  return { value, diagnostics: [...notices, ...edits.diagnostics], refused };
}

const isLookAlike = ({ diagnostics }: Checked<unknown>): boolean =>
  diagnostics.some(({ code }) => code === "HASP858");
const whyNot = ({ diagnostics }: Checked<unknown>): string =>
  diagnostics.map(({ message }) => message).join(" ");

async function ask(
  teacher: ChatModel,
  request: Parameters<ChatModel["chat"]>[0],
  { signal, onText, onRestart }: ReviewOptions,
): Promise<ChatReply> {
  signal?.throwIfAborted();
  const reply = await teacher.chat(request, {
    ...(signal === undefined ? {} : { signal }),
    ...(onText === undefined ? {} : { onText }),
    ...(onRestart === undefined ? {} : { onRestart }),
  });
  // A model may answer although it was told to stop: what was cancelled has no result.
  signal?.throwIfAborted();
  return reply;
}

/** All but when, and the id of who was asked. */
function reviewOf(
  subject: ReviewSubject,
  evidence: ReviewEvidence,
  read: Omit<ReadReview, "edits"> & Pick<CheckedEdits, "edits" | "asText">,
  replies: readonly ChatReply[],
): Review {
  const { scores, said, comments, suggestions, edits, asText } = read;
  const { executable, cases } = evidence;
  const checks = executable?.checks.map(({ name, outcome }) => ({ name, outcome })) ?? [];
  return {
    schema: REVIEW_SCHEMA,
    when: "",
    skillId: subject.skill.skillId,
    version: subject.skill.version,
    reviewed: subject.fingerprint,
    teacher: { id: "", model: replies.at(-1)?.model ?? "" },
    prompt: REVIEW_PROMPT,
    scores,
    qSkill: qSkillOf(scores),
    ...(said === undefined ? {} : { said }),
    ...decide({ scores, said }),
    comments,
    suggestions: [...suggestions, ...asText],
    edits: [...edits],
    evidence: [...evidenceSections(evidence)],
    ...(executable === undefined ? {} : { executable: { score: executable.score, checks } }),
    cases: { held: cases.filter((result) => result.passed).length, total: cases.length },
    usage: replies.map(({ usage }) => usage).reduce(sum),
    tries: replies.length,
  };
}

/** Costs and times only where every part is known. */
function sum(a: Usage, b: Usage): Usage {
  const both = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined || y === undefined ? undefined : x + y;
  const cost = both(a.cost, b.cost);
  const latencyMs = both(a.latencyMs, b.latencyMs);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cost === undefined ? {} : { cost }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(a.estimated === true || b.estimated === true ? { estimated: true } : {}),
  };
}

/** Such lines cannot become scores, since only the reply is read; but they may sway the teacher, so a person should know. */
function addressesTeacher({ texts, folder }: ReviewSubject): Diagnostic[] {
  return REVIEWED_FILES.filter((name) => looksLikeReview(texts[name] ?? "")).map((name) => ({
    code: "HASP705",
    severity: "warning",
    message: `${name} holds lines in the form of a review, as if it spoke to the teacher.`,
    next: "Read the file before you trust these scores.",
    file: `${folder.folder}/${name}`,
    range: START_OF_FILE,
  }));
}
