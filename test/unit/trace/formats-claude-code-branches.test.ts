import { describe, expect, test } from "vitest";
import { counted, importSession, outline, type SessionWriter, use, writeSession } from "./claude-session.ts";
import { importContent, lines } from "./formats-support.ts";

/** A prompt, a call with its result, and a last word. */
function goThrough(session: SessionWriter, id: string, words: string, parentUuid?: string | null): void {
  session.person(words, parentUuid === undefined ? {} : { parentUuid });
  session.agent([use(id)]);
  session.result(id, `result of ${id}`);
  session.agent(`Done with ${id}.`, { stop_reason: "end_turn" });
}

describe("abandoned branches", () => {
  test("the live path leads to the newest message; what a person went back from is an episode of its own", async () => {
    const session = writeSession();
    session.person("First.");
    session.agent([use("a")]);
    const result = session.result("a", "A");
    goThrough(session, "b", "Wrong way.", result);
    goThrough(session, "c", "Right way.", result);
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([
      ["s1", "First.", "run a", "run c", "FINAL: Done with c."],
      ["s1~branch-1", "Wrong way.", "run b", "FINAL: Done with b."],
    ]);
    const [live, branch] = imported.episodes;
    expect(live).not.toHaveProperty("origin");
    expect(live?.outcome).not.toBe("abandoned");
    expect(branch).toMatchObject({
      outcome: "abandoned",
      origin: { as: "branch", episode: "s1", t: 0 },
    });
    expect(counted(imported, "mapped", "abandoned branches")).toBe(1);
    expect(imported.value?.files[0]).toMatchObject({ abandoned: 1, abandonedSteps: 2 });
  });

  test("a branch that leaves before the first step has no step to hang on, and its own words for a question", async () => {
    const session = writeSession();
    goThrough(session, "a", "Old words.");
    goThrough(session, "b", "New words.", null);
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([
      ["s1", "New words.", "run b", "FINAL: Done with b."],
      ["s1~branch-1", "Old words.", "run a", "FINAL: Done with a."],
    ]);
    expect(imported.episodes[1]?.origin).toEqual({ as: "branch", episode: "s1" });
  });

  test("results beside a path belong to calls that stand beside it too, in whatever order they are met", async () => {
    const session = writeSession();
    session.person("All three.");
    const first = session.agent([use("a")], { id: "m" });
    const second = session.agent([use("b")], { id: "m" });
    session.agent([use("c")], { id: "m" });
    const ofA = session.result("a", "A", { parentUuid: first });
    session.result("b", "B", { parentUuid: second });
    session.result("c", "C");
    session.person("Now this.", { parentUuid: ofA });
    session.agent("Done.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    const observed = imported.episodes.map(({ steps }) => steps.map(({ observation }) => observation));
    expect(observed).toEqual([["A", "B", "C", ""]]);
    expect(imported.episodes[0]?.steps.map(({ extra }) => extra?.["unanswered"])).not.toContain(true);
  });

  test("a branch of a branch names the branch and its step", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    const atA = session.rows.at(-1)?.["uuid"] as string;
    goThrough(session, "b", "Two.");
    // A second try of the branch leaves it after its call, the live path after the first turn.
    session.agent([use("b2")], {}, { parentUuid: session.rows[6]?.["uuid"] });
    session.result("b2", "B2");
    session.agent([use("b3")], {}, { parentUuid: session.rows[6]?.["uuid"] });
    session.result("b3", "B3");
    goThrough(session, "c", "Three.", atA);
    const imported = await importSession(session);
    const ids = imported.episodes.map(({ id, origin }) => [id, origin]);
    expect(ids[0]).toEqual(["s1", undefined]);
    expect(outline(imported)[0]?.slice(2)).toEqual([
      "run a",
      "FINAL: Done with a.",
      "run c",
      "FINAL: Done with c.",
    ]);
    const branch = imported.episodes.find(({ steps }) => steps[0]?.extra?.["callId"] === "b");
    expect(branch?.origin).toEqual({ as: "branch", episode: "s1", t: 1 });
    const others = imported.episodes.filter(({ origin }) => origin?.episode === branch?.id);
    expect(others.length).toBe(2);
    for (const other of others) expect(other.origin).toMatchObject({ as: "branch", t: 0 });
  });

  test("parallel calls, their results and attachments between them are no branch", async () => {
    const session = writeSession();
    session.person("Three at once.");
    const message = { id: "m", usage: { input_tokens: 5, output_tokens: 7 } };
    const a = session.agent([use("a")], message);
    session.result("a", "A", { parentUuid: a });
    const b = session.agent([use("b")], message, { parentUuid: a });
    session.result("b", "B", { parentUuid: b });
    session.attachment({ type: "task_reminder", content: [] }, { parentUuid: b });
    const c = session.agent([use("c")], message, { parentUuid: b });
    session.result("c", "C", { parentUuid: c });
    session.agent("Done.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "Three at once.", "run a", "run b", "run c", "FINAL: Done."]]);
    expect(imported.episodes[0]?.steps.map(({ observation }) => observation).slice(0, 3)).toEqual([
      "A",
      "B",
      "C",
    ]);
    expect(counted(imported, "mapped", "abandoned branches")).toBe(0);
  });

  test("a reply that was tried again under another id is a branch, and its call is not lost", async () => {
    const session = writeSession();
    const words = session.person("Go.");
    session.agent([use("lost")], {}, { parentUuid: words });
    session.agent([use("kept")], {}, { parentUuid: words });
    session.result("kept", "K");
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([
      ["s1", "Go.", "run kept"],
      ["s1~branch-1", "Go.", "run lost"],
    ]);
    expect(imported.episodes[1]).toMatchObject({ outcome: "abandoned" });
  });

  test("words that were taken back before a reply give no episode, and are kept with the one that they left", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    const end = session.rows.at(-1)?.["uuid"];
    session.person("Never mind this.", { parentUuid: end });
    goThrough(session, "b", "Rather this.", end as string);
    const imported = await importSession(session);
    expect(imported.episodes.map(({ id }) => id)).toEqual(["s1"]);
    expect(imported.episodes[0]).toMatchObject({ extra: { takenBack: ["Never mind this."] } });
    expect(counted(imported, "kept", "words that were taken back before a reply")).toBe(1);
  });

  test("a rewind after which nothing followed is told by the program's own note", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    const end = session.rows.at(-1)?.["uuid"];
    goThrough(session, "b", "Two.");
    const note = { type: "last-prompt", sessionId: "s1", rewound: true, leafUuid: end };
    const back = await importContent(`${session.text()}\n${JSON.stringify(note)}`, "s1.jsonl");
    expect(outline(back)).toEqual([
      ["s1", "One.", "run a", "FINAL: Done with a."],
      ["s1~branch-1", "Two.", "run b", "FINAL: Done with b."],
    ]);
    // To before the first words: nothing stands any more.
    const all = JSON.stringify({ ...note, leafUuid: null });
    const none = await importContent(`${session.text()}\n${all}`, "s1.jsonl");
    expect(none.episodes.map(({ id, outcome }) => [id, outcome])).toEqual([["s1", "abandoned"]]);
    // The person went on at the end: the note is of an earlier time.
    const before = await importContent(`${JSON.stringify(note)}\n${session.text()}`, "s1.jsonl");
    expect(before.episodes.map(({ id, outcome }) => [id, outcome])).toEqual([["s1", "unjudged"]]);
  });
});

