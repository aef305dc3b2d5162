import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counted } from "../../src/model/counted.ts";
import { hasp } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";
import { THOROUGH } from "../support/thorough.ts";
import { GOOD, HOSTILE_ARCHIVES, HOSTILE_LINES } from "../support/hostile-bytes.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-bytes-"));
const CLI = path.join(ROOT, "dist/hasp.cjs");
/** Prints how much memory the process had at its most, in MiB. Not `maxRSS`, which begins with that of the process that starts it. */
const METER = path.join(place, "meter.cjs");
/** MiB of heap that the program may have; what it holds beside it (buffers, code) is a few times that at most. */
const HEAP = 160;
const MOST_MEMORY = 700;

beforeAll(() => {
  writeFileSync(
    METER,
    `const { readFileSync } = require("node:fs");
const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
process.on("exit", () => process.stderr.write("PEAK " + Math.round(peak() / 1024) + "\\n"));`,
  );
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Met {
  readonly code: number | null;
  readonly out: string;
  readonly peak: number;
}

/** Runs the program with a small heap, `input` on its standard input. */
function withSmallHeap(args: readonly string[], input = ""): Promise<Met> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, "-r", METER, CLI, ...args], {
      cwd: place,
    });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.stderr.on("data", (part: Buffer) => parts.push(part));
    child.once("close", (code) => {
      const out = Buffer.concat(parts).toString("utf8");
      resolve({ code, out, peak: Number(/PEAK (\d+)/.exec(out)?.[1] ?? Number.NaN) });
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** All of them, read in this process: unit/trace/hostile-bytes.test.ts. */
const SAMPLE = [
  "6 million empty objects",
  "65 MiB in one line",
  "200 MB of open brackets",
  "a sample that says it has 5 bytes more",
];
const MORE = [
  "a million levels that never close",
  "1e21 tokens",
  "200 MB of one letter",
  "Zstandard",
  "entries of other names, 120,000",
];
if (THOROUGH) SAMPLE.push(...MORE);

it.each([...HOSTILE_LINES, ...HOSTILE_ARCHIVES].filter(({ name }) => SAMPLE.includes(name)))(
  "hasp import with a small heap, $file: $name",
  async (hostile) => {
    writeFileSync(path.join(place, hostile.file), hostile.make());
    const { code, out, peak } = await withSmallHeap(["import", hostile.file, "-o", "run"]);
    expect(out).toMatch(hostile.says);
    expect(out).toContain(counted(hostile.episodes, "episode"));
    expect(code).toBe(1);
    expect(peak).toBeLessThan(MOST_MEMORY);
    const listed = await hasp(["score", "run"], { cwd: place });
    expect(listed.out).not.toContain("HASP50");
    rmSync(path.join(place, "run"), { recursive: true });
  },
);

it("the sample names rows that are there", () => {
  const names = [...HOSTILE_LINES, ...HOSTILE_ARCHIVES].map(({ name }) => name);
  for (const name of SAMPLE) expect(names).toContain(name);
});

it("what was imported is exported and imported again", async () => {
  const odd = GOOD.replace("hello", String.raw`\ud800 \u0000 \u202e </script>`).replace(
    /}$/,
    ',"x":{"__proto__":1}}',
  );
  writeFileSync(path.join(place, "odd.jsonl"), `${odd}\n`);
  const run = async (...args: string[]) => expect((await hasp(args, { cwd: place })).code).toBe(0);
  await run("import", "odd.jsonl", "-o", "odd");
  await run("export", "odd", "--to", "atif", "-o", "odd.json");
  await run("import", "odd.json", "-o", "again");
  const lines = ["odd", "again"].map(
    (run) => JSON.parse(readFileSync(path.join(place, run, "episodes.jsonl"), "utf8")) as { id: string },
  );
  expect(lines[1]?.id).toBe(lines[0]?.id);
});

it("hasp mcp answers what it cannot read with an error, and the next message as ever", async () => {
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const request = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const input = [
    "[".repeat(500_000),
    `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${"[".repeat(300)}${"]".repeat(300)}}}`,
    "a".repeat(3_000_000),
    "no json",
    request(1, "initialize", hello),
    request(2, "ping", {}),
  ].join("\n");
  const { out } = await withSmallHeap(["mcp"], `${input}\n`);
  const replies = out
    .split("\n")
    .flatMap((line) =>
      line.startsWith("{") ? [JSON.parse(line) as { id: unknown; error?: { message: string } }] : [],
    );
  expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.message.slice(0, 60))).toEqual([
    "The message is not read: it is nested more than 200 levels d",
    "The message is not read: it is nested more than 200 levels d",
    "A message has at most 1000000 bytes. Send a shorter one.",
    "The message is not read: it is not valid JSON. Send one JSON",
  ]);
  expect(replies.filter(({ id, error }) => id !== null && error === undefined).map(({ id }) => id)).toEqual([
    1, 2,
  ]);
});

it("hasp serve answers what it cannot read with an error, and the next request as ever", async () => {
  const input = [
    `{"id":1,"method":"ping","params":{"x":${"[".repeat(1_000_000)}}}`,
    `{"id":2,"params":[${"{},".repeat(5_100_000)}1]}`,
    `{"id":3,"x":"${"a".repeat(17 * 1024 * 1024)}"}`,
    '{"id":4,"method":"ping"}',
  ].join("\n");
  const { out } = await withSmallHeap(["serve", "--no-skills"], `${input}\n`);
  const replies = out
    .split("\n")
    .flatMap((line) =>
      line.startsWith('{"id"') ? [JSON.parse(line) as { id: unknown; error?: { code: string } }] : [],
    );
  expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
    "too_large",
    "too_large",
    "too_large",
  ]);
  expect(replies.find(({ id }) => id === 4)).toMatchObject({ result: {} });
});
