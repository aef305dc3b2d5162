import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openLibrary } from "../../../src/analysis/library.ts";
import { libraryOf, recordedLibrary } from "../../../src/app/recorded-library.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { keepLibrary, keptFolder, skillRef } from "../../../src/trace/library-store.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { openCore, readFolders } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";
import { final, play } from "../../support/episodes.ts";

const core = openCore();
const files = nodeFiles();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));
let base = "";
beforeEach(async () => void (base = await mkdtemp(path.join(tmpdir(), "hasp-recorded-"))));
afterEach(() => rm(base, { recursive: true }));

/** A run folder with the shipped library, and that library as it was loaded. */
async function runWith(hide = (text: string): string => text) {
  const folder = path.join(base, "run");
  const library = await openLibrary(await readFolders(core.compiler, ...PAPER), core.host);
  await mkdir(folder);
  await keepLibrary(files, folder, library.kept, { sha256, hide });
  const refs = library.kept.map((skill) => skillRef(sha256, skill));
  const run = { schema: "hasp.run/1", id: "r", title: "r", domain: "web-search", source: "hasp" };
  const settings = { library: refs };
  await writeFile(
    `${folder}/run.json`,
    JSON.stringify({ ...run, createdAt: "2026-01-01T00:00:00Z", settings }),
  );
  await writeFile(`${folder}/episodes.jsonl`, "");
  return { folder, library, refs };
}

const readBack = async (folder: string) =>
  recordedLibrary(await openRun(files, folder), { files, compiler: core.compiler, sha256 });

test("a copied run folder gives the very library of its run", async () => {
  const { folder, library } = await runWith();
  const copy = path.join(base, "elsewhere");
  await cp(folder, copy, { recursive: true });
  await rm(folder, { recursive: true });
  const { value = [], diagnostics } = await readBack(copy);
  expect(diagnostics).toEqual([]);
  const again = await openLibrary(value, core.host);
  const seen = ({ skills, active, kept }: typeof library) => [
    skills.map(({ skill, promptOnly, domain }) => [skill, promptOnly, domain]),
    active.map(({ program, traits, domain }) => [program.code, traits, domain]),
    kept,
  ];
  expect(seen(again)).toEqual(seen(library));
});

test("texts that were not copied are refused", async () => {
  const { folder, refs } = await runWith();
  await rm(keptFolder(folder, refs[0]?.hash ?? "") ?? "", { recursive: true });
  const { value, diagnostics } = await readBack(folder);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP593"]);
});

test("a link that leads out of the run folder is not followed", async () => {
  const { folder, refs } = await runWith();
  const root = keptFolder(folder, refs[0]?.hash ?? "") ?? "";
  const outside = path.join(base, "outside");
  await cp(root, outside, { recursive: true });
  await rm(root, { recursive: true });
  await symlink(outside, root);
  const { value, diagnostics } = await readBack(folder);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP593"]);
});

test("an edited text does not fit its hash", async () => {
  const { folder, library, refs } = await runWith();
  const [skill] = library.kept;
  const root = keptFolder(folder, refs[0]?.hash ?? "") ?? "";
  await writeFile(`${root}/${skill?.domain}/${skill?.name}/pf.ts`, "// another");
  const { value, diagnostics } = await readBack(folder);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP594"]);
});

test("an old record, whose hashes have no texts, says so", async () => {
  const { folder } = await runWith();
  const ports = { files, compiler: core.compiler, sha256 };
  const old = { skillId: "retrieval_failure", version: 1, hash: "0123456789abcd" };
  const { value, diagnostics } = await libraryOf(folder, [old], ports);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["HASP593", "The run folder has no texts of retrieval_failure: an old record keeps hashes alone."],
  ]);
  const noHash = await libraryOf(folder, [{ ...old, hash: "../../etc" }], ports);
  expect(noHash.diagnostics.map(({ code }) => code)).toEqual(["HASP593"]);
});

test("episodes that ran with other skills are counted", async () => {
  const { folder, refs } = await runWith();
  const episode = await play({ script: [final("Jane Doe")] });
  for (const library of [refs, refs.toReversed(), refs.slice(1)])
    await appendEpisode(files, `${folder}/episodes.jsonl`, { ...episode, library });
  const { value, diagnostics } = await readBack(folder);
  expect(value).toHaveLength(refs.length);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["HASP596", "1 episode of 3 ran with other skills than those that judge here."],
  ]);
});
