import { counted } from "../../model/counted.ts";
import type { FailureCluster, FailureExample } from "../../model/failure.ts";
import { printableLine } from "../../model/printable.ts";
import { tellingLine } from "../../model/telling-line.ts";
import type { SkillKind } from "../../skill/scaffold-kinds.ts";
import { kebabName } from "../../skill/skill-name.ts";
import { GROUP_WORDS } from "./detector-words.ts";

/** Texts of clusters for rows, tooltips, the clipboard and new skills. Models and episodes wrote them: each is one plain line here. */

const MOST_CHARACTERS = 600;

/** A text of a model or an episode as one line that cannot hide or turn anything around. */
export function plainLine(text: string, most = MOST_CHARACTERS): string {
  const line = printableLine(text).replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed().trim()}…` : line;
}

/** `98 episodes · retrieval · new`; the count first, because a narrow view cuts off the end. */
export function clusterNotes({ examples, isNewCategory, group, source }: FailureCluster): string {
  const notes = [
    counted(examples.length, "episode"),
    group,
    isNewCategory ? "new" : "",
    source === "model" ? "teacher" : "",
  ];
  return notes.filter((note) => note !== "").join(" · ");
}

function noveltyWords({ novelty, isNewCategory }: FailureCluster): string {
  const why = isNewCategory
    ? "new: neither a group of failures nor an active skill is much like it"
    : "known: a group of failures or an active skill is much like it";
  return `Novelty ${novelty.toFixed(2)}, ${why}.`;
}

const SOURCE_WORDS: Readonly<Record<FailureCluster["source"], string>> = {
  detector: "found by a detector",
  model: "told by the teacher",
};

export function clusterTooltip(cluster: FailureCluster): string {
  const { category, abstraction, trigger, hint, examples, group, source } = cluster;
  return [
    plainLine(category),
    `${counted(examples.length, "episode")}, ${SOURCE_WORDS[source]}`,
    "",
    plainLine(abstraction),
    `Trigger: ${plainLine(trigger)}`,
    `Hint: ${plainLine(hint)}`,
    "",
    `Group ${group}: ${GROUP_WORDS[group]}.`,
    noveltyWords(cluster),
  ].join("\n");
}

/** The step at which an example shows the failure first. */
export const stepOfExample = ({ steps }: FailureExample): number => steps[0] ?? 0;

const MOST_EXAMPLES = 20;

/** Text in Markdown: nothing of it is a link, a heading or HTML. */
const escaped = (text: string): string => plainLine(text).replaceAll(/[\\`*_[\]<>#|~&]/g, String.raw`\$&`);

/** A cluster for a ticket or a chat. `titleOf` gives the title of a run. */
export function clusterMarkdown(cluster: FailureCluster, titleOf: (run: string) => string): string {
  const { category, abstraction, trigger, hint, examples, group, source, isNewCategory } = cluster;
  const shown = examples.slice(0, MOST_EXAMPLES);
  const left = examples.length - shown.length;
  const placeOf = (one: FailureExample): string =>
    `${escaped(titleOf(one.run))}, episode ${one.index + 1}, step ${stepOfExample(one) + 1}`;
  return [
    `## ${escaped(category)}`,
    "",
    escaped(abstraction),
    "",
    `- Trigger: ${escaped(trigger)}`,
    `- Hint: ${escaped(hint)}`,
    `- Group: ${group}${isNewCategory ? ", a new category" : ""}; ${SOURCE_WORDS[source]}`,
    "",
    `${counted(examples.length, "episode")}:`,
    "",
    ...shown.map((one) => `- ${escaped(tellingLine(one.question, MOST_CHARACTERS))} (${placeOf(one)})`),
    ...(left > 0 ? [`- and ${left} more`] : []),
    "",
  ].join("\n");
}

const REWRITES = /\b(rewrit|replac|reword|rephras|reformulat|shorten|simplif|swap|turn \w+ into)\w*/i;
const INJECTS = /\b(remind|inject|warn|advis|nudg|suggest|prompt|point out|tell the)\w*/i;

/** The kind of skill that a hint asks for; undefined where it names both ways or none. */
export function kindOfHint(hint: string): SkillKind | undefined {
  const [rewrites, injects] = [REWRITES.test(hint), INJECTS.test(hint)];
  if (rewrites === injects) return undefined;
  return rewrites ? "rewrite" : "inject";
}

const MOST_DESCRIPTION = 300;

/** When the skill of a cluster is to be used, in one sentence. */
function descriptionOf(abstraction: string): string {
  const words = plainLine(abstraction, MOST_DESCRIPTION).replace(/[.…\s]+$/, "");
  const clause = words.replace(/^(use )?(when|if|whenever)\s+/i, "");
  // An abbreviation or a name of an action keeps its capitals.
  const begun = /^[A-Z][a-z]*\b/.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
  return `Use when ${begun}.`;
}

/** Name, purpose and kind that a skill of the cluster may have; its kind only where the hint is clear about it. */
export function skillOfCluster({ category, abstraction, hint }: FailureCluster): {
  readonly name?: string;
  readonly description: string;
  readonly kind?: SkillKind;
} {
  const name = kebabName(category);
  const kind = kindOfHint(hint);
  return {
    ...(name !== "" && { name }),
    description: descriptionOf(abstraction),
    ...(kind !== undefined && { kind }),
  };
}

/** For SKILL.md: the failure, its trigger and its hint, as lines. */
export function notesOfCluster({ abstraction, trigger, hint, examples, source }: FailureCluster): string[] {
  return [
    `Seen in ${counted(examples.length, "episode")}, ${SOURCE_WORDS[source]}: ${plainLine(abstraction)}`,
    `Trigger: ${plainLine(trigger)}`,
    `Hint: ${plainLine(hint)}`,
  ];
}

/** Examples of distinct questions, in their order: another episode of a question tells little that is new. */
export function ofDistinctQuestions(examples: readonly FailureExample[]): readonly FailureExample[] {
  const seen = new Set<string>();
  return examples.filter(({ questionId }) => {
    const isNew = !seen.has(questionId);
    seen.add(questionId);
    return isNew;
  });
}