describe("lines that are not in order", () => {
  test("lines in any order give the same steps", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    const fork = session.rows.at(-1)?.["uuid"] as string;
    goThrough(session, "b", "Wrong.", fork);
    goThrough(session, "c", "Right.", fork);
    const straight = outline(await importSession(session));
    const { rows } = session;
    for (const order of [rows.toReversed(), [...rows.slice(5), ...rows.slice(0, 5)]])
      expect(outline(await importContent(lines(...order), "s1.jsonl"))).toEqual(straight);
  });

  test("a parent that does not exist is named with its line; the line follows the one before it", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    session.person("Two.", { parentUuid: "nowhere" });
    session.agent([use("b")]);
    session.agent([use("c")], {}, { parentUuid: "nowhere either" });
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "One.", "run a", "FINAL: Done with a.", "run b", "run c"]]);
    expect(imported.diagnostics.map(({ code, range, message }) => [code, range.start.line, message])).toEqual(
      [["HASP530", 4, expect.stringContaining("its parent is not in the file")]],
    );
    expect(imported.diagnostics[0]?.message).toContain("lines like it: 1 more");
  });

  test("a cycle of parents is cut at its first line, and no step is lost", async () => {
    const session = writeSession();
    session.person("Round.", { parentUuid: "u4" });
    session.agent([use("a")]);
    session.result("a", "A");
    session.agent([use("b")]);
    session.result("b", "B");
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "Round.", "run a", "run b"]]);
    expect(imported.diagnostics.map(({ range, message }) => [range.start.line, message])).toEqual([
      [0, expect.stringContaining("follows from the line itself")],
    ]);
    const self = writeSession();
    self.person("Self.", { parentUuid: "u1" });
    self.agent([use("a")]);
    expect(outline(await importSession(self))).toEqual([["s1", "Self.", "run a"]]);
  });

  test("two sessions in one file are two episodes, even where their lines alternate", async () => {
    const one = writeSession("one", "x");
    goThrough(one, "a", "One.");
    const two = writeSession("two", "y", 1);
    goThrough(two, "b", "Two.");
    const mixed = one.rows.flatMap((row, i) => [row, two.rows[i] ?? {}]);
    const imported = await importContent(lines(...mixed), "both.jsonl");
    expect(outline(imported)).toEqual([
      ["one", "One.", "run a", "FINAL: Done with a."],
      ["two", "Two.", "run b", "FINAL: Done with b."],
    ]);
  });

  test("uuids that come twice: lines written again count once, other lines of that uuid stay", async () => {
    const session = writeSession();
    goThrough(session, "a", "One.");
    const again = await importContent(`${session.text()}\n${session.text()}`, "s1.jsonl");
    expect(outline(again)).toEqual([["s1", "One.", "run a", "FINAL: Done with a."]]);
    expect(counted(again, "dropped", "lines that stand in the file twice")).toBe(4);
    expect(counted(again, "dropped", "calls of tools (tool_use) that stand in the file twice")).toBe(1);
    const other = writeSession();
    other.person("Go.");
    other.agent([use("a")], {}, { uuid: "same" });
    other.agent([use("b")], {}, { uuid: "same", parentUuid: "u1" });
    const steps = (await importSession(other)).episodes.flatMap(({ steps }) => steps);
    expect(new Set(steps.map(({ extra }) => extra?.["callId"]))).toEqual(new Set(["a", "b"]));
  });

  test("a chain of 50,000 lines is one episode", async () => {
    const session = writeSession();
    session.person("Go on.");
    for (let n = 0; n < 25_000; n++) {
      session.agent([use(`t${n}`)]);
      session.result(`t${n}`, "ok");
    }
    const { episodes, diagnostics } = await importSession(session);
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ steps }) => steps.length)).toEqual([25_000]);
  }, 60_000);

  test("2,000 branches at one line are 2,000 episodes", async () => {
    const session = writeSession();
    const words = session.person("Go.");
    for (let n = 0; n < 2000; n++) session.agent([use(`t${n}`)], {}, { parentUuid: words });
    const { episodes } = await importSession(session);
    expect(episodes.length).toBe(2000);
  }, 60_000);
});

