import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backtestSkills, type BacktestOrder, type BacktestRun } from "../../../src/app/backtest.ts";
import { configuredSearch, searchOf, type RunSearch } from "../../../src/app/run-corpora.ts";
import { NO_TOOLS } from "../../../src/evaluation/tools-config.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import type { SkillFolder } from "../../../src/skill/read-skill.ts";
import { hashText } from "../../../src/trace/hash.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { search } from "../../support/episodes.ts";
import { episodeOf } from "../analysis/worth/support.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging } = judgingWith(core);
const sample = (await episodesIn(SAMPLE_RUN))[0] as Episode;
let folder = "";
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), "hasp-run-corpus-"))));
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  await rm(folder, { recursive: true });
});

const REWRITES = `import { ProgramFunction, modifyAction } from "hasp";
export default class Pf extends ProgramFunction {
  maxFires = 9;
  shouldActivate(ctx, actionType) { return actionType === "SEARCH"; }
  intervene() { return modifyAction({ arg: "lantern keeper", reason: "r" }); }
}`;
const HARBOUR = { title: "Harbour", text: "Ships rest in the harbour. A lantern hangs there." };
const KEEPER = { title: "Lantern keeper", text: "The lantern keeper was Ada Marl." };
/** Both results of "lantern keeper", the poorer one second. */
const GOOD = [HARBOUR, KEEPER].map((one) => JSON.stringify(one)).join("\n");
const POOR = JSON.stringify(HARBOUR);

interface Made {
  readonly name: string;
  readonly hash?: string;
  readonly retriever?: string;
  readonly corpus?: string;
}

/** A run with one wrong episode that searched for the harbour, and with what its `run.json` says of its search. */
async function runOver(
  { name, hash, retriever = "corpus", corpus = `${name}.jsonl` }: Made,
  usual: RunSearch = {},
) {
  const run = path.join(folder, name);
  await mkdir(run);
  const about = { outcome: "wrong", answer: "Nobody", question: "Who kept it?", gold: ["Ada Marl"] } as const;
  const episode = episodeOf(sample, name, about, [{ action: search("harbour"), observation: "Ships." }]);
  await writeFile(path.join(run, "episodes.jsonl"), `${JSON.stringify(episode)}\n`);
  const searched = hash === undefined ? {} : { corpus: { file: corpus, hash, passages: 2 } };
  const settings = { ...searched, retriever: { kind: retriever, topK: 2 } };
  const json = {
    schema: "hasp.run/1",
    id: name,
    title: name,
    domain: "web-search",
    source: "hasp",
    settings,
  };
  await writeFile(
    path.join(run, "run.json"),
    JSON.stringify({ ...json, createdAt: "2026-01-01T00:00:00.000Z" }),
  );
  const opened = await openRun(nodeFiles(), run);
  return { ...opened, run, ...(await searchOf(opened.run, at, usual)) };
}

const at = async (file: string): Promise<string> => path.join(folder, file);

async function worthOf(runs: readonly BacktestRun[], change: Partial<BacktestOrder> = {}) {
  const [shipped] = (await readFolders(core.compiler, paperSkill("retrieval-failure"))) as [SkillFolder];
  const program = { ...shipped.program!, code: REWRITES, phases: [] };
  const order = { skills: [{ ...shipped, program }], runs, split: undefined, ...change };
  const found = await backtestSkills(
    { signal: new AbortController().signal, ...order },
    judging,
    () => undefined,
  );
  return {
    values: found.value?.skills[0]?.hits.map(({ worth }) => worth?.value),
    diagnostics: found.diagnostics,
  };
}

test("the changed searches of a run are compared in the corpus that it searched", async () => {
  await writeFile(path.join(folder, "own.jsonl"), GOOD);
  const run = await runOver({ name: "own", hash: hashText(GOOD) });
  expect(await worthOf([run])).toEqual({ values: ["helped"], diagnostics: [] });
});

