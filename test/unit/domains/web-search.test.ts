import { expect, test } from "vitest";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";

test.each([
  "",
  "  \n",
  "Could not find [Helen Waltn]. Similar: ['Helen Walton']",
  "Could not find that page, please try again.",
  "No Results",
  "No results found.",
  "There are no search results for this query.",
  "No good search result found",
  "None",
  "[]",
])("%j is a search that found nothing", (text) => {
  expect(webSearchRules.isEmptySearch(text)).toBe(true);
});

test.each([
  "Helen Walton was the wife of Sam Walton.",
  "None of the band's members could not find [that] page.",
  "No Results is the third album of the band.",
  "(Result 1/1) He was born in 1918.",
])("%j is a search that found something", (text) => {
  expect(webSearchRules.isEmptySearch(text)).toBe(false);
});

test("sources contradict where a text says so, or sets statement against statement three times", () => {
  expect(webSearchRules.contradicts("Some sources say 1918; the date is disputed.")).toBe(true);
  expect(webSearchRules.contradicts("However a. Although b. Whereas c.")).toBe(true);
  expect(webSearchRules.contradicts("He moved to Ohio, however, in 1920.")).toBe(false);
});