describe("sessions that go on from another", () => {
  test("lines written again under new uuids and another session are one episode, of the newer session", async () => {
    const old = writeSession("old", "o");
    goThrough(old, "a", "One.");
    const copied = old.rows.map((row, i) => ({
      ...row,
      sessionId: "new",
      uuid: `n${i}`,
      parentUuid: i === 0 ? null : `n${i - 1}`,
    }));
    const more = writeSession("new", "z", 100);
    goThrough(more, "b", "Two.", "n3");
    const imported = await importContent(lines(...old.rows, ...copied, ...more.rows), "new.jsonl");
    expect(outline(imported)).toEqual([
      ["new", "One.", "run a", "FINAL: Done with a.", "run b", "FINAL: Done with b."],
    ]);
    expect(counted(imported, "dropped", "calls of tools (tool_use) that stand in the file twice")).toBe(1);
  });

  test("a session that begins with the lines of another is one conversation", async () => {
    const old = writeSession("old", "o");
    goThrough(old, "a", "One.");
    const next = writeSession("new", "n", 100);
    goThrough(next, "b", "Two.", "o4");
    const imported = await importContent(lines(...old.rows, ...next.rows), "new.jsonl");
    expect(outline(imported)).toEqual([
      ["new", "One.", "run a", "FINAL: Done with a.", "run b", "FINAL: Done with b."],
    ]);
  });

  test("a fork names the session that it comes from", async () => {
    const session = writeSession("fork");
    session.person("One.", { forkedFrom: { sessionId: "mother", messageUuid: "x" } });
    session.agent("Hello.", { stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    expect(episodes[0]).toMatchObject({ id: "fork", extra: { forkedFrom: "mother" } });
  });
});
