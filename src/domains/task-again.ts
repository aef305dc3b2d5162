import { clip } from "../model/clip.ts";

/** Characters of a task that are repeated; a task may be as long as a whole issue. */
const REPEATED = 400;

/** The task once more, for the end of a message that carries a skill's text. `noun`: the domain's word for a task. */
export function taskAgain(question: string, noun: "task" | "question" = "task"): string {
  return `The ${noun} is still: ${clip(question, REPEATED)}`;
}
