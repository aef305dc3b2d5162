import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EPISODE_SCHEMA, type Episode } from "../../src/model/episode.ts";
import { hasp, type Ended } from "../support/cli.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-import-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const run = (...args: readonly string[]): Promise<Ended> => hasp(args, { cwd: place });

function write(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
  writeFileSync(path.join(place, name), content);
}

const chat = (question: string): string =>
  JSON.stringify({
    messages: [
      { role: "user", content: question },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "a.txt" },
      { role: "assistant", content: `Done: ${question}` },
    ],
  });

const action = { type: "bash", arg: "ls" };

/** A session with an abandoned branch and a sub-agent, as a run of HASP has it. */
function session(id: string, more: Partial<Episode>): string {
  const step = (t: number): Episode["steps"][number] => ({
    t,
    proposals: [{ thought: `thought ${t}`, action }],
    events: [],
    executed: action,
    injected: [],
    observation: "a.txt",
  });
  const steps = [step(0), step(1)];
  return JSON.stringify({
    schema: EPISODE_SCHEMA,
    id,
    questionId: id,
    sample: 1,
    outcome: "unjudged",
    length: steps.length,
    question: `Question of ${id}`,
    source: "claude-code",
    ...more,
    facts: { domain: "agent", actionTypes: ["bash"], searchReturnsText: false, maxSteps: 100 },
    library: [],
    steps,
    stopReason: "halted",
  });
}

beforeAll(() => {
  for (let i = 0; i < 30; i++)
    write(`sessions/2026/s${String(i).padStart(2, "0")}.jsonl`, chat(`Question ${i}?`));
  for (let i = 0; i < 12; i++) write(`sessions/broken/b${i}.jsonl`, `${chat(`Broken ${i}?`)}\nno json\n`);
  write("sessions/tool-results/out.txt", "text");
  write("sessions/settings.json", '{"theme":"dark"}');
  write("sessions/.git/config.json", "{}");
  const lines = [
    session("s1", {}),
    session("s1~branch-1", { outcome: "abandoned", origin: { as: "branch", episode: "s1", t: 0 } }),
    session("s1~agent", { origin: { as: "sub_agent", episode: "s1", t: 1 } }),
  ];
  write("rewound.jsonl", lines.join("\n"));
});

describe("hasp import of a folder", () => {
  it("is reported on a page, and kept with the run", async () => {
    const { code, out } = await run("import", "sessions", "-o", "run");
    expect(code).toBe(1);
    expect(out).toBe(`error  HASP530  12 × in 12 files
  sessions/broken/b0.jsonl:2  Line 2: this is no JSON.
  sessions/broken/b1.jsonl:2  Line 2: this is no JSON.
  sessions/broken/b10.jsonl:2  Line 2: this is no JSON.
  … 9 more (--verbose lists them)
    → Repair or delete it; the rest is imported without it. docs/formats.md lists the limits.
42 files read, 2 files of no known format left out: 1 .json, 1 .txt
  sessions/settings.json
  sessions/tool-results/out.txt
42 episodes: 0 correct, 0 wrong, 0 halted, 42 unjudged
84 steps
prompts of the agent's turns: 84 exact, 0 from a transcript, 0 without

Files to look at: 12 of 42
file                       format  episodes  steps  problems  unknown kinds
${Array.from({ length: 12 }, (_, i) => `sessions/broken/b${i}.jsonl`.padEnd(25))
  .toSorted()
  .map((file) => `${file}  openai         1      2         1              0`)
  .join("\n")}
run written to run
not everything was imported: 12 errors, 0 warnings
`);
    const again = await run("import", "--report", "run");
    expect(again.code).toBe(0);
    expect(again.out).toContain("42 files read, 2 files of no known format left out");
    expect(again.out).toContain("Findings\nerror  HASP530  12 × in 12 files");
    const stored: unknown = JSON.parse(readFileSync(path.join(place, "run/import.json"), "utf8"));
    const { out: json } = await run("import", "--report", "run", "--json");
    expect(JSON.parse(json)).toEqual(stored);
  });

  it("lists each finding and each file with --verbose, and everything with --json", async () => {
    const { out } = await run("import", "sessions", "-o", "run", "--verbose");
    expect(out.match(/ error {2}HASP530/g)).toHaveLength(12);
    expect(out.match(/: openai, 1 episode\n {2}mapped {3}/g)).toHaveLength(42);
    const { out: json } = await run("import", "sessions", "-o", "run", "--json");
    const value = JSON.parse(json) as { files: unknown[]; diagnostics: unknown[]; run: { source: string } };
    expect([value.files.length, value.diagnostics.length, value.run.source]).toEqual([42, 12, "openai"]);
  });

  it("counts abandoned branches and sub-agents, and the replay says where they came from", async () => {
    const { code, out } = await run("import", "rewound.jsonl", "-o", "rewound");
    expect(code).toBe(0);
    expect(out).toContain("3 episodes: 0 correct, 0 wrong, 0 halted, 2 unjudged, 1 abandoned");
    expect(out).toContain("6 steps, 1 abandoned branch with 2 steps, 1 episode of sub-agents");
    expect(out).toContain(
      "Abandoned branches\n  s1~branch-1: 2 steps, abandoned branch of s1, left after step 1: Question of s1~branch-1",
    );
    const replay = (id: string): Promise<Ended> => run("replay", "rewound", "--episode", id, "--step", "1");
    expect((await replay("s1~branch-1")).out).toContain("abandoned branch of s1, left after step 1\n");
    expect((await replay("s1~agent")).out).toContain("called by step 2 of s1\n");
  });

  it("says what it needs, and what a folder lacks", async () => {
    expect(await run("import", "-o", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Name files"),
    });
    expect(await run("import", "sessions")).toMatchObject({
      code: 2,
      err: expect.stringContaining("with -o"),
    });
    expect(await run("import", "sessions/tool-results", "-o", "x")).toMatchObject({
      code: 2,
      out: expect.stringContaining("HASP532  No trajectory file was found: 1 file of no known format."),
    });
    const missing = await run("import", "--report", "sessions");
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("no import.json") });
  });
});
