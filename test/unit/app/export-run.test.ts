import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import {
  exportDocuments,
  exportPage,
  type PageOrder,
  type WrittenPage,
} from "../../../src/app/export-run.ts";
import { openRunAt } from "../../../src/app/open-run.ts";
import { signalsOfEpisode } from "../../../src/app/signals-of-episode.ts";
import type { Checked } from "../../../src/model/diagnostic.ts";
import { episodeSchema, type Episode } from "../../../src/model/episode.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { unpackSignals, type PackedSignals } from "../../../src/protocol/packed-signals.ts";
import { readPageBundle, sha256Base64 } from "../../../src/platform/page-bundle.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { openCore, readFolders, SAMPLE_SKILLS } from "../../support/core.ts";
import glassworks from "../../fixtures/replay/glassworks.json";
import tramway from "../../fixtures/replay/tramway.json";

const files = nodeFiles();
const core = openCore();
afterAll(() => core.compiler.close());
let folder: string;
let output: string;
let closed: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "hasp-html-"));
  output = path.join(folder, "page.html");
  closed = 0;
  for (const name of ["export.js", "export.css", "formulas.js", "python.js", "codicon.ttf"])
    await writeFile(path.join(folder, name), `/* ${name} */`);
  for (const episode of [glassworks, tramway])
    await appendEpisode(files, path.join(folder, "episodes.jsonl"), episodeSchema.parse(episode));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function opened() {
  const { value } = await openRunAt(files, folder);
  if (value === undefined) throw new Error("There is no run.");
  return value;
}

async function exported(order: Partial<PageOrder> = {}, view = folder): Promise<Checked<WrittenPage>> {
  const services = {
    ...core,
    startHost: () => ({ ...core.host, close: async () => void closed++ }),
    files,
    clock: { now: () => "2026-01-02T03:04:05.000Z" },
    readBundle: () => readPageBundle(view),
    sha256: sha256Base64,
    signal: new AbortController().signal,
    on: () => undefined,
  };
  return exportPage({ run: await opened(), output, skills: undefined, ...order }, services);
}

const page = (): Promise<string> => readFile(output, "utf8");

test("a run becomes one page with all its episodes, the view and the font", async () => {
  const { value, diagnostics } = await exported();
  const html = await page();
  expect(value).toEqual({ file: output, episodes: 2, bytes: Buffer.byteLength(html) });
  expect(diagnostics).toEqual([]);
  expect(html).toContain('id="hasp-episode-1"');
  const [, second = ""] = /id="hasp-episode-1">(.*?)<\/script>/.exec(html) ?? [];
  const { signals, episode } = JSON.parse(second) as { signals: PackedSignals; episode: Episode };
  expect(unpackSignals(signals, episode)).toEqual(await signalsOfEpisode(files, folder, episode));
  expect(html).toContain("/* export.js */");
  expect(html).toContain(`base64,${Buffer.from("/* codicon.ttf */").toString("base64")}`);
});

test("one episode by its number", async () => {
  expect((await exported({ episode: "2" })).value).toMatchObject({ episodes: 1 });
  const html = await page();
  expect(html).toContain(tramway.id);
  expect(html).not.toContain(glassworks.id);
  expect((await exported({ episode: "3" })).diagnostics).toMatchObject([{ code: "HASP573" }]);
});

test("with a library the page holds what it decides, and its sandbox ends", async () => {
  const recorded = (await exported()).value?.bytes ?? 0;
  expect(closed).toBe(0);
  const skills = await readFolders(core.compiler, SAMPLE_SKILLS);
  expect((await exported({ skills })).value?.bytes).toBeGreaterThan(recorded);
  expect(closed).toBe(1);
  expect(await page()).toContain("2026-01-02T03:04:05.000Z");
});

test("an episode of an unregistered domain has step contexts, and is judged as one of agent", async () => {
  const episode = episodeSchema.parse(glassworks);
  const stranger = { ...episode, facts: { ...episode.facts, domain: "cookery" } };
  await writeFile(path.join(folder, "episodes.jsonl"), "");
  await appendEpisode(files, path.join(folder, "episodes.jsonl"), stranger);
  const skills = await readFolders(core.compiler, SAMPLE_SKILLS);
  expect((await exported({ skills })).value).toMatchObject({ episodes: 1 });
  const [, json = "{}"] = /<script[^>]*id="hasp-episode-0"[^>]*>(.*?)<\/script>/s.exec(await page()) ?? [];
  const { contexts, judged } = JSON.parse(json) as Record<string, unknown>;
  expect(contexts).toHaveLength(episode.steps.length);
  expect(judged).toMatchObject({ marks: episode.steps.map(({ t }) => ({ t })) });
});

test("a line that is no episode is told of and left out", async () => {
  await files.append(path.join(folder, "episodes.jsonl"), new TextEncoder().encode("no episode\n"));
  const { value, diagnostics } = await exported();
  expect(value?.episodes).toBe(2);
  expect(diagnostics).toHaveLength(1);
});

test.each(["page.txt", ".", "episodes.jsonl"])("a page is not written to %s", async (name) => {
  const { value, diagnostics } = await exported({ output: path.join(folder, name) });
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: "HASP576", next: expect.stringContaining(".html") }]);
});

test("without the built view, the person is told so", async () => {
  await expect(exported({}, path.join(folder, "none"))).rejects.toMatchObject({
    name: "FileError",
    message: expect.stringContaining("the page"),
    next: "Install HASP again.",
  });
});

test("documents go into a folder, one for each episode, or one into a file", async () => {
  const run = await opened();
  const order = { run, version: "1.0.0" };
  const all = await exportDocuments({ ...order, output: `${folder}/out/` }, files);
  expect(all.value?.map(({ file }) => path.relative(folder, file).split(path.sep).join("/"))).toEqual([
    `out/${glassworks.id}.json`,
    `out/${tramway.id}.json`,
  ]);
  const one = await exportDocuments({ ...order, output: `${folder}/one.json`, episode: "1" }, files);
  expect(one.value).toMatchObject([{ file: `${folder}/one.json`, episode: glassworks.id }]);
  const neither = await exportDocuments({ ...order, output: `${folder}/two.json` }, files);
  expect(neither.diagnostics).toMatchObject([{ code: "HASP577" }]);
});
