import { REGISTERED } from "../../../src/domains/registered.ts";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_NOTE_CHARS, NOTE_SCHEMA, type NoteLine } from "../../../src/model/note.ts";
import { addNote, readNotes, removeNote } from "../../../src/trace/notes.ts";
import { caseOfNote, renderNoteCase } from "../../../src/trace/notes-case.ts";
import { foldNotes, strayNotes, type ReadNotes } from "../../../src/trace/notes-fold.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { contextAt } from "../../../src/trace/context-at.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { episode, files, step, temporaryFolder } from "./support.ts";

const clock = { now: () => "2026-01-02T03:04:05.000Z" };
const codes = ({ diagnostics }: ReadNotes): string[] => diagnostics.map(({ code }) => code);

function fold(lines: readonly string[]): ReadNotes {
  const folding = foldNotes("notes.jsonl");
  lines.forEach((text, line) => folding.take(text, line));
  return folding.end();
}

const added = (id: string, episodeId = "e1"): NoteLine => ({
  schema: NOTE_SCHEMA,
  op: "add",
  id,
  when: clock.now(),
  episodeId,
  kind: "good",
});
const removed = (id: string): NoteLine => ({ schema: NOTE_SCHEMA, op: "remove", id, when: clock.now() });

describe("notes beside a run", () => {
  it("are read as they were written, and gone when they were removed", async () => {
    const folder = temporaryFolder();
    expect(await readNotes(files, folder)).toEqual({ notes: [], diagnostics: [] });
    const said = {
      episodeId: "e1",
      t: 2,
      kind: "Went wrong here",
      text: "same search\nagain \ud800",
      author: "Ada",
    };
    const { value } = await addNote(files, clock, folder, said);
    const whole = (await addNote(files, clock, folder, { episodeId: "e1", kind: "my own" })).value;
    expect(await readNotes(files, folder)).toEqual({ notes: [value, whole], diagnostics: [] });
    expect(value).toMatchObject({ ...said, kind: "went_wrong_here", when: clock.now() });
    await removeNote(files, clock, folder, value?.id ?? "");
    expect((await readNotes(files, folder)).notes).toEqual([whole]);
    expect((await readFile(`${folder}/notes.jsonl`, "utf8")).trim().split("\n")).toHaveLength(3);
  });

  it("refuses what does not fit, and writes nothing", async () => {
    const folder = temporaryFolder();
    for (const wrong of [
      { kind: " " },
      { kind: "x".repeat(61) },
      { text: "x".repeat(MAX_NOTE_CHARS + 1) },
      { t: -1 },
    ]) {
      const { value, diagnostics } = await addNote(files, clock, folder, {
        episodeId: "e1",
        kind: "good",
        ...wrong,
      });
      expect(value).toBeUndefined();
      expect(diagnostics[0]?.code).toBe("HASP512");
    }
    expect(await files.stat(`${folder}/notes.jsonl`)).toBeUndefined();
  });

  it("keeps every note of many who write at once", async () => {
    const folder = temporaryFolder();
    const said = Array.from({ length: 40 }, (_, t) => ({
      episodeId: "e1",
      t,
      kind: "good",
      text: "x".repeat(t * 200),
    }));
    const foreign = Array.from({ length: 10 }, (_, i) =>
      appendFile(`${folder}/notes.jsonl`, `${JSON.stringify(added(`other${i}`))}\n`),
    );
    await Promise.all([...said.map((one) => addNote(files, clock, folder, one)), ...foreign]);
    const read = await readNotes(files, folder);
    expect(read.diagnostics).toEqual([]);
    expect(new Set(read.notes.map(({ id }) => id)).size).toBe(50);
  });

  it("loses only a last line that broke off, also when more is added after it", async () => {
    const folder = temporaryFolder();
    const first = (await addNote(files, clock, folder, { episodeId: "e1", kind: "good" })).value;
    await appendFile(`${folder}/notes.jsonl`, JSON.stringify(added("torn")).slice(0, 40));
    const second = (await addNote(files, clock, folder, { episodeId: "e2", kind: "good" })).value;
    const read = await readNotes(files, folder);
    expect(read.notes).toEqual([first, second]);
    expect(read.diagnostics).toMatchObject([{ code: "HASP511", range: { start: { line: 1 } } }]);
  });

  it("reads a last line that lacks only its line break", async () => {
    const folder = temporaryFolder();
    await writeFile(
      `${folder}/notes.jsonl`,
      `\uFEFF\r\n${JSON.stringify(added("a"))}\r\n\n${JSON.stringify(added("b"))}`,
    );
    expect((await readNotes(files, folder)).notes.map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("folding lines", () => {
  it("reports lines that are no notes by their number, and reads the others", () => {
    const lines = [
      JSON.stringify(added("a")),
      "{",
      "42",
      '{"schema":"hasp.note/2","op":"add"}',
      JSON.stringify({ ...added("b"), t: 1.5 }),
    ];
    const read = fold(lines);
    expect(read.notes.map(({ id }) => id)).toEqual(["a"]);
    expect(codes(read)).toEqual(["HASP511", "HASP512", "HASP512", "HASP512"]);
  });

  it("tells of an id that says two things, and not of a line that is there twice", () => {
    const lines = [added("a"), added("a"), { ...added("a"), kind: "question" }, removed("z")];
    const read = fold(lines.map((line) => JSON.stringify(line)));
    expect(read.notes).toMatchObject([{ id: "a", kind: "good" }]);
    expect(codes(read)).toEqual(["HASP513", "HASP514"]);
  });

  it("comes to the same notes in whatever order the lines of two copies stand", () => {
    const ids = fc.constantFrom("a", "b", "c", "d");
    const line = fc.oneof(
      ids.map((id) => added(id)),
      ids.map(removed),
    );
    const shuffled = fc
      .array(line, { maxLength: 12 })
      .chain((lines) =>
        fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
      );
    fc.assert(
      fc.property(shuffled, ([lines, others]) => {
        const idsOf = (some: readonly NoteLine[]): string[] =>
          fold(some.map((one) => JSON.stringify(one)))
            .notes.map(({ id }) => id)
            .toSorted();
        expect(idsOf(others)).toEqual(idsOf(lines));
        expect(idsOf([...lines, ...others])).toEqual(idsOf(lines));
      }),
    );
  });

  it("never fails, whatever the lines hold", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
        expect(fold(lines).notes).toEqual([]);
      }),
    );
  });
});

describe("notes on what is gone", () => {
  it("are reported and stay", () => {
    const { notes } = fold([
      JSON.stringify(added("a", "gone")),
      JSON.stringify({ ...added("b"), t: 2 }),
      JSON.stringify({ ...added("c"), t: 1 }),
    ]);
    const stray = strayNotes(notes, [{ id: "e1", length: 2 }], "notes.jsonl");
    expect(notes).toHaveLength(3);
    expect(stray.map(({ message }) => message)).toEqual([
      'The note a speaks of something that is gone: the run has no episode "gone".',
      'The note b speaks of something that is gone: the run has no step 3 in episode "e1".',
    ]);
  });
});

describe("a note as a case", () => {
  const recorded = episode("e1", {
    outcome: "wrong",
    steps: [
      step(0, "SEARCH", "who", "Nothing"),
      step(1, "SEARCH", "who: now?", "two\nlines"),
      step(2, "FINAL", "me"),
    ],
  });
  const note = {
    id: "n",
    when: clock.now(),
    episodeId: "e1",
    t: 1,
    kind: "went_wrong_here",
    text: "again\n# not yaml: {",
  };
  const rules = webSearch.contextRules;

  it("has the recorded context and the first proposal, and is read back whole", () => {
    const { value = "" } = renderNoteCase(note, recorded, rules);
    expect(value.split("\n").slice(0, 2)).toEqual([
      "# Noted 2026-01-02T03:04:05.000Z on episode e1, step 2, which ended wrong: went wrong here: again",
      "# # not yaml: {",
    ]);
    const { value: cases, diagnostics } = parseCases(`cases:\n${value}`, "cases.yaml", REGISTERED);
    expect(diagnostics).toEqual([]);
    expect(cases).toMatchObject([
      {
        context: contextAt(recorded, 1, rules),
        proposed: { type: "SEARCH", arg: "who: now?" },
        expect: { fires: true },
      },
    ]);
  });

  it("must be left alone where it is good; on the whole episode it speaks of the last step", () => {
    const { t: _, ...whole } = { ...note, kind: "good" };
    const { case: made } = caseOfNote(whole, recorded, rules);
    expect(made).toMatchObject({ proposed: { type: "FINAL" }, expect: { fires: false } });
  });

  it("is refused where nobody could read it", () => {
    const long = episode("e1", {
      steps: [step(0, "SEARCH", "a", "x".repeat(300_000)), step(1, "FINAL", "b")],
    });
    expect(renderNoteCase(note, long, rules)).toMatchObject({
      value: undefined,
      diagnostics: [{ code: "HASP516" }],
    });
  });
});
