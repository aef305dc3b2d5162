import type { DataCard, GroupRows, SampleRow } from "../model/data-card.ts";
import { asText, list, table } from "../model/markdown-page.ts";
import { printable } from "../model/printable.ts";
import { FAMILIES, familyWeights } from "../model/signals.ts";
import { FILTER_WORDS, TRAIN_FILES } from "../model/train-data.ts";

function groups(title: string, parts: readonly GroupRows[]): readonly string[] {
  if (parts.length === 0) return [];
  const rows = parts.map(({ name, rows: n, weight }) => [name, String(n), weight.toFixed(3)]);
  return [`## ${title}`, "", ...table(["", "rows", "mean weight"], rows)];
}

function histogram(bins: readonly number[]): readonly string[] {
  const rows = bins.flatMap((count, i) =>
    count === 0 ? [] : [[`${i / 10}–${(i + 1) / 10}`, String(count)]],
  );
  return rows.length === 0 ? [] : ["## Weights", "", ...table(["weight", "rows"], rows)];
}

/** As a block of code, in which nothing is markup. */
const quoted = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => `    ${printable(line)}`)
    .join("\n");

function sample(card: DataCard, row: SampleRow): readonly string[] {
  const command =
    card.objective === "a" ? ` · \`hasp train-data --row ${card.file}:${row.line}\` shows its step` : "";
  return [
    `### Line ${row.line}: ${asText(row.episode)}, step ${row.step}`,
    "",
    `weight ${row.weight.toFixed(4)} · ${asText(row.correction)}${row.skills === "" ? "" : ` · ${asText(row.skills)}`}${command}`,
    "",
    ...(row.target === "" ? [quoted(row.prompt)] : [quoted(row.target)]),
    ...(row.rejected === undefined ? [] : ["", "in place of", "", quoted(row.rejected)]),
    "",
  ];
}

function scoring({ order, scored, families, objective }: DataCard): readonly string[] {
  if (objective === "b") return [];
  const { weights, floor, filter } = order;
  const by = familyWeights(weights);
  const without = weights.dropped.length === 0 ? "" : `, without ${weights.dropped.join(", ")}`;
  return [
    `- Filter: ${FILTER_WORDS[filter]}`,
    `- Reward floor ${floor}: ${scored.overFloor} of ${scored.steps} measured steps reach it`,
    `- Weights of the families: ${FAMILIES.map((family) => `${family} ${by[family].toFixed(4)}`).join(", ")}${without}`,
    `- Mean of the rows: ${FAMILIES.map((family) => `${family} ${families[family].toFixed(3)}`).join(", ")}`,
  ];
}

/** A data card as a page of Markdown. */
export function cardMarkdown(card: DataCard): string {
  const { file, kind, rows, domain, createdAt, tokens, rendered, dropped, heldOutQuestions, notices } = card;
  const sources = card.sources.map((one) => [
    one.run,
    String(one.episodes),
    String(one.steps),
    String(one.rows),
  ]);
  return [
    `# ${file}`,
    "",
    `${TRAIN_FILES[kind].about}: ${rows} rows, domain ${asText(domain)}, built ${createdAt}`,
    "",
    ...scoring(card),
    `- Tokens, guessed at four characters each: ${tokens.prompt} in prompts, ${tokens.target} in ${kind === "a-context" ? "contexts" : "targets"}, ${tokens.longestRow} in the longest row`,
    ...(rendered > 0
      ? [`- ${rendered} rows come from a record or a script: no model wrote their completions`]
      : []),
    ...(heldOutQuestions > 0
      ? [`- ${heldOutQuestions} questions of test and validation splits are in no row`]
      : []),
    ...list(notices),
    "",
    ...(sources.length === 0 ? [] : ["## Runs", "", ...table(["run", "episodes", "steps", "rows"], sources)]),
    ...groups("Rows by skill", card.bySkill),
    ...groups("Rows by correction", card.byCorrection),
    ...groups("Rows by signal family over 0", card.byFamily ?? []),
    ...histogram(card.histogram),
    ...(dropped.length === 0
      ? []
      : [
          "## Left out",
          "",
          ...table(
            ["reason", "steps"],
            dropped.map(({ reason, steps }) => [reason, String(steps)]),
          ),
        ]),
    ...(card.sample.length === 0
      ? []
      : ["## First rows", "", ...card.sample.flatMap((row) => sample(card, row))]),
  ].join("\n");
}
