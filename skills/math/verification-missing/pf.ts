import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

/** Numbers that are named. */
const NAMED = 6;

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
  const [tried] = checks.filter(({ holds }) => !holds).concat(checks);
  if (tried !== undefined) {
    const { equation, variable, value, left, right } = tried;
    return (
      `The question's equation "${equation}" makes ${left} on the left and ${right} on the right with ${variable} = ${value}. ` +
      `Check your answer "${answer.text}" against the rest of the question, and correct it if it does not fit.`
    );
  }
  const unused = given.filter(({ isUsed }) => !isUsed).map(({ text }) => text);
  if (unused.length > 0) {
    return (
      `Your answer is "${answer.text}", and the draft leaves out numbers of the question: ${list(unused)}. ` +
      "Read the question again, decide for each of them whether it counts, and correct the answer where it does."
    );
  }
  const numbers =
    given.length > 0
      ? `the numbers of the question (${list(given.map(({ text }) => text))})`
      : "what the question says";
  return `Your answer is "${answer.text}". Work backwards from it to ${numbers}, and correct it if they do not come out.`;
}

/** "7, 13 and 20". */
function list(texts: readonly string[]): string {
  const named = texts.slice(0, NAMED);
  const last = named.at(-1) ?? "";
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${last}` : last;
}
