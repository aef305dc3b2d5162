import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runQuestionsOf, type RunOrder } from "../../../src/app/run/questions.ts";
import { resumeOrder } from "../../../src/app/run/resume.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { chooseControl } from "../../../src/evaluation/choose-control.ts";
import { parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";
import { DEFAULT_SAMPLING } from "../../../src/model/sampling.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { readMaterials } from "../../../src/trace/judging-store.ts";
import { readRun } from "../../../src/trace/run-folder.ts";
import { episodesIn, openCore } from "../../support/core.ts";
import { scriptedServices } from "../../support/scripted-run.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";

vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate: added } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...REGISTERED, added] };
});

const files = nodeFiles();
const core = openCore();
let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-estimate-"));
});
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close(), rm(root, { recursive: true, force: true })]);
});

async function run(order: Pick<RunOrder, "questions" | "dataset" | "split" | "folder" | "resume">) {
  await writeFile(path.join(root, "script.json"), JSON.stringify(["Answer: 41.6", "Answer: 1"]));
  return runQuestionsOf(
    {
      ...order,
      domain: estimate,
      choice: chooseControl({ domain: estimate }).value,
      remarks: [],
      policy: { spec: "scripted:script.json" },
      teacher: undefined,
      sampling: DEFAULT_SAMPLING,
      samples: 1,
      // As a caller may give them; nothing of them is applied.
      tools: { retriever: "wikipedia", language: "en", concurrency: 1, topK: 3 },
      maxDollars: undefined,
      corpus: undefined,
      concurrency: 1,
    },
    scriptedServices(core, root, async () => []),
    { signal: new AbortController().signal, on: () => undefined },
  );
}

it("A run of a data set of CSV is judged by its material, and its run.json tells of no retriever", async () => {
  const csv = path.join(root, "heights.csv");
  await writeFile(csv, "Rank,Peak,Metres,Off\n1,Hill,42,0.5\n2,Mound,3,0.5\n");
  const folder = path.join(root, "run");
  const order = {
    questions: { name: "heights.csv", path: csv },
    dataset: "heights",
    split: undefined,
    folder,
  };
  const { value, diagnostics } = await run({ ...order, resume: false });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(value?.summary.finished).toBe(2);
  expect((await episodesIn(folder)).map(({ question, outcome }) => [question, outcome])).toEqual([
    ["How high is Hill, in metres?", "correct"],
    ["How high is Mound, in metres?", "wrong"],
  ]);
  expect([...(await readMaterials(files, folder))]).toEqual([
    ["1", "0.5"],
    ["2", "0.5"],
  ]);
  expect(await readFile(path.join(folder, "run.json"), "utf8")).not.toMatch(/retriever|corpus|wikipedia/);
  const recorded = resumeOrder((await readRun(files, folder)).run);
  expect(recorded).toMatchObject({ domainName: "estimate", dataset: "heights", corpus: undefined });
  expect((await run({ ...order, resume: true })).value).toMatchObject({ skipped: 2 });
});

it("hasp.yaml may name tools that a domain without searches does not have, and nobody is told of them", () => {
  const text = "tools: { retriever: wikipedia, corpus: c.jsonl }\nbudgets: { max_search_calls: 0 }";
  const { value: config } = parseWorkspaceConfig(text, "hasp.yaml");
  const { value, diagnostics } = chooseControl({ config, domain: estimate });
  expect(diagnostics).toEqual([]);
  expect(value.places.has("retriever")).toBe(false);
  expect(chooseControl({ config, domain: webSearch }).diagnostics).toHaveLength(2);
});

it("A run of a data set that no domain knows is refused before anything is written", async () => {
  const questions = path.join(root, "q.jsonl");
  await writeFile(questions, '{"id":"a","question":"A?"}\n');
  const folder = path.join(root, "none");
  const { value, diagnostics } = await run({
    questions: { name: "q.jsonl", path: questions },
    dataset: "towers",
    split: undefined,
    folder,
    resume: false,
  });
  expect(value).toBeUndefined();
  expect(diagnostics.at(-1)).toMatchObject({ code: "HASP560", message: 'No data set is called "towers".' });
  expect(await files.exists(folder)).toBe(false);
});
