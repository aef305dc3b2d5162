import { writeFileSync } from "node:fs";
import { zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readerOf } from "../../../src/trace/formats/formats.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { type ThreadFile, threadsOf } from "../../../src/trace/formats/codex/threads.ts";
import { exec, message, meta, output, typed } from "./codex-lines.ts";
import { importFiles, lines } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

const THREAD = "01a00000-0000-7000-8000-000000000001";
const segmentOf = (n: number): string => `01a00000-0000-7000-8000-00000000010${n}`;
const FORK = "01a00000-0000-7000-8000-000000000200";

/** A turn of a person with one command, as five lines. */
const turn = (name: string): object[] => [
  ...typed(name),
  exec(name, `cmd-${name}`),
  output(name, `out-${name}`),
  message("assistant", `Done ${name}.`),
];

/** A file whose lines begin at an ordinal. */
const numbered = (from: number, rows: readonly object[]): string =>
  lines(...rows.map((row, at) => ({ ...row, ordinal: from + at })));

interface Goes {
  readonly thread?: string;
  readonly from?: readonly [segment: string, ordinal: number];
  readonly forkedFrom?: string;
}

const first = ({ thread = THREAD, from, forkedFrom }: Goes): object =>
  meta({
    id: thread,
    session_id: thread,
    base_instructions: { text: "Work." },
    ...(from !== undefined && { history_base: { thread_id: from[0], end_ordinal_exclusive: from[1] } }),
    ...(forkedFrom !== undefined && { forked_from_id: forkedFrom }),
  });

const nameOf = (thread: string, segment?: string): string =>
  `rollout-2026-11-30T20-14-07-${thread}${segment === undefined ? "" : `_${segment}`}.jsonl`;

/** Imports files of these names. */
function importThreads(contents: Readonly<Record<string, string | Uint8Array>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(`${folder}/${name}`, content);
  return importFiles(folder);
}

const acts = (episode: { readonly steps: readonly { readonly executed: { readonly arg: string } }[] }) =>
  episode.steps.flatMap(({ executed }) => /cmd-\w+/.exec(executed.arg) ?? []);

