import { appendFileSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { appendEpisode, readEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { sidecarPath } from "../../../src/trace/run-paths.ts";
import type { TraceFiles } from "../../../src/trace/ports.ts";
import { episode, files, temporaryFolder } from "./support.ts";

const newFile = (): string => `${temporaryFolder()}/episodes.jsonl`;
const line = (id: string): string => `${serialiseEpisode(episode(id))}\n`;
const ids = async (path: string): Promise<string[]> =>
  (await openIndex(files, path)).entries.map((entry) => entry.head.id);

/** Counts the bytes of the episode file that are scanned. */
function counting(path: string): { port: TraceFiles; scanned: () => number } {
  let scanned = 0;
  const port: TraceFiles = {
    ...files,
    chunks(asked, from, to) {
      if (asked === path) scanned += to - from;
      return files.chunks(asked, from, to);
    },
  };
  return { port, scanned: () => scanned };
}

test("what was appended is read back, and the list shows it without reading it", async () => {
  const path = newFile();
  const long = episode("b", { question: "x".repeat(500), outcome: "wrong" });
  await appendEpisode(files, path, episode("a"));
  await appendEpisode(files, path, long, { sync: true });
  const index = await openIndex(files, path);
  expect(index.diagnostics).toEqual([]);
  expect(index.entries[1]?.head).toEqual({
    id: "b",
    questionId: "q-b",
    sample: 1,
    outcome: "wrong",
    length: 2,
    question: `${"x".repeat(199)}…`,
  });
  expect(await readEpisode(files, index, 1)).toEqual({ value: long, diagnostics: [] });
  await expect(readEpisode(files, index, 2)).rejects.toThrow(RangeError);
});

test("the index fields stand in front, in the order of the schema", () => {
  const reordered = Object.fromEntries(Object.entries(episode("a")).toReversed());
  expect(serialiseEpisode(reordered as ReturnType<typeof episode>)).toMatch(
    /^\{"schema":"hasp.episode\/2","id":"a","questionId":"q-a","sample":1,"outcome":"correct","length":2,"question":"Who was it\?","source"/,
  );
});

test("an absent file is an empty list", async () => {
  expect((await openIndex(files, newFile())).entries).toEqual([]);
});

test("a line that is cut, foreign or no JSON is named with its number, and the others go on", async () => {
  const path = newFile();
  const whole = line("a");
  writeFileSync(
    path,
    [
      whole,
      `${whole.slice(0, 150)}\n`,
      "not json\n",
      '{"no": "json",}\n',
      '{"schema":"other/2","id":"z"}\n',
      whole.replace('"length":2', '"length":"two"'),
      "\n",
      line("b").replace("\n", "\r\n"),
      line("c").slice(0, -40),
    ].join(""),
  );
  const index = await openIndex(files, path);
  expect(index.entries.map((entry) => [entry.head.id, entry.line])).toEqual([
    ["a", 0],
    ["b", 7],
  ]);
  const found = index.diagnostics.map((d) => [d.code, d.range.start.line, d.message.split(":")[0]]);
  expect(found).toEqual([
    ["HASP501", 1, "Line 2"],
    ["HASP501", 2, "Line 3"],
    ["HASP501", 3, "Line 4"],
    ["HASP502", 4, "Line 5"],
    ["HASP503", 5, "Line 6"],
    ["HASP501", 8, "Line 9"],
  ]);
  expect(index.diagnostics.every((d) => d.next !== "" && d.file === path)).toBe(true);
  // From the sidecar the same is told again.
  expect(await openIndex(files, path)).toEqual(index);
});

test("an episode that another program wrote, with spaces and in another order, is listed as well", async () => {
  const path = newFile();
  const big = episode("big", { prelude: "y".repeat(20_000) });
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(big).toReversed()));
  const spaced = JSON.stringify(episode("spaced"), undefined, 1).replaceAll("\n", " ");
  writeFileSync(path, `\uFEFF${line("a")}${reordered}\n${spaced}\n${line("z")}`);
  const index = await openIndex(files, path);
  expect(index.entries.map((entry) => entry.head.id)).toEqual(["a", "big", "spaced", "z"]);
  expect((await readEpisode(files, index, 1)).value).toEqual(big);
});

test("an episode whose content is wrong is listed, and reading it says what is wrong and where", async () => {
  const path = newFile();
  const bad = serialiseEpisode(episode("bad")).replace('"observation":"somebody"', '"observation":7');
  const short = serialiseEpisode(episode("short")).replace('"length":2', '"length":3');
  writeFileSync(path, `${line("a")}${bad}\n${short}\n`);
  const index = await openIndex(files, path);
  const first = await readEpisode(files, index, 1);
  expect(first.value).toBeUndefined();
  expect(first.diagnostics[0]?.message).toContain(
    "Line 2: the episode does not fit hasp.episode/2: `steps.0.observation`",
  );
  const second = await readEpisode(files, index, 2);
  expect(second.diagnostics[0]?.message).toContain("`length` is 3, but there are 2 steps");
});

test("lines of 10 MB are indexed and read", async () => {
  const path = newFile();
  const big = episode("big", { question: "é".repeat(5_000_000) });
  await appendEpisode(files, path, big);
  await appendEpisode(files, path, episode("after"));
  const index = await openIndex(files, path);
  expect(index.entries.map((entry) => entry.head.id)).toEqual(["big", "after"]);
  expect(index.entries[0]?.head.question).toBe(`${"é".repeat(199)}…`);
  expect((await readEpisode(files, index, 0)).value?.question.length).toBe(5_000_000);
});

test("a file that grew is scanned only from where the index ended", async () => {
  const path = newFile();
  const start = Array.from({ length: 50 }, (_, i) => line(`e${i}`)).join("");
  writeFileSync(path, start);
  await openIndex(files, path);
  appendFileSync(path, line("new"));
  const { port, scanned } = counting(path);
  const index = await openIndex(port, path);
  expect(index.entries).toHaveLength(51);
  expect(index.entries[50]?.line).toBe(50);
  expect(scanned()).toBe(line("new").length);
  expect((await readEpisode(files, index, 50)).value?.id).toBe("new");
});

test("a last line that was still being written is looked at again", async () => {
  const path = newFile();
  const second = line("b");
  writeFileSync(path, line("a") + second.slice(0, 100));
  const before = await openIndex(files, path);
  expect(before.diagnostics.map((d) => d.code)).toEqual(["HASP501"]);
  appendFileSync(path, second.slice(100));
  const after = await openIndex(files, path);
  expect(after.diagnostics).toEqual([]);
  expect(after.entries.map((entry) => entry.head.id)).toEqual(["a", "b"]);
});

test("an append after a cut line loses only the cut one", async () => {
  const path = newFile();
  writeFileSync(path, line("a") + line("b").slice(0, 100));
  await appendEpisode(files, path, episode("c"));
  expect(await ids(path)).toEqual(["a", "c"]);
});

test("appends at the same time take turns: a line half written is not taken for a torn one", async () => {
  const path = newFile();
  /** Shows the file as another writer may see it: each line arrives in two parts. */
  const slow: TraceFiles = {
    ...files,
    append: async (file, data, options) => {
      const middle = Math.floor(data.length / 2);
      await files.append(file, data.subarray(0, middle), options);
      await new Promise((resolve) => setImmediate(resolve));
      await files.append(file, data.subarray(middle), options);
    },
  };
  const ids = Array.from({ length: 20 }, (_, i) => `e${i}`);
  await Promise.all(ids.map((id) => appendEpisode(slow, path, episode(id))));
  expect(readFileSync(path, "utf8")).toBe(ids.map(line).join(""));
});

test("a sidecar of another file, of a shorter file, or damaged, is not believed", async () => {
  const path = newFile();
  writeFileSync(path, line("a") + line("b"));
  await openIndex(files, path);
  const good = readFileSync(sidecarPath(path));
  const past = new Date(1_600_000_000_000);

  writeFileSync(path, line("x") + line("y"));
  utimesSync(path, past, past);
  expect(await ids(path)).toEqual(["x", "y"]);

  truncateSync(path, line("x").length);
  expect(await ids(path)).toEqual(["x"]);

  const kept = statSync(path).mtimeMs;
  for (const damage of [
    good.subarray(0, 50),
    Buffer.from("\0\0"),
    Buffer.from('{"schema":"hasp.index/1"}\n[[1]]\n'),
  ]) {
    writeFileSync(sidecarPath(path), damage);
    expect(await ids(path)).toEqual(["x"]);
  }
  expect(statSync(path).mtimeMs).toBe(kept);
});

test("a sidecar that names no text where text belongs, or places outside the file, is not believed", async () => {
  const path = newFile();
  writeFileSync(path, line("a"));
  await openIndex(files, path);
  const good = readFileSync(sidecarPath(path), "utf8");
  for (const [from, to] of [
    ['"a"', "7"],
    ["[[0,", "[[-1,"],
    ["[[0,", "[[900,"],
    ['"correct"', '"fine"'],
  ] as const) {
    writeFileSync(sidecarPath(path), good.replace(from, to));
    expect(await ids(path)).toEqual(["a"]);
  }
});

test("a million foreign lines are counted, not kept", async () => {
  const path = newFile();
  writeFileSync(path, "x\n".repeat(1_000_000) + line("a"));
  const index = await openIndex(files, path);
  expect(index.entries).toHaveLength(1);
  expect(index.diagnostics).toHaveLength(1_001);
  expect(index.diagnostics.at(-1)?.message).toContain("999000 more findings");
});

test("an aborted index rejects and writes no sidecar", async () => {
  const path = newFile();
  writeFileSync(path, line("a"));
  await expect(openIndex(files, path, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  expect(await files.exists(sidecarPath(path))).toBe(false);
});

const words = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 300 }));

