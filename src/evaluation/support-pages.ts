import { jsonEntries } from "../trace/json-entries.ts";
import { isRow, plainRow } from "./dataset-rows.ts";

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
 * The titles of the pages that support the answer of each question of a corpus file, by the text of the question without the blanks
 * around it. Empty for a file of plain passages.
 */
export function supportPages(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { value } of jsonEntries(text)) {
    if (!isRow(value)) continue;
    const plain = plainRow(value, undefined);
    const question = isRow(plain) ? plain["question"] : undefined;
    const titles = [...ofFacts(value["supporting_facts"]), ...ofParagraphs(value["paragraphs"])];
    if (typeof question === "string" && titles.length > 0) found.set(question.trim(), [...new Set(titles)]);
  }
  return found;
}
