import type { HandlerKind, PhaseName } from "../../model/skill.ts";
import { APPLICABLE_PHASES } from "../vocabulary.ts";
import { text, type KeySpec } from "./key-spec.ts";

const PHASES: Readonly<
  Record<PhaseName, { readonly about: string; readonly condition: string; readonly action: string }>
> = {
  pre_final: { about: "Before the policy answers.", condition: "no_read_yet", action: "force_read_best_doc" },
  post_search: { about: "After a search.", condition: "search_empty", action: "reformulate_search" },
  post_read: { about: "After a text was read.", condition: "long_observation", action: "read_closely" },
};

const HANDLERS: Readonly<Record<HandlerKind, string>> = {
  llm: "At each answer that would stand, the teacher is asked what the section `## Handler` says; without a teacher it abstains.",
  code: "The skill's own Program Function judges the answer: fired is a vote for another search.",
  inline: "It corrects actions on the way and does not vote.",
};

const PHASE_SPECS: readonly KeySpec[] = [
  {
    name: "conditions",
    about: "When the reminder is shown: all of them must hold.",
    without: "always",
    codes: ["HASP117"],
    shape: { kind: "words", words: "conditions" },
    write: "[${1|{conditions}|}]",
  },
  {
    name: "priority_boost",
    about: "Added to the skill's priority while the conditions hold, −1 to 1.",
    without: "0",
    codes: ["HASP115"],
    shape: { kind: "number" },
    write: "${1:0.2}",
  },
  {
    name: "action",
    about:
      "What the policy is asked to do; its meaning is the text of the reminder where the phase has none of its own.",
    codes: ["HASP117", "HASP118"],
    shape: { kind: "word", words: "phase actions" },
    write: "${1|{phase actions}|}",
  },
  text(
    "text",
    "What the policy reads: a statement with one deed, no question; else the section `## Phase: …` of the body.",
    '"${1:Read one more document.}"',
    { codes: ["HASP118", "HASP856"] },
  ),
];

const phase = (name: PhaseName): KeySpec => {
  const { about, condition, action } = PHASES[name];
  return {
    name,
    about: `${about} A reminder that is rendered where all its conditions hold.`,
    codes: ["HASP118", "HASP120", "HASP856"],
    shape: { kind: "map", keys: PHASE_SPECS },
    write: `\n  conditions: [\${1:{condition ${condition}}}]\n  action: \${2:{phase action ${action}}}`,
    flow: `{ conditions: [\${1:{condition ${condition}}}], action: \${2:{phase action ${action}}} }`,
  };
};

const HASP: readonly KeySpec[] = [
  text("skill_id", "The skill's identity in events and statistics, in snake_case.", "${1:{id}}", {
    without: "`name` with underscores",
    codes: ["HASP113", "HASP119"],
  }),
  text("title", "What people read.", '"${1:What the skill does}"', { without: "`name` in words" }),
  {
    name: "version",
    about: "A whole number from 1; count up with each change. Of several versions the latest acts.",
    without: "1",
    codes: ["HASP115", "HASP401"],
    shape: { kind: "number" },
    write: "${1:1}",
  },
  {
    name: "priority",
    about:
      "0 to 1; the skill with the higher one is asked first, and the first that modifies an action wins the step.",
    without: "0.5",
    codes: ["HASP115"],
    shape: { kind: "number" },
    write: "${1:0.5}",
  },
  text("error_category", "The failure that the skill is against.", "${1:{id}}", { without: "`skill_id`" }),
  {
    name: "applicable_modes",
    about: "The kinds of episodes that the skill is for.",
    without: "`[all]`",
    codes: ["HASP117"],
    shape: { kind: "words", words: "modes" },
    write: "[${1:all}]",
  },
  {
    name: "applicable_phases",
    about: "The parts of an episode in which the skill can be of use.",
    without: "all three",
    codes: ["HASP117"],
    shape: { kind: "words", words: APPLICABLE_PHASES },
    write: "[${1:think, search, answer}]",
  },
  text(
    "system_summary",
    "One line for the system prompt while the skill is selected.",
    '"${1:What to remember.}"',
    {
      without: "`description`",
      codes: ["HASP856"],
    },
  ),
  {
    name: "phases",
    about: "Reminders at three places of an episode, each with its conditions.",
    without: "none",
    codes: ["HASP118", "HASP120"],
    shape: { kind: "map", keys: (["pre_final", "post_search", "post_read"] as const).map(phase) },
    write:
      "\n  ${1:{phase post_search}}:\n    conditions: [${2:{condition search_empty}}]\n    action: ${3:{phase action reformulate_search}}",
    flow: "{ ${1:{phase}}: { conditions: [${2:{condition search_empty}}], action: ${3:{phase action reformulate_search}} } }",
  },
  {
    name: "handler",
    about: "How the skill takes part in the vote on an answer.",
    without: "it has no handler",
    codes: ["HASP117", "HASP121"],
    shape: { kind: "word", words: HANDLERS },
    write: "${1|inline,code|}",
  },
  {
    name: "supersedes",
    about: "Ids of skills that this one replaces: where both are in a library, those do not act.",
    without: "none",
    codes: ["HASP406", "HASP407", "HASP408"],
    shape: { kind: "words", words: "skill ids" },
    write: "[$1]",
  },
];

/** Keys of a SKILL.md that are ours, from the root of its frontmatter. What stands beside them is VS Code's to complete. */
export const SKILL_SPECS: readonly KeySpec[] = [
  {
    name: "metadata",
    about: "Keys for tools; those of HASP stand under `hasp`.",
    shape: {
      kind: "map",
      keys: [
        {
          name: "hasp",
          about: "What HASP reads of a skill.",
          codes: ["HASP112", "HASP116"],
          shape: { kind: "map", keys: HASP },
          write: "\n  skill_id: ${1:{id}}\n  version: ${2:1}\n  priority: ${3:0.5}",
        },
      ],
    },
    write: "\n  hasp:\n    skill_id: ${1:{id}}\n    version: ${2:1}\n    priority: ${3:0.5}",
  },
];
