import type { Domain } from "../../domains/domain.ts";
import { taskAgain } from "../../domains/task-again.ts";
import { clip } from "../../model/clip.ts";
import { REFUSE } from "../../model/coding-tools.ts";
import { NAMELESS, type Params } from "./protocol.ts";

/** Action types that a form names, and characters of each. */
const MOST_NAMES = 20;
const NAME_CHARS = 60;

/** Types that the agent can write: none of those that only a skill or a parser has. */
function namesOf(actionTypes: readonly string[]): string[] {
  return actionTypes
    .filter((type) => type !== REFUSE && !NAMELESS.includes(type))
    .slice(0, MOST_NAMES)
    .map((type) => clip(type, NAME_CHARS));
}

/**
 * The end of each message that carries a skill's text: the question again, and the form of an action. The agent's own notation if it has
 * told one, else that of the domain's prompt. It is the same in all replies of an episode.
 */
export function formOf(
  { prompt }: Pick<Domain, "prompt">,
  { question, notation }: Pick<Params<"open">, "question" | "notation">,
  actionTypes: readonly string[],
): string {
  if (notation !== undefined) return `${taskAgain(question)}\n${notation}`;
  const names = namesOf(actionTypes);
  if (prompt !== undefined) return prompt.form({ question, actionTypes: names });
  return `${taskAgain(question)}\nGo on with one action: ${names.join(", ")}.`;
}
