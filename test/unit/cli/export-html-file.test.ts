import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UNJUDGED } from "../../../src/analysis/export-page.ts";
import { writeHtml, type HtmlOptions } from "../../../src/cli/export-html-file.ts";
import { episodeSchema } from "../../../src/model/episode.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import glassworks from "../../fixtures/replay/glassworks.json";
import tramway from "../../fixtures/replay/tramway.json";

const files = nodeFiles();
let folder: string;
let options: HtmlOptions;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "hasp-html-"));
  for (const name of ["export.js", "export.css", "codicon.ttf"])
    await writeFile(path.join(folder, name), `/* ${name} */`);
  for (const episode of [glassworks, tramway])
    await appendEpisode(files, path.join(folder, "episodes.jsonl"), episodeSchema.parse(episode));
  options = { files, output: path.join(folder, "page.html"), viewFolder: folder };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const page = (): Promise<string> => readFile(options.output, "utf8");

test("a run becomes one page with all its episodes, the view and the font", async () => {
  const written = await writeHtml(folder, options);
  expect(written).toMatchObject({ file: options.output, episodes: 2, diagnostics: [] });
  const html = await page();
  expect(written.bytes).toBe(Buffer.byteLength(html));
  expect(html).toContain('id="hasp-episode-1"');
  expect(html).toContain("/* export.js */");
  expect(html).toContain(`base64,${Buffer.from("/* codicon.ttf */").toString("base64")}`);
});

test("one episode by its number, with what somebody else knows about it", async () => {
  const patterns = [{ name: "repeated_search", steps: [1], reason: "the same search twice" }] as const;
  const about = (): Promise<{ patterns: typeof patterns }> => Promise.resolve({ patterns });
  const judges = { ...UNJUDGED, about };
  expect(await writeHtml(folder, { ...options, episode: "2", judges })).toMatchObject({ episodes: 1 });
  const html = await page();
  expect(html).toContain(tramway.id);
  expect(html).not.toContain(glassworks.id);
  expect(html).toContain("the same search twice");
});

test("a line that is no episode is told of and left out", async () => {
  await files.append(path.join(folder, "episodes.jsonl"), new TextEncoder().encode("no episode\n"));
  const written = await writeHtml(folder, options);
  expect(written.episodes).toBe(2);
  expect(written.diagnostics).toHaveLength(1);
});

test.each(["page.txt", ".", "episodes.jsonl"])("a page is not written to %s", async (name) => {
  await expect(writeHtml(folder, { ...options, output: path.join(folder, name) })).rejects.toMatchObject({
    name: "CliError",
    next: expect.stringContaining(".html"),
  });
});

test("without the built view, the person is told so", async () => {
  const missing = writeHtml(folder, { ...options, viewFolder: path.join(folder, "none") });
  await expect(missing).rejects.toMatchObject({
    name: "CliError",
    message: expect.stringContaining("the page"),
  });
});
