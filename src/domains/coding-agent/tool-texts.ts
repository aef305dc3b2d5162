import { CODING_FINAL, type CodingTool } from "../../model/coding-tools.ts";
import type { Action } from "../../model/action.ts";

/** A line of the prompt for each tool. None is a call: copied back, it runs nothing. */
const TOOL_LINES: Readonly<Record<CodingTool, string>> = {
  Bash: "command. Runs a command line in Bash.",
  PowerShell: "command. Runs a command line in PowerShell.",
  Read: "path, perhaps offset and limit. Shows a file, or some of its lines.",
  Write: "path, content. Creates a file, or replaces all of it.",
  Edit: "path, oldText, newText. Replaces a text that occurs once in a file; with all, wherever it occurs.",
  MultiEdit: "edits, a list of objects with the keys of Edit. Several edits at once.",
  Patch: "patch. Applies a unified diff.",
  Glob: "pattern. Lists the files whose path fits.",
  Grep: "pattern, perhaps path and glob. Finds the lines that match a regular expression.",
  List: "path. Lists a folder.",
  WebFetch: "url. Shows a web page.",
  WebSearch: "query. Searches the web.",
  Agent: "prompt. Gives a part of the work to another agent.",
  RunTests: "no keys. Runs the tests of the project.",
};

/** The tools, one a line, with the keys of their input. */
export function toolLines(actionTypes: readonly string[]): string {
  const lines = new Map<string, string>(Object.entries(TOOL_LINES));
  const own = actionTypes.flatMap((type) => (lines.has(type) ? [`- ${type}: ${lines.get(type)}`] : []));
  return [...own, `- ${CODING_FINAL}: text. Ends the work; the text tells the person the result.`].join("\n");
}

/** A step of the worked example; the last one has no answer. */
export interface ExampleStep {
  readonly thought: string;
  readonly action: Pick<Action, "type" | "arg">;
  readonly answer?: string;
}

interface Example {
  readonly task: string;
  readonly steps: readonly ExampleStep[];
}

const call = (type: CodingTool, input: Readonly<Record<string, unknown>>): ExampleStep["action"] => ({
  type,
  arg: JSON.stringify(input),
});
const TASK = "The label of the delete button has a typo: it says Delte.";
const DONE: ExampleStep = {
  thought: "The one place is corrected, so the work is done.",
  action: { type: CODING_FINAL, arg: "The label in src/ui/toolbar.js now says Delete." },
};

/** The same work with tools of its own for files, and with a shell alone. */
const EXAMPLES: readonly Example[] = [
  {
    task: TASK,
    steps: [
      {
        thought: "I do not know the file yet, so I look for the text.",
        action: call("Grep", { pattern: "Delte", path: "src" }),
        answer: 'src/ui/toolbar.js:31:  button.label = "Delte";',
      },
      {
        thought: "It occurs once, in line 31. I replace it there.",
        action: call("Edit", { path: "src/ui/toolbar.js", oldText: '"Delte"', newText: '"Delete"' }),
        answer: "1 replacement in src/ui/toolbar.js.",
      },
      DONE,
    ],
  },
  {
    task: TASK,
    steps: [
      {
        thought: "I do not know the file yet, so I look for the text.",
        action: call("Bash", { command: "grep -rn Delte src" }),
        answer: 'src/ui/toolbar.js:31:  button.label = "Delte";',
      },
      {
        thought: "It occurs once, in line 31. I replace it there and look at the line again.",
        action: call("Bash", {
          command: "sed -i '31s/Delte/Delete/' src/ui/toolbar.js && sed -n 31p src/ui/toolbar.js",
        }),
        answer: '  button.label = "Delete";',
      },
      DONE,
    ],
  },
];

/** A worked example whose calls the agent can make; undefined where it has none of these tools. */
export function exampleFor(actionTypes: readonly string[]): Example | undefined {
  const can = ({ action }: ExampleStep): boolean =>
    action.type === CODING_FINAL || actionTypes.includes(action.type);
  return EXAMPLES.find(({ steps }) => steps.every(can));
}
