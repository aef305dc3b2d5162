import { projectCheckSchema, worldSchema } from "../model/coding-context.ts";
import { z } from "../model/zod.ts";

/** The part of JSON Schema that editors use for completion, hovers and squiggles. */
interface JsonSchema {
  readonly [key: string]: unknown;
}

const text = (description: string): JsonSchema => ({ type: "string", description });
const flag = (description: string): JsonSchema => ({ type: "boolean", description });
const count = (description: string): JsonSchema => ({ type: "integer", minimum: 0, description });
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: "array", items, description });
const anyObject = (description: string): JsonSchema => ({ type: "object", description });

function group(
  properties: Readonly<Record<string, JsonSchema>>,
  description: string,
  required: readonly string[] = [],
) {
  return { type: "object", description, properties, additionalProperties: false, required } as const;
}

function modelled(schema: z.ZodType, description: string): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return { ...rest, description };
}

const ACTION: Readonly<Record<string, JsonSchema>> = {
  type: {
    ...text("SEARCH, READ, FINAL, or a tool of a coding agent such as Bash or Edit."),
    examples: ["SEARCH", "READ", "FINAL", "Bash", "Edit", "Write", "Read"],
  },
  arg: text("The query, the document, the answer."),
  input: anyObject("In place of `arg`: the input of a tool call, e.g. { command: npm test }."),
  raw: text("The words of the policy, of an action that is no action."),
};

const CONTEXT: Readonly<Record<string, JsonSchema>> = {
  question: text("What the agent was asked."),
  stepCount: count("Steps completed before this one."),
  maxSteps: { ...count("Steps that the episode may take (15 where it is not said)."), minimum: 1 },
  hasRead: flag("Something has been read."),
  searchCount: count("Searches so far; else counted from actionHistory."),
  readCount: count("Documents read so far; else counted from actionHistory."),
  emptyResults: flag("The latest search found nothing."),
  contradictorySources: flag("The latest results contradict one another."),
  actionHistory: list(
    group({ type: text("The kind of the action."), arg: text("Its argument.") }, "An action that ran.", [
      "type",
    ]),
    "Actions that ran, oldest first.",
  ),
  lastSearchResultsText: text("The latest search results."),
  allReadContents: list({ type: "string" }, "Texts read so far, oldest first."),
  thought: text("The thought that came with the proposed action."),
};

const EXPECT: Readonly<Record<string, JsonSchema>> = {
  fires: flag("Whether the Program Function acts."),
  type: {
    enum: ["MODIFY_ACTION", "INJECT_CONTEXT", "NOOP"],
    enumDescriptions: [
      "Another action takes the place of the proposed one.",
      "A text is added for the policy to read.",
      "It looked and changes nothing.",
    ],
    description: "What it does.",
  },
  newActionType: text("The type of the action that takes the place of the proposed one."),
  newActionArg: text("Its argument, word for word."),
  newInput: anyObject("Its input, as JSON: these keys with these values, and perhaps others."),
  contextContains: text("A part of the text that is injected."),
};

const STEP: Readonly<Record<string, JsonSchema>> = {
  ...ACTION,
  observation: text("What came back."),
  exitCode: { type: "integer", description: "How the command ended; 0 is well." },
  ok: flag("Whether the call succeeded."),
};

const CASE: Readonly<Record<string, JsonSchema>> = {
  name: text("In a few words what the case shows. Every case has its own."),
  context: group(CONTEXT, "What is known when the action is proposed."),
  memory: anyObject("What the Program Function remembers: its ctx.memory."),
  steps: list(group(STEP, "A step that has run.", ["type"]), "A coding agent's steps so far, oldest first."),
  prompts: list({ type: "string" }, "What the person said, oldest first; the first is the question."),
  world: modelled(worldSchema, "What the host saw when the call was proposed."),
  project: list(modelled(projectCheckSchema, "A check and its command."), "How the project checks itself."),
  cwd: text("The folder in which the agent works."),
  proposed: group(ACTION, "The action that the policy proposes.", ["type"]),
  expect: group(EXPECT, "What the Program Function must decide.", ["fires"]),
};

/** The JSON Schema of `cases.yaml`, for editors that know YAML; the build writes it to `dist/cases.schema.json`. */
export function casesSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "cases.yaml",
    ...group(
      { cases: list(group(CASE, "One case.", ["name", "proposed", "expect"]), "The cases.") },
      "The regression tests of a HASP skill.",
      ["cases"],
    ),
  };
}
