import { describe, expect, test } from "vitest";
import { readerOf } from "../../../src/trace/formats/formats.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import {
  began,
  done,
  ended,
  event,
  exec,
  item,
  message,
  meta,
  output,
  printed,
  ran,
  rollBack,
  row,
  script,
  typed,
  usage,
} from "./codex-lines.ts";
import { everyCommandIsAStep } from "./damaged-rows.ts";
import { acted, importContent, lines } from "./formats-support.ts";

const FILE = "rollout-2026-11-20T10-00-00-th-1.jsonl";
const importLines = (...rows: object[]) => importContent(lines(...rows), FILE);

describe("damaged sessions of Codex", () => {
  test("results without calls, unknown kinds, wrong types and a cut line are named; the rest is imported", async () => {
    const { episodes, diagnostics, value } = await importContent(
      `${lines(
        meta(),
        ...typed("Fix."),
        output("lost", "nobody asked"),
        item({ type: "future_call", call_id: "f" }),
        event({ type: "future_event" }),
        done({ type: "FutureItem", id: "x" }),
        row("future_line", {}),
        item({ type: "message", role: "user", content: 3 }),
        item({ type: "function_call", name: 7, call_id: ["a"], arguments: { cmd: 1 } }),
        done({ type: "CommandExecution", id: {}, command: 5, exit_code: "x", cwd: 3 }),
        exec("1", "ls"),
        output("1", "a"),
        message("assistant", "Done."),
      )}\n{"timestamp":"2026-11-20T10:00:00.000Z","type":"response_it`,
      FILE,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP522", "HASP530", "HASP536"]);
    expect(diagnostics[1]?.message).toContain("lost");
    expect(value?.files[0]?.unknown.map(({ what }) => what)).toEqual([
      "items future_call",
      "events future_event",
      "completed items FutureItem",
      "lines of type future_line",
      "lines without a payload",
    ]);
    expect(acted(episodes[0]).slice(-2)).toEqual([
      ["Bash", { command: "ls" }],
      ["FINAL", "Done."],
    ]);
    expect(episodes[0]?.prelude).toContain("nobody asked");
  });

  test("two sessions in one file are two episodes", async () => {
    const { episodes } = await importLines(
      meta(),
      ...typed("One."),
      message("assistant", "First."),
      meta({ id: "th-9", cwd: "/else" }),
      ...typed("Two."),
      message("assistant", "Second."),
    );
    expect(episodes.map(({ id, question, facts }) => [id, question, facts.cwd])).toEqual([
      ["th-1", "One.", "/repo"],
      ["th-9", "Two.", "/else"],
    ]);
  });

  test("a file that stands twice in one is read once; what came after the first copy is read", async () => {
    const rows = [
      meta(),
      ...typed("One."),
      exec("1", "ls"),
      output("1", "a"),
      message("assistant", "First."),
    ];
    const after = [...typed("Two."), exec("2", "pwd"), output("2", "b"), message("assistant", "Second.")];
    const numbered = [...rows, ...after].map((row, ordinal) => ({ ...row, ordinal }));
    const { episodes, value } = await importLines(...numbered.slice(0, rows.length), ...numbered);
    expect(episodes.map(({ id, length }) => [id, length])).toEqual([["th-1", 4]]);
    expect(value?.files[0]?.dropped).toContainEqual(
      expect.objectContaining({ what: "lines that stand in the file twice", times: rows.length - 1 }),
    );
  });

  test("a session in which nothing was done is said to be one", async () => {
    const asked = await importLines(meta(), began(), ...typed("Anybody?"), event({ type: "turn_aborted" }));
    expect(asked.diagnostics.map(({ code }) => code)).toEqual(["HASP523"]);
    expect(asked.episodes[0]).toMatchObject({ length: 0, question: "Anybody?" });
    const empty = await importLines(meta());
    expect(empty.diagnostics.map(({ code }) => code)).toEqual(["HASP530", "HASP532"]);
    expect(empty.diagnostics[0]?.message).toContain("nothing that was said or done");
  });

  test("a large image is a mark", async () => {
    const image = { type: "input_image", image_url: `data:image/png;base64,${"A".repeat(20_000_000)}` };
    const { episodes } = await importLines(
      meta(),
      item({ type: "message", role: "user", content: [{ type: "input_text", text: "Look." }, image] }),
      event({ type: "user_message", message: "Look." }),
      message("assistant", "I see."),
    );
    expect(episodes[0]).toMatchObject({ question: "Look.\n[input_image]", length: 1 });
    expect(JSON.stringify(episodes).length).toBeLessThan(5_000);
  });

  test("property: whatever is missing, cut or of another type, nothing throws and every command is a step", () => {
    const session = [
      meta(),
      began(),
      ...typed("A"),
      exec("1", "cmd-one"),
      output("1", "x"),
      usage("r1", 1, 1),
      script("s", "tools.exec_command({cmd: 'cmd-two'})"),
      ran("exec-2", "cmd-two", 0, "y"),
      printed("s", "Script completed", "y"),
      message("assistant", "Done."),
      ended(),
      began(),
      ...typed("B"),
      exec("3", "cmd-three"),
      rollBack(1),
      row("compacted", { message: "So far.", replacement_history: [] }),
      ...typed("C"),
      exec("4", "cmd-four"),
      event({ type: "turn_aborted" }),
    ];
    const commands = ["cmd-one", "cmd-two", "cmd-three", "cmd-four"];
    everyCommandIsAStep(session, { key: "payload", commands }, (rows) => {
      const reader = readerOf("codex", { name: "x", ledger: openLedger() });
      const read = rows.flatMap((value, line) => [...reader.read(value, line).episodes]);
      return [...read, ...reader.end().episodes].map(({ episode }) => episode);
    });
  });
});
