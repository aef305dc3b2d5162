import { readdirSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeFiles } from "../../../src/platform/files.ts";
import { type Importer, startImporter } from "../../../src/platform/worker-import.ts";
import type { ImportProgress } from "../../../src/trace/import-run.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
let place: string;
beforeAll(async () => {
  bundle = await bundleWorker();
  place = await mkdtemp(path.join(os.tmpdir(), "hasp-import-"));
});
afterAll(async () => {
  await bundle.remove();
  await rm(place, { recursive: true, force: true });
});

const at = (name: string): string => path.join(place, name);

function trial(task: number): string {
  const step = {
    n: 1,
    thought: "Look.",
    action: "Finish",
    arg: "Elbe",
    action_raw: "Finish[Elbe]",
    observation: "",
  };
  const about = {
    source: "reflexion",
    question: `Which river is number ${task}?`,
    gold: "Aller",
    pred: "Elbe",
  };
  return `${JSON.stringify({ ...about, status: "incorrect", steps: [step] })}\n`;
}

async function withImporter<T>(work: (importer: Importer) => Promise<T>, heapMb?: number): Promise<T> {
  const files = nodeFiles();
  const importer = startImporter({ workerFile: bundle.file, files, ...(heapMb !== undefined && { heapMb }) });
  try {
    return await work(importer);
  } finally {
    await importer.close();
  }
}

/** What a caller may see of a document that is larger than the heap, and of what it was asked for. */
async function writeLargeDocument(name: string): Promise<string> {
  const turns = Array.from({ length: 400_000 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: [],
  }));
  await writeFile(at(name), JSON.stringify({ messages: turns }));
  return at(name);
}

it("imports with the progress of the import itself", async () => {
  await writeFile(at("good.jsonl"), Array.from({ length: 300 }, (_, i) => trial(i)).join(""));
  const seen: ImportProgress[] = [];
  await withImporter(async (importer) => {
    expect(await importer.lookAt(at("good.jsonl"))).toMatchObject({ layout: "lines" });
    const request = {
      format: "reflexion" as const,
      sources: [at("good.jsonl")],
      folder: at("good"),
      onProgress: (now: ImportProgress) => seen.push(now),
    };
    expect(await importer.importRun(request)).toMatchObject({
      value: { episodes: 300, outcomes: { wrong: 300 } },
    });
  });
  expect(seen.length).toBeLessThanOrEqual(101);
  expect(seen.at(-1)).toMatchObject({ episodes: 300, readBytes: seen.at(-1)?.totalBytes });
  expect(await readdir(at("good"))).toContain("episodes.jsonl");
});

it("answers findings as the import does", async () => {
  await writeFile(at("broken.jsonl"), `${trial(1)}{"no\n${trial(2)}`);
  await withImporter(async (importer) => {
    const { value, diagnostics } = await importer.importRun({
      format: "reflexion",
      sources: [at("broken.jsonl")],
      folder: at("broken"),
    });
    expect(value?.episodes).toBe(2);
    expect(diagnostics).toMatchObject([{ file: at("broken.jsonl"), range: { start: { line: 1 } } }]);
    expect(await importer.lookAt(at("nowhere.jsonl"))).toMatchObject({ code: "HASP534" });
  });
});

it("looks up the domain and the questions of recorded answers", async () => {
  const rows = [1, 2].map((n) =>
    JSON.stringify({ task_id: `t${n}`, solution: `FINAL[${n}]`, correct: n === 1 }),
  );
  await writeFile(at("answers.jsonl"), rows.join("\n"));
  await writeFile(at("tasks.jsonl"), JSON.stringify({ task_id: "t1", prompt: "Which number?" }));
  await withImporter(async (importer) => {
    expect(await importer.lookAt(at("answers.jsonl"))).toMatchObject({
      format: "answers",
      lacksQuestions: true,
    });
    const order = { sources: [at("answers.jsonl")], folder: at("answers"), domain: "web-search" };
    const { value, diagnostics } = await importer.importRun({ ...order, questions: at("tasks.jsonl") });
    expect(value).toMatchObject({ episodes: 1, outcomes: { correct: 1 }, run: { domain: "web-search" } });
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('("t2") is left out') }]);
  });
});

it("says which file needs too much memory, and leaves nothing of the run", async () => {
  const source = await writeLargeDocument("large.json");
  await withImporter(async (importer) => {
    const asked = importer.importRun({ sources: [source], format: "openai", folder: at("large") });
    await expect(asked).rejects.toMatchObject({
      message: "large.json cannot be imported: it needs more than 24 MB of memory.",
      next: expect.stringContaining("split the file"),
    });
  }, 24);
  expect(await nodeFiles().list(at("large"))).toEqual([]);
});

it("leaves no prompts of the episodes that it had made before it ran out of memory", async () => {
  const chat = (n: number): string =>
    JSON.stringify({
      messages: [
        { role: "user", content: `${"What is ".repeat(200)}${n}?` },
        { role: "assistant", content: "It is." },
      ],
    });
  const large = await readFile(await writeLargeDocument("last.json"), "utf8");
  const rows = Array.from({ length: 3000 }, (_, n) => chat(n));
  await writeFile(at("late.jsonl"), [...rows, large, ""].join("\n"));
  await withImporter(async (importer) => {
    let before: readonly string[] = [];
    const onProgress = (): void => void (before = readdirSync(at("late")));
    const asked = importer.importRun({ sources: [at("late.jsonl")], folder: at("late"), onProgress });
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("64 MB of memory") });
    expect(before).toContain("messages.jsonl");
  }, 64);
  expect(await nodeFiles().list(at("late"))).toEqual([]);
});

it("ends on a cancel with nothing left of the run", async () => {
  const source = await writeLargeDocument("cancelled.json");
  await withImporter(async (importer) => {
    const stop = new AbortController();
    const asked = importer.importRun({ sources: [source], folder: at("cancelled"), signal: stop.signal });
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
  expect(await nodeFiles().list(at("cancelled"))).toEqual([]);
});

it("keeps what to do next of a refusal", async () => {
  await writeFile(at("one.jsonl"), trial(1));
  await symlink(os.tmpdir(), at("linked"));
  await withImporter(async (importer) => {
    const asked = importer.importRun({
      sources: [at("one.jsonl")],
      folder: path.join(at("linked"), "hasp-run"),
    });
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining("is a link"),
      next: expect.stringContaining("hasp links allow"),
    });
  });
});
