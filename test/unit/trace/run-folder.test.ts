import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { createRun } from "../../../src/trace/create-run.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { episode, files, temporaryFolder } from "./support.ts";

const about = {
  id: "r",
  title: "First try",
  domain: "web-search",
  createdAt: "2026-01-01T00:00:00Z",
  source: "hasp",
};

test("a run that was made is opened with its title and its episodes", async () => {
  const folder = `${temporaryFolder()}/runs/one`;
  const run = await createRun(files, folder, about);
  await appendEpisode(files, `${folder}/episodes.jsonl`, episode("a"));
  const opened = await openRun(files, folder);
  expect(opened).toMatchObject({ run, title: "First try", diagnostics: [] });
  expect(opened.index.entries).toHaveLength(1);
});

test("without a run.json the folder gives the title", async () => {
  const folder = `${temporaryFolder()}/runs/one`;
  expect(await openRun(files, `${folder}/`)).toMatchObject({ run: undefined, title: "one", diagnostics: [] });
});

test("a run.json that is none is named, and the episodes are listed all the same", async () => {
  const folder = `${temporaryFolder()}/one`;
  await createRun(files, folder, about);
  await appendEpisode(files, `${folder}/episodes.jsonl`, episode("a"));
  for (const text of ["", "{", "[]", '{"schema":"hasp.run/9"}']) {
    writeFileSync(`${folder}/run.json`, text);
    const opened = await openRun(files, folder);
    expect(opened.diagnostics.map((d) => [d.code, d.severity])).toEqual([["HASP510", "warning"]]);
    expect(opened.index.entries).toHaveLength(1);
  }
});
