import { replyReader } from "../single-step/read-reply.ts";
import { DISPLAYS, findAnswer, type FoundAnswer } from "./find-answer.ts";

/** Text before the answer in a line of its own: marks of layout, and a label. */
const BEFORE =
  /^[\s$*#_>-]{0,12}(?:(?:(?:so|thus|therefore|hence),? )?(?:the )?(?:(?:final )?answer[*_ ]{0,4}(?:[:=]|is:?))?)[\s$*]{0,12}(?:\\[([])?\s{0,4}$/i;
/** Text behind it. */
const BEHIND = /^[\s$*.]{0,12}(?:\\[)\]])?[\s$*.]{0,12}$/;

/** The answer with the signs of a displayed formula in the lines around it. */
function displayed(text: string, found: FoundAnswer): FoundAnswer {
  const before = text.slice(0, found.from).trimEnd();
  const behind = text.slice(found.to).trimStart();
  const isFormula = DISPLAYS.some(([open, close]) => before.endsWith(open) && behind.startsWith(close));
  if (!isFormula) return found;
  return { text: found.text, from: before.length - 2, to: text.length - behind.length + 2 };
}

/** A last line of several words may be working as well. */
const isWorking = (text: string, { from, to }: FoundAnswer): boolean =>
  /[^\s:.]\s+\S/.test(text.slice(from, to));

/** The working: the text without the line of the answer, unless that line says more. */
function workingOf(text: string, found: FoundAnswer): string {
  const { from, to } = displayed(text, found);
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const next = text.indexOf("\n", to);
  const end = next < 0 ? text.length : next;
  const isAlone = BEFORE.test(text.slice(start, from)) && BEHIND.test(text.slice(to, end));
  if (!isAlone || (found.isUnmarked === true && isWorking(text, found))) return text.trim();
  return [text.slice(0, start).trim(), text.slice(end).trim()].filter((part) => part !== "").join("\n");
}

/** The box that the prompt asks for, and nothing behind it. */
function hasForm(text: string, { from, to }: FoundAnswer): boolean {
  return text.startsWith("\\boxed{", from) && text[to - 1] === "}" && BEHIND.test(text.slice(to));
}

/**
 * Working and answer of a model's reply. The prompt asks for the answer in a box on the last line. A reply without a box still answers: by
 * the text behind its last label, such as `Answer:` or `####`, else by its last line; it is `lenient` then.
 */
export const parseReply = replyReader((whole) => {
  const said = whole.trim();
  const found = findAnswer(said);
  return found && { answer: found.text, thought: workingOf(said, found), hasForm: hasForm(said, found) };
});
