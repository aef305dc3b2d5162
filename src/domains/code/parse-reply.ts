import { replyReader } from "../single-step/read-reply.ts";
import { findProgram, type FoundProgram } from "./find-program.ts";

/** The text without the blank lines around it. The blanks before its first line are indentation. */
const withoutBlankLines = (text: string): string => text.slice(firstLine(text)).trimEnd();

/** Where the first line begins that is more than blanks. */
function firstLine(text: string): number {
  const first = text.length - text.trimStart().length;
  return text.lastIndexOf("\n", first - 1) + 1;
}

/** The text around a program. */
function restOf(text: string, { from, to }: FoundProgram): string {
  const parts = [text.slice(0, from).trim(), text.slice(to).trim()];
  return parts.filter((part) => part !== "").join("\n\n");
}

/**
 * Thought and program of a model's reply. The prompt asks for one program in one block between fences. A reply in another form still answers
 * and is `lenient`: by one of its blocks, by its lines of code (find-program.ts), or by its whole text, which may be the body of a function.
 */
export const parseReply = replyReader((said) => {
  const found = findProgram(said);
  if (found === undefined) return { answer: withoutBlankLines(said), thought: "", hasForm: false };
  const thought = restOf(said, found);
  const isAlone = findProgram(thought)?.isFenced !== true;
  return { answer: found.text, thought, hasForm: found.isFenced && isAlone };
});
