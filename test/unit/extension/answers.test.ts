import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type * as vscode from "vscode";
import { labelEpisode, notesOf, unlabel } from "../../../src/app/notes.ts";
import { signalsOfEpisode } from "../../../src/app/signals-of-episode.ts";
import { answerCompare } from "../../../src/extension/compare/answer.ts";
import { answerNotes } from "../../../src/extension/notes/answer.ts";
import { answerFacets } from "../../../src/extension/replay/facets.ts";
import { answerSignals } from "../../../src/extension/replay/signals.ts";
import type { NoteStore } from "../../../src/extension/notes/store.ts";
import type { FoundRun } from "../../../src/extension/runs/find-runs.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { connect, type Channel } from "../../../src/protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../../src/protocol/replay.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

/** Two ends of a line that copies what goes over it, as a webview's does. */
function line(): [Channel, Channel] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const end = (mine: number): Channel => ({
    post: (message) => listeners[1 - mine]?.forEach((listener) => listener(structuredClone(message))),
    onMessage: (listener) => void listeners[mine]?.push(listener),
  });
  return [end(0), end(1)];
}

/** The answers ask a URI for its text and nothing else. */
const uriOf = (folder: string): vscode.Uri => ({ toString: () => `file://${folder}` }) as vscode.Uri;

async function foundRun(...episodes: Episode[]): Promise<FoundRun> {
  const folder = temporaryFolder();
  for (const one of episodes) await appendEpisode(files, `${folder}/episodes.jsonl`, one);
  const opened = await openRun(files, folder, { save: false });
  return {
    ...opened,
    file: uriOf(folder),
    counts: { correct: 0, wrong: 0, halted: 0, unjudged: 0, abandoned: 0 },
    hasImportReport: false,
  };
}

async function view() {
  const noop = { skillId: "check_year", proposal: 0, status: "noop", reason: "nothing to add" } as const;
  const early = [step(0, "READ", "d", "page"), { ...step(1, "FINAL", "x"), events: [noop] }];
  const mine = await foundRun(
    episode("a", { questionId: "q", outcome: "wrong" }),
    episode("b", { questionId: "q", steps: early }),
  );
  const other = await foundRun(episode("a", { questionId: "q" }), episode("c"));
  const all = [mine, other];
  const revealed: unknown[] = [];
  const [ofHost, ofView] = line();
  const host = connect<ReplayView, ReplayHost>(ofHost);
  const asker = connect<ReplayHost, ReplayView>(ofView);
  const runs = {
    list: async () => all,
    read: async (file: vscode.Uri) => all.find((run) => run.file === file) ?? mine,
  };
  const clock = { now: () => "2026-01-02T03:04:05.000Z" };
  const followers: (() => void)[] = [];
  const notes: NoteStore = {
    read: () => notesOf(mine, files),
    async add(_run, order) {
      const { value, diagnostics } = await labelEpisode(mine, order, { files, clock });
      if (value === undefined) throw new Error(diagnostics[0]?.message);
      followers.forEach((changed) => changed());
      return value;
    },
    remove: async (_run, id) => void (await unlabel(mine, { id }, { files, clock })),
    follow(_run, changed) {
      followers.push(changed);
      return { dispose: () => undefined };
    },
    dispose: () => undefined,
  };
  const reveal = async (run: vscode.Uri, place: unknown): Promise<void> => void revealed.push(run, place);
  const logged: string[] = [];
  const log = { error: (...said: unknown[]) => void logged.push(said.join(" ")) };
  answerNotes(host, mine.file, { runs, notes, log });
  const skipped = { skillId: "check_year", proposal: 0, status: "skipped", reason: "" } as const;
  const judgement = {
    executed: { type: "READ", arg: "d" },
    injected: [],
    notAsked: [],
  };
  answerFacets(host, mine.file, {
    files,
    runs,
    judged: async () => [
      { ...judgement, t: 0, events: [{ ...skipped, status: "applied" }], diverged: false },
      { ...judgement, t: 1, events: [{ ...skipped, skillId: "late" }], diverged: true },
    ],
  });
  answerCompare(host, mine.file, { files, runs, reveal });
  return { asker, mine, other, revealed, logged };
}

