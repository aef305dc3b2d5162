import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { loopbackModel } from "../../support/loopback-model.ts";
import { temporaryFolder } from "./support.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function node(file: URL, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  return child;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout ?? process.stdin })) return line;
  return "";
}

const ASK_MANY = new URL("./ask-many.ts", import.meta.url);
const SERVER = new URL("../../support/loopback-model.ts", import.meta.url);
const QUESTIONS = 60;
const AT_A_TIME = 4;

test("after SIGKILL only the calls that were in flight are made again", async () => {
  const folder = temporaryFolder();
  let victim: ChildProcess | undefined;
  const server = await loopbackModel(({ index, request }) => {
    if (index === 30) victim?.kill("SIGKILL");
    return { kind: "text", text: `re: ${request.messages[0]?.content}`, wait: 3 };
  });
  try {
    victim = node(ASK_MANY, server.origin, folder, `${QUESTIONS}`);
    await once(victim, "exit");
    const before = server.calls.length;
    const cached = Number(await firstLine(node(ASK_MANY, server.origin, folder, `${QUESTIONS}`)));
    const asked = server.calls.map(({ request }) => request.messages[0]?.content);
    expect(new Set(asked).size).toBe(QUESTIONS);
    expect(asked.length - QUESTIONS).toBeLessThanOrEqual(AT_A_TIME);
    expect(cached).toBeGreaterThanOrEqual(before - AT_A_TIME);
  } finally {
    await server.close();
  }
});

test("as a child, the server prints its port and logs each call", async () => {
  const log = `${temporaryFolder()}/calls.jsonl`;
  const port = await firstLine(node(SERVER, "--log", log, "--text", "Sam Walton"));
  const folder = temporaryFolder();
  expect(await firstLine(node(ASK_MANY, `http://127.0.0.1:${port}`, folder, "6"))).toBe("0");
  const events = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; index: number });
  expect(events.filter(({ event }) => event === "begin").map(({ index }) => index)).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  expect(events.filter(({ event }) => event === "end")).toHaveLength(6);
});
