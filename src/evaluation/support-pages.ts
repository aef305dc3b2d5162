import { isRow } from "../domains/dataset-entry.ts";
import { questionIn } from "./dataset-rows.ts";

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value) => typeof value === "string");

/** HotpotQA and 2WikiMultihopQA: an object of titles, or pairs of title and sentence. */
function ofFacts(facts: unknown): readonly string[] {
  if (isRow(facts)) return Array.isArray(facts["title"]) ? texts(facts["title"]) : [];
  return Array.isArray(facts)
    ? texts(facts.map((pair: unknown) => (Array.isArray(pair) ? pair[0] : pair)))
    : [];
}

/** MuSiQue marks the paragraphs themselves. */
function ofParagraphs(paragraphs: unknown): readonly string[] {
  if (!Array.isArray(paragraphs)) return [];
  return texts(
    paragraphs.filter((one) => isRow(one) && one["is_supporting"] === true).map((one) => one.title),
  );
}

/**
 * A question of a corpus file, without the blanks around it, with the titles of the pages that support its answer. Undefined for a plain
 * passage, and for a question without such pages.
 */
export function supportOf(
  value: unknown,
): { readonly question: string; readonly titles: readonly string[] } | undefined {
  if (!isRow(value)) return undefined;
  const titles = [...ofFacts(value["supporting_facts"]), ...ofParagraphs(value["paragraphs"])];
  const question = titles.length === 0 ? undefined : questionIn(value);
  return typeof question === "string"
    ? { question: question.trim(), titles: [...new Set(titles)] }
    : undefined;
}
