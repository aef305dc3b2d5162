import { describe, expect, it } from "vitest";
import { noteKind, noteLabel, notesByEpisode, passesNoteFilter, type Note } from "../../../src/model/note.ts";

const note = (id: string, parts: Partial<Note> = {}): Note => ({
  id,
  when: "2026-01-02T03:04:05.000Z",
  episodeId: "e1",
  kind: "good",
  ...parts,
});

describe("a label", () => {
  it("is one of ours however a person writes it, and else stays their own", () => {
    expect(["Went wrong  here", "went-wrong-here", " GOOD "].map(noteKind)).toEqual([
      "went_wrong_here",
      "went_wrong_here",
      "good",
    ]);
    expect(noteKind(" same  search\nagain ")).toBe("same search again");
    expect(noteLabel("went_wrong_here")).toBe("went wrong here");
    expect(noteLabel("my_own_label")).toBe("my_own_label");
  });
});

describe("the filter by notes", () => {
  const byEpisode = notesByEpisode([
    note("a", { t: 3, kind: "went_wrong_here", text: "Same search" }),
    note("b", { author: "Ada" }),
    note("c", { episodeId: "e2", kind: "question" }),
  ]);
  const passing = (filter: Parameters<typeof passesNoteFilter>[2]): string[] =>
    ["e1", "e2", "e3"].filter((id) => passesNoteFilter({ id }, byEpisode, filter));

  it("lets through what has such a note", () => {
    expect(passing({})).toEqual(["e1", "e2", "e3"]);
    expect(passing({ noted: true })).toEqual(["e1", "e2"]);
    expect(passing({ noted: false })).toEqual(["e3"]);
    expect(passing({ kinds: ["question", "went_wrong_here"] })).toEqual(["e1", "e2"]);
    expect(passing({ text: "same SEARCH" })).toEqual(["e1"]);
    expect(passing({ text: "wrong here" })).toEqual(["e1"]);
    expect(passing({ text: "ada" })).toEqual(["e1"]);
    expect(passing({ kinds: [] })).toEqual([]);
  });

  it("wants label and text in one note", () => {
    expect(passing({ kinds: ["good"], text: "same search" })).toEqual([]);
  });

  it("has the notes of an episode in the order of its steps, those on the whole episode first", () => {
    expect(byEpisode.get("e1")?.map(({ id }) => id)).toEqual(["b", "a"]);
  });
});
