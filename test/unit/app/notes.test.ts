import { describe, expect, it } from "vitest";
import { labelEpisode, noteAsCase, notesOf, unlabel } from "../../../src/app/notes.ts";
import { episodeOf, openRunAt, runFolderOf } from "../../../src/app/open-run.ts";
import type { OpenedRunFolder } from "../../../src/trace/run-folder.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { episode, files, temporaryFolder } from "../trace/support.ts";

const services = { files, clock: { now: () => "2026-01-02T03:04:05.000Z" } };
const code = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map((one) => one.code);

async function run(...ids: string[]): Promise<OpenedRunFolder> {
  const folder = temporaryFolder();
  for (const id of ids) await appendEpisode(files, `${folder}/episodes.jsonl`, episode(id));
  const { value } = await openRunAt(files, `${folder}/episodes.jsonl`);
  if (value === undefined) throw new Error("The run was not opened.");
  return value;
}

describe("the run and the episode that a person names", () => {
  it("is the folder of an episodes.jsonl, in either spelling of a path", () => {
    expect(["a/b/episodes.jsonl", "a\\b\\episodes.jsonl", "episodes.jsonl", "a/b"].map(runFolderOf)).toEqual([
      "a/b",
      "a\\b",
      ".",
      "a/b",
    ]);
  });

  it("is found by id before it is found by number, and by position", async () => {
    const opened = await run("2", "other");
    const ids = ["2", "1", "other", 1].map(
      async (wanted) => (await episodeOf(files, opened, wanted)).value?.id,
    );
    expect(await Promise.all(ids)).toEqual(["2", "2", "other", "other"]);
    for (const wanted of ["3", "0", "x", 2, -1])
      expect(code(await episodeOf(files, opened, wanted))).toEqual(["HASP573"]);
    expect(code(await openRunAt(files, temporaryFolder()))).toEqual(["HASP572"]);
  });
});

describe("notes of a run", () => {
  it("are added to an episode or a step that is there, and to no other", async () => {
    const opened = await run("e1");
    const added = await labelEpisode(opened, { episode: 0, t: 0, label: "Good", text: " why \n" }, services);
    expect(added.value).toMatchObject({ episodeId: "e1", t: 0, kind: "good", text: "why" });
    const blank = await labelEpisode(opened, { episode: "e1", label: "good", text: " " }, services);
    expect(blank.value).not.toHaveProperty("text");
    for (const t of [-1, 99])
      expect(code(await labelEpisode(opened, { episode: 0, t, label: "good" }, services))).toEqual([
        "HASP573",
      ]);
    expect((await notesOf(opened, files)).notes).toHaveLength(2);
    expect((await notesOf(opened, files, { t: 0 })).notes).toEqual([added.value]);
  });

  it("are removed and made a case by a beginning of their id that no other has", async () => {
    const opened = await run("e1");
    const { value } = await labelEpisode(opened, { episode: 0, label: "question" }, services);
    const id = value?.id ?? "";
    expect((await noteAsCase(opened, id.slice(0, 6), files)).value?.text).toContain("question, episode e1");
    expect(code(await unlabel(opened, { id: "none" }, services))).toEqual(["HASP574"]);
    expect((await unlabel(opened, { id: id.slice(0, 6) }, services)).value).toEqual(value);
    expect((await notesOf(opened, files)).notes).toEqual([]);
  });

  it("are told of where the run does not have their episode", async () => {
    const opened = await run("e1");
    await labelEpisode(opened, { episode: 0, label: "good" }, services);
    const emptied = { ...opened, index: { ...opened.index, entries: [] } };
    expect(code(await notesOf(emptied, files))).toEqual(["HASP515"]);
    const id = (await notesOf(opened, files)).notes[0]?.id ?? "";
    expect(code(await noteAsCase(emptied, id, files))).toEqual(["HASP573"]);
  });
});
