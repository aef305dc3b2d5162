import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type AnswerCheck,
  type Intervention,
  type MathContext,
} from "hasp";

/** Numbers that are named. */
const NAMED = 6;
/** Characters of an answer that are quoted. */
const LONGEST = 100;

export default class VerificationMissing extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(_ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL";
  }

  intervene(ctx: MathContext): Intervention {
    return injectContext(check(ctx), "an answer without a check");
  }
}

function check({ draft }: MathContext): string {
  const { answer, checks, given } = draft;
  if (answer.text === "") return "The draft gives no answer. Work the question to its end and give one.";
  const quoted = `"${answer.text.slice(0, LONGEST)}"`;
  const [tried] = checks.filter(({ holds }) => !holds).concat(checks);
  if (tried !== undefined) return putIn(tried, quoted);
  const unused = given.filter(({ isUsed }) => !isUsed).map(({ text }) => text);
  if (unused.length > 0) {
    return (
      `Your answer is ${quoted}, and the draft leaves out numbers of the question: ${list(unused)}. ` +
      "Read the question again, decide for each of them whether it counts, and correct the answer where it does."
    );
  }
  const numbers =
    given.length > 0
      ? `the numbers of the question (${list(given.map(({ text }) => text))})`
      : "what the question says";
  return `Your answer is ${quoted}. Work backwards from it to ${numbers}, and correct it if they do not come out.`;
}

function putIn({ equation, variable, value, left, right, holds }: AnswerCheck, quoted: string): string {
  const sides = `${left} on the left and ${right} on the right`;
  return holds
    ? `The question's equation "${equation}" makes ${sides} with ${variable} = ${value}. ` +
        `Check your answer ${quoted} against the rest of the question, and correct it if it does not fit.`
    : `With ${variable} = ${value}, the question's equation "${equation}" does not hold: it makes ${sides}. ` +
        `Solve the equation again and correct your answer ${quoted}.`;
}

/** "7, 13 and 20". */
function list(texts: readonly string[]): string {
  const named = texts.slice(0, NAMED);
  const last = named.at(-1) ?? "";
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${last}` : last;
}
