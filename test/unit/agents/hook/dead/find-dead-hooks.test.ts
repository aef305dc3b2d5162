import { describe, expect, it } from "vitest";
import { claudeLog } from "../../../../../src/agents/hook/dead/claude-log.ts";
import { compareSession, type Installed } from "../../../../../src/agents/hook/dead/find-dead-hooks.ts";
import { journalReader, type Journal } from "../../../../../src/agents/hook/dead/journal.ts";
import {
  claudeTranscript,
  STARTED_AT,
  type MadeCall,
  type MadeSession,
} from "../../../../support/claude-transcript.ts";

const SESSION = "0a0a0a0a-1111-2222-3333-444444444444";
const DAY = 86_400_000;
const INSTALLED: Installed = { since: STARTED_AT - DAY, asks: () => true, untrusted: false };
const GONE: Installed = { ...INSTALLED, since: undefined };

const CALLS: readonly MadeCall[] = [
  { id: "c1", command: "ls", pre: "answered" },
  { id: "c2", command: "make", pre: "answered", end: "failed" },
  { id: "c3", command: "git reset --hard", end: "refused" },
  { id: "c4", command: "npm test", pre: "answered", agent: "a7" },
  { id: "c5", command: "pwd", pre: "answered" },
];

/** Our record of these calls. */
function journalOf(calls: readonly MadeCall[], since: number | undefined = STARTED_AT - DAY): Journal {
  const reader = journalReader();
  for (const { id, end, agent } of calls) {
    const verdict = end === "refused" ? "refuse" : "allow";
    const value = JSON.stringify({ host: "claude-code", event: "PreToolUse", toolUseId: id, verdict });
    const episode = agent === undefined ? SESSION : `${SESSION}~${agent}`;
    reader.addLiveLine(
      episode,
      JSON.stringify({ event: "decided", decision: { part: "hook_answer", t: 0, value } }),
    );
  }
  return reader.journal(since);
}

const NOTHING = journalReader().journal(STARTED_AT - DAY);

interface Compared extends Partial<MadeSession> {
  readonly journal?: Journal;
  readonly installed?: Installed;
  readonly edit?: (line: string) => string;
}

function compare({ journal, installed = INSTALLED, edit = (line) => line, ...made }: Compared) {
  const { calls = CALLS } = made;
  const reader = claudeLog(SESSION);
  for (const [agent, lines] of claudeTranscript({ session: SESSION, cwd: "/w", calls, ...made }))
    for (const [i, line] of lines.entries()) reader.add(`${agent}.jsonl`, i, edit(line));
  return compareSession(reader.log(), journal ?? journalOf(calls), installed);
}

const told = (compared: Compared): (string | undefined)[][] =>
  compare(compared).findings.map(({ code, call }) => [code, call]);

const without = ({ pre: _, ...call }: MadeCall): MadeCall => call;
const but = (id: string, change: (call: MadeCall) => MadeCall): MadeCall[] =>
  CALLS.map((call) => (call.id === id ? change(call) : call));
const recordedBut = (id: string): Journal => journalOf(CALLS.filter((call) => call.id !== id));

