import { text, flag, count, type KeySpec, type Words } from "./key-spec.ts";

const ARG = text("arg", "The query, the document's id, or the answer.", '"${1:some words}"', {
  without: "empty",
});
const INPUT: KeySpec = {
  name: "input",
  about: "In place of `arg`: the input of a tool call.",
  codes: ["HASP306"],
  shape: { kind: "open" },
  write: '{ ${1:command}: "${2:npm test}" }',
};
const RAW = text("raw", "The words of the policy, of an action that is no action.", '"${1:as it stood}"');

const type = (words: Words): KeySpec => ({
  name: "type",
  about: "The kind of the action.",
  codes: ["HASP301", "HASP304"],
  shape: { kind: "word", words },
  write: "${1:{action}}",
});

const CONTEXT: readonly KeySpec[] = [
  text("question", "What the agent was asked.", '"${1:Who?}"', { without: "empty" }),
  count(
    "stepCount",
    "Steps completed before this one: 0 at the first.",
    "`actionHistory`, or the two counts",
  ),
  count("maxSteps", "Steps that the episode may take.", "15", "${1:15}"),
  flag("hasRead", "Something has been read: `readCount > 0`.", "from `readCount`"),
  count("searchCount", "Searches completed so far.", "from `actionHistory`"),
  count("readCount", "Documents read so far.", "from `actionHistory`, `allReadContents` and `hasRead`"),
  flag("emptyResults", "The latest search found nothing."),
  flag("contradictorySources", "The latest search results contradict one another."),
  {
    name: "actionHistory",
    about: "Actions that ran (after any change by a skill), oldest first.",
    without: "none",
    shape: { kind: "list", keys: [type("actions"), ARG] },
    write: '\n  - { type: ${1:{action}}, arg: "${2:some words}" }',
    flow: '[{ type: ${1:{action}}, arg: "${2:some words}" }]',
  },
  text(
    "lastSearchResultsText",
    "The latest search results as the policy saw them.",
    '"${1:[1] A title: its text}"',
    {
      without: "empty",
    },
  ),
  {
    name: "allReadContents",
    about: "Texts read so far, oldest first.",
    without: "none",
    shape: { kind: "open" },
    write: '["${1:a text}"]',
  },
  text("thought", "The thought that came with the proposed action.", '"${1:I know it.}"', {
    without: "empty",
  }),
];

export const INTERVENTIONS = {
  MODIFY_ACTION: "Another action takes the place of the proposed one. The first to modify wins the step.",
  INJECT_CONTEXT:
    "The policy reads a text with its next observation; on a FINAL it holds the answer back once.",
  NOOP: "It looked and changes nothing.",
};

const EXPECT: readonly KeySpec[] = [
  { ...flag("fires", "Whether the Program Function acts."), codes: ["HASP301", "HASP310"] },
  {
    name: "type",
    about: "What the Program Function does.",
    without: "not compared",
    codes: ["HASP304", "HASP306"],
    shape: { kind: "word", words: INTERVENTIONS },
    write: "${1|MODIFY_ACTION,INJECT_CONTEXT,NOOP|}",
  },
  {
    ...type("executable actions"),
    name: "newActionType",
    about: "The type of the action in place of the proposed one.",
    without: "not compared",
  },
  text("newActionArg", "The new argument, word for word.", '"${1:some words}"', {
    without: "not compared",
    codes: ["HASP306"],
  }),
  {
    name: "newInput",
    about: "What the new input holds: these keys with these values, and perhaps others.",
    without: "not compared",
    codes: ["HASP306"],
    shape: { kind: "open" },
    write: '{ ${1:command}: "${2:npm test}" }',
  },
  text("contextContains", "A part of the text that is injected.", '"${1:Look again}"', {
    without: "not compared",
    codes: ["HASP306"],
  }),
];

const STEP: readonly KeySpec[] = [
  type("actions"),
  ARG,
  INPUT,
  RAW,
  text("observation", "What came back.", '"${1:Updated.}"', { without: "empty" }),
  count("exitCode", "How the command ended; 0 is well.", "not known", "${1:0}"),
  flag("ok", "Whether the call succeeded.", "not known"),
];

const CASE: readonly KeySpec[] = [
  text("name", "In a few words what the case shows. Every case has its own.", "${1:what it shows}", {
    codes: ["HASP301", "HASP305"],
  }),
  {
    name: "context",
    about: "What is known when the action is proposed: the fields of `ctx`.",
    without: "nothing has happened yet",
    shape: { kind: "map", keys: CONTEXT },
    write: '\n  question: "${1:Who?}"',
    flow: '{ question: "${1:Who?}" }',
  },
  {
    name: "memory",
    about: "What the Program Function remembers when the case begins: its `ctx.memory`.",
    without: "`{}`",
    shape: { kind: "open" },
    write: "{ ${1:warned}: ${2:true} }",
  },
  {
    name: "steps",
    about: "The session so far, oldest first; the context follows from it.",
    without: "none",
    shape: { kind: "list", keys: STEP },
    write:
      '\n  - { type: ${1:Bash}, input: { command: "${2:npm test}" }, observation: "${3:1 failed}", exitCode: ${4:1} }',
  },
  {
    name: "prompts",
    about: "What the person said, oldest first; the first is the question.",
    without: "none",
    shape: { kind: "open" },
    write: '["${1:Fix the clock.}"]',
  },
  {
    name: "world",
    about: "What the host saw when the call was proposed: `branch`, `files`.",
    without: "nothing was looked at",
    shape: { kind: "open" },
    write: "{ branch: ${1:main} }",
  },
  {
    name: "project",
    about: "The commands by which the project checks itself.",
    without: "none",
    shape: { kind: "open" },
    write: "[{ kind: ${1|test,lint,types,build,format|}, command: ${2:npm test} }]",
  },
  text("cwd", "The folder in which the agent works.", "${1:/work}", { without: "not known" }),
  {
    name: "proposed",
    about: "The action that the policy proposes.",
    codes: ["HASP301"],
    shape: { kind: "map", keys: [type("proposed actions"), ARG, INPUT, RAW] },
    write: "{ {proposed} }",
  },
  {
    name: "expect",
    about: "What the Program Function must decide. What is left out is not compared.",
    codes: ["HASP301", "HASP306", "HASP310"],
    shape: { kind: "map", keys: EXPECT },
    write: "{ fires: ${1|true,false|} }",
  },
];

/** A whole new case, as an item of the list. */
export const NEW_CASE =
  "- name: ${1:what it shows}\n  proposed: { {proposed} }\n  expect: { fires: ${9|true,false|} }";

/** Keys of a cases.yaml from its root. */
export const CASES_SPECS: readonly KeySpec[] = [
  {
    name: "cases",
    about:
      "The regression tests of the skill: contexts with the decision that its Program Function must come to.",
    codes: ["HASP301", "HASP307"],
    shape: { kind: "list", keys: CASE },
    write:
      "\n  - name: ${1:what it shows}\n    proposed: { {proposed} }\n    expect: { fires: ${9|true,false|} }",
  },
];
