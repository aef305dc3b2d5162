import { expect, test } from "vitest";
import { hasLists, shippedIn } from "../../../src/model/shipped-lists.ts";

const FOLDERS = [
  "search/asks",
  "search/reads",
  "paper/search/asks",
  "paper/search/doubts",
  "worth/search/guesses",
  "guards/stops",
];

test("a list has the skills of all lists, and its own in the place of those of their name", () => {
  expect(Object.fromEntries(shippedIn(FOLDERS, "paper"))).toEqual({
    "search/asks": "paper/search/asks",
    "search/reads": "search/reads",
    "guards/stops": "guards/stops",
    "search/doubts": "paper/search/doubts",
  });
  expect([...shippedIn(FOLDERS, "worth").values()]).toEqual([
    "search/asks",
    "search/reads",
    "guards/stops",
    "worth/search/guesses",
  ]);
});

test("a list without a folder of its own has the skills of all", () => {
  expect([...shippedIn(["search/asks", "paper/search/asks"], "worth").values()]).toEqual(["search/asks"]);
  expect(shippedIn(["search/asks"], "paper").get("search/asks")).toBe("search/asks");
  expect(shippedIn([], "paper").size).toBe(0);
});

test("what is no folder of a skill is in no list", () => {
  const strays = ["search", "other/search/asks", "paper/search/asks/deep", "paper/paper/search/asks"];
  expect([...shippedIn(strays, "paper").keys()]).toEqual([]);
});

test("a domain has several lists where some of its skills are of one alone", () => {
  expect(hasLists(FOLDERS, "search")).toBe(true);
  expect(hasLists(FOLDERS, "guards")).toBe(false);
  expect(hasLists(FOLDERS, "")).toBe(false);
});
