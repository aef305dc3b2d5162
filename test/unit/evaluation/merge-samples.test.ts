import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeRuns } from "../../../src/evaluation/merge-runs.ts";
import { sampleId } from "../../../src/model/sample.ts";
import { seededRandom, shuffled } from "../../../src/model/random.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { newFolder } from "../../../src/platform/new-folder.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { createRun } from "../../../src/trace/create-run.ts";
import { appendEpisode, encodeEpisode } from "../../../src/trace/episode-file.ts";
import { hashText } from "../../../src/trace/hash.ts";
import { keepLibrary, skillRef, type KeptSkill } from "../../../src/trace/library-store.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { openMessageStore } from "../../../src/trace/message-store.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

const QUESTIONS = ["zoo", "ape", "cat", "dog"];
const QUESTIONS_TEXT = QUESTIONS.map((id) => `${JSON.stringify({ id, question: `${id}?` })}\n`).join("");
const SAMPLES = 3;
const SYSTEM = {
  role: "system",
  content: "Answer the question in as few words as you can, please. ".repeat(2),
} as const;

const skillOf = (name: string): KeptSkill => ({
  skillId: name,
  version: 1,
  priority: 0.5,
  name,
  domain: "web-search",
  skillMd: `# ${name}`,
  pf: undefined,
});

/** One sample of a question, as one of the shards makes it. */
interface Asked {
  readonly id: string;
  readonly sample: number;
  readonly run: number;
}
const ALL = QUESTIONS.flatMap((id) => Array.from({ length: SAMPLES }, (_, i) => ({ id, sample: i + 1 })));

/** A run folder of these samples, in this order; each skill of `skills` acted in all. */
async function runOf(
  place: string,
  name: string,
  asked: readonly Asked[],
  skills: readonly string[] = ["common"],
) {
  const folder = path.join(place, name);
  const file = path.join(place, "questions.jsonl");
  if (!existsSync(file)) writeFileSync(file, QUESTIONS_TEXT);
  await createRun(files, folder, {
    id: name,
    title: name,
    domain: "web-search",
    createdAt: "2026-01-01T00:00:00.000Z",
    source: "hasp",
    settings: { samples: SAMPLES, questions: { file, hash: hashText(QUESTIONS_TEXT) } },
  });
  const kept = skills.map((skill) => skillOf(skill));
  await keepLibrary(files, folder, kept, { sha256, hide: (text) => text });
  const store = await openMessageStore(files, folder, { sha256, redact: (text) => text });
  for (const { id, sample } of asked) {
    const conversation = store.conversation();
    const user = (t: number) =>
      ({ role: "user", content: `${id}? `.repeat(20) + `Sample ${sample}, step ${t}.` }) as const;
    const steps = [step(0, "SEARCH", id), step(1, "FINAL", id)].map((one, t) => ({
      ...one,
      proposals: one.proposals.map((p) => ({ ...p, messages: conversation.read([SYSTEM, user(t)]) })),
    }));
    const library = kept.map((skill) => skillRef(sha256, skill));
    const made = episode(sampleId(id, sample), {
      questionId: id,
      sample,
      question: `${id}?`,
      steps,
      library,
    });
    await appendEpisode(files, runPaths(folder).episodes, made);
  }
  await store.settled();
  return folder;
}

const merge = (folders: readonly string[], output: string) =>
  mergeRuns({ ...files, newFolder }, { folders, output });
const episodesOf = (folder: string): Episode[] =>
  readFileSync(runPaths(folder).episodes, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Episode);