describe("a session whose calls were all judged", () => {
  it("has no finding, by both logs or by one of them", () => {
    expect(compare({})).toMatchObject({ ran: 4, judged: 4, leftOut: 0, findings: [] });
    expect(told({ calls: CALLS.map(without) })).toEqual([]);
    expect(told({ journal: NOTHING })).toEqual([]);
  });

  it.each<[string, Compared]>([
    [
      "a call that waits for its result",
      { calls: but("c5", ({ id, command }) => ({ id, command, end: "open" })) },
    ],
    [
      "a call that is none of a tool",
      { calls: but("c1", ({ id, command }) => ({ id, command, end: "invalid" })) },
    ],
    [
      "a call that a person or a hook refused",
      { calls: but("c1", ({ id, command }) => ({ id, command, end: "refused" })) },
    ],
    [
      "a call that ran on another machine",
      { calls: but("c1", ({ id, command }) => ({ id, command, end: "elsewhere" })) },
    ],
  ])("nor has %s", (_, compared) => {
    expect(
      told({ journal: journalOf([CALLS[1], CALLS[3]].flatMap((call) => call ?? [])), ...compared }),
    ).toEqual([]);
  });

  it("nor do lines that are cut, malformed or unknown, or of other people's hooks", () => {
    const edits = [
      (line: string) => line.slice(0, -20),
      (line: string) => line.replace('"type"', '"kind"'),
      () =>
        '{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"PreToolUse","toolUseID":"c9"}}',
      () => '"tool_use" "hook_',
      () => "[".repeat(100_000),
    ];
    for (const edit of edits)
      expect(told({ edit: (line) => (line.includes('"Stop"') ? edit(line) : line) })).toEqual([]);
    expect(
      told({
        calls: [...CALLS, { id: "c6", command: "x", pre: "foreign" }],
        journal: journalOf([...CALLS, { id: "c6", command: "x" }]),
      }),
    ).toEqual([]);
  });

  it("nor does one before the hooks were installed, after they were removed, or without any", () => {
    const bare = CALLS.slice(0, 2).map(without);
    const early = { calls: bare, start: false, journal: NOTHING };
    expect(told({ ...early, installed: { ...INSTALLED, since: STARTED_AT + DAY } })).toEqual([]);
    expect(told({ ...early, installed: GONE })).toEqual([]);
    const removed = [...CALLS.slice(0, 1), ...bare.slice(1)];
    expect(
      told({ calls: removed, start: false, journal: journalOf(CALLS.slice(0, 1)), installed: GONE }),
    ).toEqual([]);
    const later = {
      calls: [...bare.slice(0, 1), ...CALLS.slice(1)],
      start: false,
      journal: recordedBut("c1"),
    };
    expect(told({ ...later, installed: { ...INSTALLED, since: STARTED_AT + 1_500 } })).toEqual([]);
  });

  it("nor does one of an older host whose record is gone or was not kept", () => {
    const old = { version: "2.0.9", start: false, calls: CALLS.map(without) };
    expect(told({ ...old, journal: journalReader().journal(undefined) })).toEqual([]);
    const unrecorded = journalReader();
    unrecorded.addState({ answers: [{ key: "pre:c1", verdict: { kind: "allow" } }] });
    expect(told({ ...old, journal: unrecorded.journal(STARTED_AT - DAY) })).toEqual([]);
  });

  it("nor does a call that an older host made in another folder: its record is there", () => {
    const away = (line: string) => (line.includes('"c5"') ? line.replace('"/w"', '"/w2"') : line);
    const compared = { calls: CALLS.map(without), journal: recordedBut("c5"), edit: away };
    expect(told({ ...compared, version: "2.0.9" })).toEqual([]);
    expect(told(compared)).toEqual([["HASP852", "c5"]]);
  });

  it("counts tools that the matcher leaves out, and finds nothing in them", () => {
    const installed = { ...INSTALLED, asks: (tool: string) => tool !== "Read" };
    const calls = [...CALLS, { id: "c6", command: "x", tool: "Read" }];
    const { leftOut, findings } = compare({ calls, journal: journalOf(CALLS), installed });
    expect([leftOut, findings]).toEqual([1, []]);
  });

  it("counts an event that is answered and not recorded yet", () => {
    const reader = journalReader();
    reader.addLeft({
      text: JSON.stringify({ hook_event_name: "PreToolUse", tool_use_id: "c5" }),
      verdict: { kind: "allow" },
    });
    const calls = new Map([...recordedBut("c5").calls, ...reader.journal(undefined).calls]);
    expect(told({ calls: but("c5", without), journal: { ...recordedBut("c5"), calls } })).toEqual([]);
  });
});

describe("one hook taken away", () => {
  it.each(CALLS.filter(({ end }) => end !== "refused").map(({ id }) => id))(
    "is the one finding: %s",
    (id) => {
      expect(told({ calls: but(id, without), journal: recordedBut(id) })).toEqual([["HASP852", id]]);
      for (const pre of ["crashed", "timed out", "garbled"] as const)
        expect(told({ calls: but(id, (call) => ({ ...call, pre })), journal: recordedBut(id) })).toEqual([
          ["HASP853", id],
        ]);
      const stopped = but(id, (call) => ({ ...call, pre: "stopped" }));
      expect(told({ calls: stopped, journal: recordedBut(id) })).toEqual([["HASP853", id]]);
    },
  );

  it("is found after the last hook where the hooks are still installed", () => {
    const calls = [CALLS[0], CALLS[4]]
      .flatMap((call) => call ?? [])
      .map((call) => (call.id === "c5" ? without(call) : call));
    expect(told({ calls, start: false, journal: journalOf(calls.slice(0, 1)) })).toEqual([["HASP852", "c5"]]);
  });

  it("is found where the answer was not taken", () => {
    const calls = but("c3", (call) => ({ ...call, end: "ran" }));
    const { findings } = compare({ calls, journal: journalOf(CALLS) });
    expect(findings).toMatchObject([{ code: "HASP854", call: "c3", step: { episode: SESSION, t: 0 } }]);
  });

  it("is one finding where none ran in the whole session", () => {
    const silent = { calls: CALLS.slice(0, 2).map(without), start: false, journal: NOTHING };
    expect(compare(silent)).toMatchObject({ ran: 2, judged: 0 });
    expect(told(silent)).toEqual([["HASP855", undefined]]);
  });
});

it("names place, call and reason, and passes on no control characters", () => {
  const calls = but("c2", (call) => ({ ...call, command: "make \u001b]0;x\u0007\nall", pre: "crashed" }));
  const [found] = compare({ calls, journal: recordedBut("c2") }).findings;
  expect(found).toMatchObject({ file: ".jsonl", range: { start: { line: 6 } } });
  expect(found?.message).toMatch(
    /^HASP's hook gave Claude Code no answer at PreToolUse of `make \]0;x all` \(Bash, 2026-11-20T/,
  );
  expect(found?.message).toMatch(/exit code 1: Error: Cannot find module$/);
  expect(found?.message).not.toMatch(/\p{Cc}/u);
});
