import { expect, test } from "vitest";
import type { EpisodeHit } from "../../../src/model/episode-hit.ts";
import { textQuery, type TextQuery } from "../../../src/model/text-query.ts";
import type { EpisodeIndex } from "../../../src/trace/episode-index.ts";
import { createSearchPager } from "../../../src/trace/search-pages.ts";

const MEGABYTE = 1024 * 1024;

function indexOf(count: number, bytes: number): EpisodeIndex {
  const entries = Array.from({ length: count }, (_, i) => ({
    offset: i * (bytes + 1),
    bytes,
    line: i,
    head: { id: `e${i}`, questionId: "q", outcome: "wrong" as const, length: 1, question: "?" },
  }));
  return { path: "episodes.jsonl", entries, diagnostics: [], size: count * (bytes + 1) };
}

function queryOf(typed: string): TextQuery {
  const query = textQuery(typed);
  if (query === undefined) throw new Error(typed);
  return query;
}

const hitAt = (index: number): EpisodeHit => ({ index, count: 1, fields: {}, places: [] });
/** All pages of a search that finds these; the positions that it looked into. */
function searchAll(
  pager: ReturnType<typeof createSearchPager>,
  index: EpisodeIndex,
  typed: string,
  hits: readonly number[],
): number[] {
  const query = queryOf(typed);
  const searched: number[] = [];
  for (let from = 0; from < index.entries.length;) {
    const { to, lines } = pager.page(index, query, from);
    expect(to).toBeGreaterThan(from);
    searched.push(...lines.map((line) => line.index));
    pager.keep(index, query, from, to, hits.filter((hit) => hit >= from && hit < to).map(hitAt));
    from = to;
  }
  return searched;
}

const ALL = Array.from({ length: 1_200 }, (_, i) => i);

test("the first page is small, the others larger, and none has too many episodes", () => {
  const pager = createSearchPager();
  const [large, small] = [indexOf(200, MEGABYTE), indexOf(1_200, 100)];
  expect(pager.page(large, queryOf("a"), 0).to).toBe(4);
  expect(pager.page(large, queryOf("a"), 4).to).toBe(52);
  expect(pager.page(large, queryOf("a"), 200)).toEqual({ to: 200, lines: [] });
  expect(pager.page(small, queryOf("a"), 0).to).toBe(500);
});

test("a longer text is looked for among the hits of the shorter one, another text everywhere", () => {
  const pager = createSearchPager();
  const index = indexOf(1_200, 100);
  expect(searchAll(pager, index, "wal", [3, 700, 900])).toEqual(ALL);
  expect(searchAll(pager, index, "walton", [700])).toEqual([3, 700, 900]);
  expect(searchAll(pager, index, "waltons", [])).toEqual([700]);
  expect(searchAll(pager, index, "elbe", [])).toEqual(ALL);
});

test("hits of a search that was stopped narrow only as far as it came", () => {
  const pager = createSearchPager();
  const index = indexOf(1_200, 100);
  const wal = queryOf("wal");
  const { to } = pager.page(index, wal, 0);
  pager.keep(index, wal, 0, to, [hitAt(3)]);
  expect(searchAll(pager, index, "walton", [])).toEqual([3, ...ALL.slice(to)]);
});

test("a run that was read again is searched anew", () => {
  const pager = createSearchPager();
  searchAll(pager, indexOf(1_200, 100), "wal", []);
  expect(searchAll(pager, indexOf(1_200, 100), "walton", [])).toEqual(ALL);
});