/** Every file of a folder with its bytes; of run.json the name of the folder aside. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map((one) => {
      const at = path.join(one.parentPath, one.name);
      const text = readFileSync(at, "utf8").replaceAll(path.basename(folder), "<merged>");
      return [path.relative(folder, at), text] as const;
    }),
  );
}

describe("hasp merge, of runs with several samples a question", () => {
  it("gives the same bytes however the samples were split and the runs are named", async () => {
    const place = temporaryFolder();
    const whole = await runOf(
      place,
      "whole",
      ALL.map((one) => ({ ...one, run: 0 })),
    );
    const expected = path.join(place, "expected");
    expect(await merge([whole], expected)).toMatchObject({ value: { episodes: 12 }, diagnostics: [] });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: ALL.length, maxLength: ALL.length }),
        fc.nat(),
        async (split, seed) => {
          const random = seededRandom(seed);
          const asked = ALL.map((one, i) => ({ ...one, run: split[i] ?? 0 }));
          const folders: string[] = [];
          for (const run of new Set(split)) {
            const mine = shuffled(
              asked.filter((one) => one.run === run),
              random,
            );
            folders.push(await runOf(place, `part-${++n}`, mine));
          }
          const [one, other] = [path.join(place, `a-${n}`), path.join(place, `b-${n}`)];
          expect((await merge(folders, one)).diagnostics).toEqual([]);
          await merge(folders.toReversed(), other);
          expect(filesOf(one)).toEqual(filesOf(other));
          expect(filesOf(one)).toEqual(filesOf(expected));
        },
      ),
      { numRuns: 8 },
    );
  });

  it("orders by question and then by sample, and the sample of a question stands once", async () => {
    const place = temporaryFolder();
    const asked = ALL.map((one, i) => ({ ...one, run: i % 2 }));
    const a = await runOf(place, "a", asked.filter(({ run }) => run === 0).toReversed());
    const b = await runOf(place, "b", asked);
    const merged = path.join(place, "merged");
    expect((await merge([a, b], merged)).value).toMatchObject({ episodes: 12, repeated: 6 });
    expect(episodesOf(merged).map(({ id }) => id)).toEqual(
      QUESTIONS.flatMap((id) => [`${id}#1`, `${id}#2`, `${id}#3`]),
    );
  });

  it("refuses two different episodes of one sample, and says of which", async () => {
    const place = temporaryFolder();
    const [one] = ALL;
    const a = await runOf(place, "a", [{ ...one, id: "zoo", sample: 2, run: 0 }]);
    const b = await runOf(place, "b", [{ ...one, id: "zoo", sample: 2, run: 1 }]);
    const [found] = episodesOf(b);
    writeFileSync(runPaths(b).episodes, encodeEpisode({ ...(found as Episode), answer: "other" }));
    expect((await merge([a, b], path.join(place, "merged"))).diagnostics).toMatchObject([
      { code: "HASP555", message: expect.stringContaining('sample 2 of the question "zoo"') },
    ]);
  });

  it("says which samples have no episode, and refuses runs of different numbers of samples", async () => {
    const place = temporaryFolder();
    const asked = ALL.map((one) => ({ ...one, run: 0 })).filter(
      (one) => !(one.id === "cat" && one.sample > 1),
    );
    const a = await runOf(place, "a", asked);
    expect((await merge([a], path.join(place, "merged"))).diagnostics).toMatchObject([
      { code: "HASP557", message: '2 samples of questions have no episode, e.g. "cat#2".' },
    ]);
    const b = await runOf(place, "b", []);
    const run = readFileSync(runPaths(b).run, "utf8").replace('"samples": 3', '"samples": 4');
    writeFileSync(runPaths(b).run, run);
    expect((await merge([a, b], path.join(place, "again"))).diagnostics).toMatchObject([
      { code: "HASP552", message: expect.stringContaining("(samples)") },
    ]);
  });
});

describe("hasp merge, of a run.json that somebody else wrote", () => {
  it.each(["1e9", "-3", "2.5", '"many"'])("takes %s samples for one of each question", async (samples) => {
    const folder = await runOf(temporaryFolder(), "a", [{ id: "zoo", sample: 1, run: 0 }]);
    const { run } = runPaths(folder);
    writeFileSync(run, readFileSync(run, "utf8").replace('"samples": 3', `"samples": ${samples}`));
    expect((await merge([folder], path.join(folder, "../merged"))).diagnostics).toMatchObject([
      { code: "HASP557", message: '3 questions have no episode, e.g. "ape".' },
    ]);
  });
});

describe("hasp merge, of what stands beside the episodes", () => {
  const first = [{ id: "zoo", sample: 1, run: 0 }];
  const second = [{ id: "ape", sample: 1, run: 1 }];

  it("carries what every policy read, and no message that no episode refers to", async () => {
    const place = temporaryFolder();
    const a = await runOf(place, "a", [...first, { id: "cat", sample: 1, run: 0 }]);
    const b = await runOf(place, "b", second);
    const kept = episodesOf(a)
      .slice(0, 1)
      .map((one) => encodeEpisode(one));
    writeFileSync(runPaths(a).episodes, Buffer.concat(kept));
    const merged = path.join(place, "merged");
    await merge([a, b], merged);
    const [there, from] = [await openMessages(files, merged), await openMessages(files, a)];
    const ids = episodesOf(a).flatMap(({ steps }) =>
      steps.map(({ proposals: [one] }) => one?.messages ?? ""),
    );
    for (const id of ids) expect(await there.upTo(id)).toEqual(await from.upTo(id));
    // One of the system, and two of each question.
    expect([...there.ids()]).toHaveLength(5);
  });

  it("carries the texts of all libraries", async () => {
    const place = temporaryFolder();
    const a = await runOf(place, "a", first, ["common", "of-a"]);
    const b = await runOf(place, "b", second, ["common", "of-b"]);
    const merged = path.join(place, "merged");
    const { diagnostics } = await merge([a, b], merged);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP557"]);
    const texts = Object.entries(filesOf(merged)).filter(([name]) => name.startsWith("library"));
    expect(texts.map(([, text]) => text).toSorted()).toEqual(["# common", "# of-a", "# of-b"]);
  });

  it("warns of messages and texts that an input lacks, and merges the rest", async () => {
    const place = temporaryFolder();
    const a = await runOf(place, "a", first, ["of-a"]);
    const b = await runOf(place, "b", second, ["of-b"]);
    rmSync(runPaths(a).messages);
    rmSync(runPaths(b).library, { recursive: true });
    const { value, diagnostics } = await merge([a, b], path.join(place, "merged"));
    expect(value).toMatchObject({ episodes: 2 });
    const found = diagnostics.filter(({ code }) => code === "HASP587");
    expect(found.map(({ file, severity, message }) => [file, severity, message.split(" lacks ")[1]])).toEqual(
      [
        [a, "warning", "2 messages that its episodes refer to; the merged run does as well."],
        [b, "warning", "1 skill text that its episodes refer to; the merged run does as well."],
      ],
    );
    expect(found.map(({ next }) => next)).toEqual([
      expect.stringContaining("messages.jsonl"),
      expect.stringContaining("library"),
    ]);
  });

  it("asks nothing of records that kept neither", async () => {
    const place = temporaryFolder();
    const a = await runOf(place, "a", []);
    const library = [{ skillId: "old", version: 1, hash: "0123456789abcd" }];
    mkdirSync(a, { recursive: true });
    for (const id of QUESTIONS)
      for (const sample of [1, 2, 3])
        await appendEpisode(
          files,
          runPaths(a).episodes,
          episode(sampleId(id, sample), { questionId: id, sample, library }),
        );
    const merged = path.join(place, "merged");
    expect((await merge([a], merged)).diagnostics).toEqual([]);
    expect(existsSync(runPaths(merged).messages)).toBe(false);
  });
});