test("as many results count as the run listed, unless the order says how many", async () => {
  const text = [{ ...HARBOUR, text: "lantern keeper lantern keeper lantern keeper" }, KEEPER];
  const corpus = text.map((one) => JSON.stringify({ ...one, title: "" })).join("\n");
  await writeFile(path.join(folder, "two.jsonl"), corpus);
  const run = await runOver({ name: "two", hash: hashText(corpus) });
  expect((await worthOf([run])).values).toEqual(["helped"]);
  expect((await worthOf([run], { topK: 1 })).values).toEqual(["same"]);
});

test("a corpus that has changed, is absent or lies elsewhere is not searched, and the information says what to do", async () => {
  await writeFile(path.join(folder, "changed.jsonl"), GOOD);
  const changed = await runOver({ name: "changed", hash: hashText(POOR) });
  const again = await runOver({ name: "again", hash: hashText(POOR), corpus: "changed.jsonl" });
  const absent = await runOver({ name: "absent", hash: hashText(GOOD) });
  const outside = await runOver({ name: "outside", hash: hashText(GOOD) });
  const elsewhere = { ...outside, corpus: { ...outside.corpus!, path: undefined } };
  const { values, diagnostics } = await worthOf([changed, again, absent, elsewhere]);
  expect(values).toEqual(Array.from({ length: 4 }, () => "not_measured"));
  const next = "Put the file back in its place, or name a corpus with `--corpus`.";
  expect(diagnostics).toMatchObject(
    [/of 2 runs .* has changed/, /There is no file/, /not in the workspace/].map((why) => ({
      code: "HASP598",
      severity: "information",
      message: expect.stringMatching(why) as string,
      next,
    })),
  );
});

test("runs that share a file have it read once", async () => {
  await writeFile(path.join(folder, "shared.jsonl"), GOOD);
  const runs = [
    await runOver({ name: "shared", hash: hashText(GOOD) }),
    await runOver({ name: "sharing", hash: hashText(GOOD), corpus: "shared.jsonl" }),
  ];
  const read: string[] = [];
  const readText: typeof judging.files.readText = (file, most) => {
    if (file.endsWith("shared.jsonl")) read.push(file);
    return nodeFiles().readText(file, most);
  };
  const [shipped] = (await readFolders(core.compiler, paperSkill("retrieval-failure"))) as [SkillFolder];
  const order = { skills: [shipped], runs, split: undefined, signal: new AbortController().signal };
  await backtestSkills(order, { ...judging, files: { ...judging.files, readText } }, () => undefined);
  expect(read.length).toBe(1);
});

test("a named corpus outranks that of the run, and that of hasp.yaml is for runs without one", async () => {
  await writeFile(path.join(folder, "usual.jsonl"), GOOD);
  await writeFile(path.join(folder, "poor.jsonl"), POOR);
  const usual = await configuredSearch({ tools: { ...NO_TOOLS, corpus: "usual.jsonl" } }, at);
  const own = await runOver({ name: "poor", hash: hashText(POOR) }, usual);
  const remote = await runOver({ name: "remote", retriever: "wikipedia", hash: hashText(POOR) }, usual);
  const none = await runOver({ name: "none" }, usual);
  expect((await worthOf([own, remote, none])).values).toEqual(["same", "helped", "helped"]);
  const corpus = await at("usual.jsonl");
  expect((await worthOf([own], { corpus })).values).toEqual(["helped"]);
});

test("a remote retriever of hasp.yaml does not search the corpus beside it", async () => {
  const tools = { ...NO_TOOLS, corpus: "usual.jsonl", retriever: "wikipedia", topK: 3 } as const;
  expect(await configuredSearch({ tools }, at)).toEqual({ topK: 3 });
});

test("a backtest that is aborted while it reads a corpus reports no episode and no complaint", async () => {
  await writeFile(path.join(folder, "large.jsonl"), `${GOOD}\n`.repeat(20_000));
  const stop = new AbortController();
  const run = await runOver({ name: "aborted" });
  stop.abort();
  const { values, diagnostics } = await worthOf([run], {
    corpus: await at("large.jsonl"),
    signal: stop.signal,
  });
  expect({ values, diagnostics }).toEqual({ values: [], diagnostics: [] });
});