describe("what the replay view asks about notes", () => {
  it("adds, tells of the change, reads and removes", async () => {
    const { asker } = await view();
    let changes = 0;
    asker.on("notesChanged", () => changes++);
    const added = await asker.request("addNote", { index: 0, t: 1, kind: "went wrong here", text: "" });
    expect(added).toMatchObject({ episodeId: "a", t: 1, kind: "went_wrong_here" });
    expect(added).not.toHaveProperty("text");
    expect(await asker.request("readNotes", {})).toEqual({ notes: [added], diagnostics: [] });
    await asker.request("removeNote", { id: added.id });
    expect((await asker.request("readNotes", {})).notes).toEqual([]);
    expect(changes).toBe(1);
  });

  it("says which file of notes cannot be read, what to do, and leaves a line in the log", async () => {
    const { asker, mine, logged } = await view();
    mkdirSync(`${mine.folder}/notes.jsonl`);
    const failure = await asker.request("readNotes", {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      next: expect.stringContaining("notes.jsonl is a file that you may read"),
    });
    expect(logged).toMatchObject([expect.stringContaining("could not be read")]);
  });

  it("refuses a step or an episode that is not there", async () => {
    const { asker } = await view();
    await expect(asker.request("addNote", { index: 0, t: 2, kind: "good" })).rejects.toThrow("no step 3");
    await expect(asker.request("addNote", { index: 9, kind: "good" })).rejects.toThrow("no such episode");
  });
});

describe("The signals of an episode", () => {
  it("are computed once while the episode is kept", async () => {
    const [ofHost, ofView] = line();
    const kept = episode("a");
    let computed = 0;
    answerSignals(connect<ReplayView, ReplayHost>(ofHost), files, {
      folder: async () => (computed++, temporaryFolder()),
      episodeAt: async () => kept,
    });
    const asker = connect<ReplayHost, ReplayView>(ofView);
    const shown = await asker.request("signals", { index: 0 });
    expect(shown).toEqual(await signalsOfEpisode(files, temporaryFolder(), kept));
    expect(shown.steps.map(({ executed }) => executed.type)).toEqual(["SEARCH", "FINAL"]);
    expect(await asker.request("signals", { index: 0 })).toEqual(shown);
    expect(computed).toBe(1);
  });

  it("are computed again after a failure", async () => {
    const [ofHost, ofView] = line();
    const kept = episode("a");
    let isBroken = true;
    answerSignals(connect<ReplayView, ReplayHost>(ofHost), files, {
      folder: async () => {
        if (isBroken) throw new Error("no folder");
        return temporaryFolder();
      },
      episodeAt: async () => kept,
    });
    const asker = connect<ReplayHost, ReplayView>(ofView);
    await expect(asker.request("signals", { index: 0 })).rejects.toThrow("no folder");
    isBroken = false;
    expect((await asker.request("signals", { index: 0 })).steps).toHaveLength(2);
  });
});

describe("what the replay view asks about other runs", () => {
  it("gets what whole episodes show a page at a time: patterns, and what PFs did when they were recorded", async () => {
    const { asker } = await view();
    const page = await asker.request("readFacets", { from: 1, count: 50, today: false });
    expect(page).toMatchObject([
      {
        index: 1,
        patterns: [{ name: "premature_final", steps: [1] }],
        recorded: [{ skillId: "check_year", statuses: ["noop"], fired: [1] }],
      },
    ]);
    expect(page[0]).not.toHaveProperty("today");
    expect(await asker.request("readFacets", { from: 5, count: 5, today: false })).toEqual([]);
  });

  it("gets what today's library would do, up to where it would have changed the path", async () => {
    const { asker } = await view();
    const [first] = await asker.request("readFacets", { from: 0, count: 1, today: true });
    expect(first?.today).toEqual([{ skillId: "check_year", statuses: ["applied"], fired: [0] }]);
  });

  it("gets runs and episodes to compare with, and the comparison", async () => {
    const { asker, other } = await view();
    const run = other.file.toString();
    expect(await asker.request("comparableRuns", {})).toMatchObject([
      { run, episodes: 2, shared: 1, byText: 0 },
    ]);
    const episodes = await asker.request("comparableEpisodes", { index: 0 });
    expect(episodes.map(({ head, isThisRun, index }) => [head.id, isThisRun, index])).toEqual([
      ["b", true, 1],
      ["a", false, 0],
    ]);
    const compared = await asker.request("compareRuns", { run, measured: true });
    expect(compared.comparison.verdicts).toMatchObject({ won: 1, only_b: 1 });
    expect(compared.comparison.measures.searches?.a.sum).toBe(1);
    const { comparison, other: theirs } = await asker.request("compareEpisodes", {
      index: 1,
      other: { run, index: 0 },
    });
    expect(theirs.id).toBe("a");
    expect(comparison.firstDivergence).toBe(0);
  });

  it("opens a step in another run, and no file that is no run", async () => {
    const { asker, other, revealed } = await view();
    await asker.request("openEpisode", { run: other.file.toString(), index: 1, t: 0 });
    expect(revealed).toEqual([other.file, { index: 1, t: 0 }]);
    const elsewhere = { run: "file:///etc", index: 0 };
    await expect(asker.request("compareEpisodes", { index: 0, other: elsewhere })).rejects.toThrow(
      "not there",
    );
    await expect(asker.request("openEpisode", { ...elsewhere, t: 0 })).rejects.toThrow("not there");
  });
});
