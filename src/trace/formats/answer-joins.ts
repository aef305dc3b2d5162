import { counted } from "../../model/counted.ts";
import { type FormatProblem, warning } from "./format-reader.ts";

/** Ids that a message names. */
const SHOWN = 3;

/** Rows of one file with the same finding. */
interface Rows {
  /** 0-based line of the first one. */
  readonly line: number;
  readonly questions: Set<string>;
  count: number;
}

/**
 * Why the file of questions does not complete a row: nothing has the text of its question (`textless`), or the row has it and the file
 * lacks its id (`unknown`) or has another text under it (`reworded`).
 */
type Reason = "textless" | "unknown" | "reworded";

/** Findings about the rows of one file of answers that its questions do not complete, one for each reason. */
export interface JoinFindings {
  /** `line` is 0-based. */
  add(reason: Reason, line: number, questionId: string): void;
  problems(): readonly FormatProblem[];
}

/** `hasFile`: somebody named a file of questions. */
export function joinFindings(hasFile: boolean): JoinFindings {
  const groups = new Map<Reason, Rows>();
  return {
    add(reason, line, questionId) {
      const group = groups.get(reason) ?? { line, questions: new Set<string>(), count: 0 };
      group.questions.add(questionId);
      group.count++;
      groups.set(reason, group);
    },
    problems: () => Array.from(groups, ([reason, rows]) => problemOf(reason, rows, hasFile)),
  };
}

function problemOf(reason: Reason, { line, questions, count }: Rows, hasFile: boolean): FormatProblem {
  const ids = [...questions].slice(0, SHOWN).map((id) => JSON.stringify(id.slice(0, 60)));
  const more = questions.size - ids.length;
  const named = `${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const subject = `from here on ${counted(count, "row")} of ${counted(questions.size, "question")} (${named}) ${count === 1 ? "is" : "are"}`;
  switch (reason) {
    case "textless": {
      const message = `${subject} left out: the text of the question is not known.`;
      const next = hasFile
        ? "The file of questions lacks these ids: add them, or name another file."
        : "Name the file that holds these questions with --questions.";
      return { line, severity: "error", message, next };
    }
    case "unknown":
      return warning(
        line,
        `${subject} imported as given: the file of questions lacks the id.`,
        "Check that it is the file of these questions.",
      );
    case "reworded":
      return warning(
        line,
        `${subject} imported as given: the file of questions has another text under the id.`,
        "Check that it is the file of these questions; a row without `question` takes the text of that file.",
      );
  }
}
