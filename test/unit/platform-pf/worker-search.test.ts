import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Searcher, startSearcher } from "../../../src/platform/worker-search.ts";
import { serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";
import { episode, step } from "../trace/support.ts";

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
let place: string;
beforeAll(async () => {
  bundle = await bundleWorker();
  place = await mkdtemp(path.join(os.tmpdir(), "hasp-search-"));
});
afterAll(async () => {
  await bundle.remove();
  await rm(place, { recursive: true, force: true });
});

const EPISODES = 40;
const NEVER = new AbortController().signal;

/** Some megabytes, of which every episode holds "walton". */
async function writeRun(name: string): Promise<Parameters<Searcher["search"]>[0]> {
  const file = path.join(place, name);
  const written = Array.from({ length: EPISODES }, (_, i) =>
    serialiseEpisode(episode(`e${i}`, { steps: [step(0, "SEARCH", "Walton", "filler ".repeat(30_000))] })),
  );
  await writeFile(file, `${written.join("\n")}\n`);
  let offset = 0;
  const lines = written.map((line, index) => {
    const bytes = Buffer.byteLength(line);
    offset += bytes + 1;
    return { index, offset: offset - bytes - 1, bytes };
  });
  return { file, lines, query: "walton", mostPlaces: 1 };
}

it("searches in a thread, which ends when it is idle and starts again", async () => {
  const ends: Promise<unknown>[] = [];
  const noteWorker = (worker: Worker): void => void ends.push(once(worker, "exit"));
  process.on("worker", noteWorker);
  const searcher = startSearcher({ workerFile: bundle.file, idleMs: 1 });
  const request = await writeRun("idle.jsonl");
  try {
    for (const round of [1, 2]) {
      const hits = await searcher.search(request, NEVER);
      expect(hits.map(({ index }) => index)).toEqual(request.lines.map(({ index }) => index));
      expect(ends).toHaveLength(round);
      await ends.at(-1);
    }
  } finally {
    process.off("worker", noteWorker);
    await searcher.close();
  }
});

it("rejects at once when it is cancelled, and the next search is answered", async () => {
  const searcher = startSearcher({ workerFile: bundle.file });
  const request = await writeRun("cancelled.jsonl");
  try {
    const stop = new AbortController();
    const search = searcher.search(request, stop.signal);
    stop.abort();
    await expect(search).rejects.toMatchObject({ name: "AbortError" });
    expect(await searcher.search({ ...request, query: "nothing of the kind" }, NEVER)).toEqual([]);
  } finally {
    await searcher.close();
  }
});

it("a file that is gone is a failure with words, and a closed thread ends what waits", async () => {
  const searcher = startSearcher({ workerFile: bundle.file });
  const request = await writeRun("gone.jsonl");
  await expect(searcher.search({ ...request, file: path.join(place, "none") }, NEVER)).rejects.toThrow(
    "ENOENT",
  );
  const search = searcher.search(request, NEVER);
  const ended = expect(search).rejects.toThrow("The search ended early");
  await searcher.close();
  await ended;
});
