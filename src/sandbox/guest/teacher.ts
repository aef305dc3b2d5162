import type { TeacherCall } from "../../model/intervention.ts";
import { PfMistake } from "./fault.ts";

const MAX_ASKS = 10;
const PROMPT_CHARS = 20_000;
const MAX_TOKENS = { default: 256, most: 4_096 };

interface AskOptions {
  readonly maxTokens?: unknown;
  readonly temperature?: unknown;
}

/** The teacher of one PF on one step: known answers are given at once, new questions are left for the host. */
export interface TeacherDesk {
  readonly teacher: { ask(prompt: unknown, options?: AskOptions): Promise<string> };
  /** Questions without an answer. */
  readonly open: TeacherCall[];
  /** Questions that were answered, in order. */
  readonly answered: TeacherCall[];
  /** Set when the PF asked something else than the last time on the same step. */
  mistake?: PfMistake;
}

function readCall(prompt: unknown, options: AskOptions): TeacherCall {
  if (typeof prompt !== "string" || prompt === "" || prompt.length > PROMPT_CHARS) {
    throw new PfMistake(`teacher.ask needs a prompt of 1 to ${PROMPT_CHARS} characters.`);
  }
  const { maxTokens = MAX_TOKENS.default, temperature = 0 } = options;
  if (
    typeof maxTokens !== "number" ||
    !Number.isInteger(maxTokens) ||
    maxTokens < 1 ||
    maxTokens > MAX_TOKENS.most
  ) {
    throw new PfMistake(`teacher.ask's maxTokens must be a whole number from 1 to ${MAX_TOKENS.most}.`);
  }
  if (typeof temperature !== "number" || !(temperature >= 0 && temperature <= 2)) {
    throw new PfMistake("teacher.ask's temperature must be a number from 0 to 2.");
  }
  return { prompt, maxTokens, temperature };
}

function isSameCall(a: TeacherCall, b: TeacherCall): boolean {
  return a.prompt === b.prompt && a.maxTokens === b.maxTokens && a.temperature === b.temperature;
}

function replyOf(answer: TeacherCall): string {
  if (answer.reply === undefined)
    throw new Error(`the teacher did not answer: ${answer.error ?? "no reason given"}`);
  return answer.reply;
}

/** Gives the reply to a question; undefined: nobody has answered it. Throws PfMistake where the question must not be asked. */
type FindReply = (call: TeacherCall) => TeacherCall | undefined;

/** A PF that has to wait runs again from its start once the host has the answers, so it must ask the same again. */
function inOrder(known: readonly TeacherCall[]): FindReply {
  let next = 0;
  return (call) => {
    const answer = known[next];
    if (answer !== undefined && !isSameCall(call, answer)) {
      throw new PfMistake(
        "The PF asked the teacher something else when it ran again: the same input must give the same answer.",
      );
    }
    next += 1;
    return answer;
  };
}

/** The PF may be another one than the one that was recorded: it may ask the same in another order, or only some of it. */
function byQuestion(recorded: readonly TeacherCall[]): FindReply {
  const left = [...recorded];
  return (call) => {
    const i = left.findIndex((one) => isSameCall(call, one));
    return i < 0 ? undefined : left.splice(i, 1)[0];
  };
}

function openDesk(find: FindReply): TeacherDesk {
  let count = 0;
  const findNext = (call: TeacherCall): TeacherCall | undefined => {
    if (count >= MAX_ASKS) throw new PfMistake(`A PF may ask the teacher ${MAX_ASKS} times in one step.`);
    const answer = find(call);
    count += 1;
    return answer;
  };
  const ask = async (prompt: unknown, options: AskOptions = {}): Promise<string> => {
    const call = readCall(prompt, options);
    let answer: TeacherCall | undefined;
    try {
      answer = findNext(call);
    } catch (mistake) {
      if (mistake instanceof PfMistake) desk.mistake = mistake;
      throw mistake;
    }
    if (answer === undefined) {
      desk.open.push(call);
      return new Promise<string>(() => {});
    }
    desk.answered.push(answer);
    return replyOf(answer);
  };
  const desk: TeacherDesk = { teacher: Object.freeze({ ask }), open: [], answered: [] };
  Object.freeze(ask);
  return desk;
}

/** A live teacher: the host answers what is `open`, and the PF runs again with all answers so far. */
export const openLiveDesk = (known: readonly TeacherCall[]): TeacherDesk => openDesk(inOrder(known));

/** A recorded teacher: what is `open` has no reply in the record, and nobody will answer it. */
export const openRecordedDesk = (recorded: readonly TeacherCall[]): TeacherDesk =>
  openDesk(byQuestion(recorded));