test("property: the nth read is the nth append, whatever the texts", async () => {
  const texts = fc.array(fc.record({ question: words, thought: words, id: words.filter((s) => s !== "") }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const path = newFile();
      const written = given.map(({ id, question, thought }) => episode(id, { question, prelude: thought }));
      for (const one of written) await appendEpisode(files, path, one);
      const index = await openIndex(files, path);
      expect(index.diagnostics).toEqual([]);
      for (const [n, one] of written.entries()) {
        expect((await readEpisode(files, index, n)).value).toEqual(one);
        expect(index.entries[n]?.head.id).toBe(one.id);
      }
      expect(await openIndex(files, path)).toEqual(index);
    }),
    { numRuns: 60 },
  );
});

test("property: no bytes make the index throw, and every line is an entry, blank or a finding", async () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom(
          "\n",
          "\r\n",
          "{}",
          '{"schema":"hasp.episode/1"}',
          line("a"),
          line("a").slice(0, 80),
          "[1}",
        )
        .map((s) => Buffer.from(s)),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, async (given) => {
      const path = newFile();
      writeFileSync(path, Buffer.concat(given));
      const index = await openIndex(files, path);
      const lines = Buffer.concat(given).toString("latin1").split("\n");
      const visible = lines.filter((one) => /[^ \r\t]/.test(one)).length;
      expect(index.entries.length + index.diagnostics.length).toBe(visible);
      for (let n = 0; n < index.entries.length; n++) await readEpisode(files, index, n);
    }),
    { numRuns: 150 },
  );
});