describe("a thread of Codex that goes back goes on in another file", () => {
  // Lines of the first file: 0 its meta, A from 1, B from 6.
  const base = numbered(0, [first({}), ...turn("A"), ...turn("B")]);
  const second = numbered(6, [first({ from: [THREAD, 6] }), ...turn("C"), ...turn("D")]);
  const third = numbered(12, [first({ from: [segmentOf(1), 12] }), ...turn("E")]);
  const fork = numbered(18, [
    first({ thread: FORK, from: [segmentOf(2), 18], forkedFrom: THREAD }),
    ...turn("F"),
  ]);

  test("what the next file leaves out is an abandoned branch; that file and a fork lead to the step that they left", async () => {
    const { episodes, diagnostics } = await importThreads({
      [nameOf(THREAD)]: base,
      [nameOf(THREAD, segmentOf(1))]: second,
      [nameOf(THREAD, segmentOf(2))]: third,
      [nameOf(FORK)]: fork,
    });
    expect(diagnostics).toEqual([]);
    const found = episodes.map((episode) => [episode.id, episode.outcome, episode.origin, acts(episode)]);
    const [one, two] = [`${THREAD}~${segmentOf(1)}`, `${THREAD}~${segmentOf(2)}`];
    expect(found).toEqual([
      [THREAD, "unjudged", undefined, ["cmd-A"]],
      [`${THREAD}~branch-1`, "abandoned", { as: "branch", episode: THREAD, t: 1 }, ["cmd-B"]],
      [one, "unjudged", { as: "branch", episode: THREAD, t: 1 }, ["cmd-C"]],
      [`${one}~branch-1`, "abandoned", { as: "branch", episode: one, t: 1 }, ["cmd-D"]],
      [two, "unjudged", { as: "branch", episode: one, t: 1 }, ["cmd-E"]],
      [FORK, "unjudged", { as: "branch", episode: two, t: 1 }, ["cmd-F"]],
    ]);
    expect(episodes.at(-1)?.extra).toMatchObject({ forkedFrom: THREAD });
  });

  test("prompts go on from what the other files tell, without what was taken back", () => {
    const files: [string, string][] = [
      [nameOf(THREAD), base],
      [nameOf(THREAD, segmentOf(1)), second],
      [nameOf(THREAD, segmentOf(2)), third],
    ];
    const threads = threadsOf([
      { segment: THREAD, thread: THREAD },
      { segment: segmentOf(1), thread: THREAD, base: { segment: THREAD, ordinal: 6 } },
      { segment: segmentOf(2), thread: THREAD, base: { segment: segmentOf(1), ordinal: 12 } },
    ]);
    const read = files.map(([file, text]) => {
      const reader = readerOf("codex", { name: file.replace(/\.jsonl$/, ""), ledger: openLedger(), threads });
      text.split("\n").forEach((line, at) => reader.read(JSON.parse(line), at));
      return reader.end().episodes[0];
    });
    const last = read[2]?.prompts?.[0];
    const said = JSON.stringify(last?.talk.slice(0, last.upTo).map(({ content }) => content));
    for (const text of ["Work.", "cmd-A", "out-A", "Done A.", "cmd-C", '"E"']) expect(said).toContain(text);
    for (const text of ["cmd-B", "cmd-D"]) expect(said).not.toContain(text);
  });

  test("alone it has an id of its own, and no prompts", async () => {
    const { episodes, diagnostics } = await importThreads({ [nameOf(THREAD, segmentOf(2))]: third });
    expect(diagnostics).toEqual([]);
    const [episode] = episodes;
    expect(episode).toMatchObject({
      id: `${THREAD}~${segmentOf(2)}`,
      outcome: "unjudged",
      extra: { goesOnFrom: `${THREAD}~${segmentOf(1)}` },
    });
    // Which step it left is not known.
    expect(episode).not.toHaveProperty("origin");
    expect(episode?.steps[0]?.proposals[0]).not.toHaveProperty("messages");
  });

  test("back to the beginning, nothing of the first file stands", async () => {
    const { episodes } = await importThreads({
      // Old sessions are packed.
      [`${nameOf(THREAD)}.zst`]: zstdCompressSync(base),
      [nameOf(THREAD, segmentOf(1))]: numbered(1, [first({ from: [THREAD, 1] }), ...turn("C")]),
    });
    expect(episodes.map(({ id, outcome, origin, length }) => [id, outcome, origin, length])).toEqual([
      [THREAD, "unjudged", undefined, 0],
      [`${THREAD}~branch-1`, "abandoned", { as: "branch", episode: THREAD }, 4],
      [`${THREAD}~${segmentOf(1)}`, "unjudged", { as: "branch", episode: THREAD }, 2],
    ]);
  });

  test("a file that the thread left for an earlier place is abandoned as a whole", async () => {
    const { episodes } = await importThreads({
      [nameOf(THREAD)]: base,
      [nameOf(THREAD, segmentOf(1))]: numbered(11, [first({ from: [THREAD, 11] }), ...turn("C")]),
      [nameOf(THREAD, segmentOf(2))]: numbered(6, [first({ from: [THREAD, 6] }), ...turn("E")]),
    });
    expect(episodes.map((episode) => [episode.outcome, episode.origin?.t, acts(episode)])).toEqual([
      ["unjudged", undefined, ["cmd-A"]],
      ["abandoned", 1, ["cmd-B"]],
      // Where it left is abandoned, too.
      ["abandoned", undefined, ["cmd-C"]],
      ["unjudged", 1, ["cmd-E"]],
    ]);
  });

  test("property: whatever files say that they go on from, every command is a step once", () => {
    const segment = fc.constantFrom(THREAD, segmentOf(1), segmentOf(2), FORK, "none");
    const place = fc.record({ segment, ordinal: fc.oneof(fc.nat(20), fc.double()) });
    const file = fc.record({
      segment,
      thread: fc.constantFrom(THREAD, FORK),
      base: fc.option(place, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: (one) => one.segment, maxLength: 5 }), (all) => {
        const threads = threadsOf(all satisfies readonly ThreadFile[]);
        const found = all.flatMap(({ segment: own, thread, base: from }, n) => {
          const reader = readerOf("codex", { name: own, ledger: openLedger(), threads });
          const rows = [
            first({ thread, ...(from !== undefined && { from: [from.segment, from.ordinal] as const }) }),
            ...turn(`A${n}`),
            ...turn(`B${n}`),
          ];
          rows.forEach((row, at) => reader.read({ ...row, ordinal: at }, at));
          return reader.end().episodes.flatMap(({ episode }) => acts(episode));
        });
        expect(found.toSorted()).toEqual(all.flatMap((_, n) => [`cmd-A${n}`, `cmd-B${n}`]).toSorted());
      }),
      { numRuns: 300 },
    );
  });
});
