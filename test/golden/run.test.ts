import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/platform/files.ts";
import type { Episode } from "../../src/model/episode.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-run-"));
const CLI = path.join(ROOT, "dist/hasp.cjs");
const SAMPLES = path.join(ROOT, "samples");
const DATA = path.join(ROOT, "../shared/data");
const SAMPLE = [
  "--questions",
  path.join(SAMPLES, "questions.jsonl"),
  "--corpus",
  path.join(SAMPLES, "corpus/passages.jsonl"),
];

const hasp = (...args: string[]) => haspIn(args, { cwd: place });

const episodesOf = (run: string): Episode[] =>
  readFileSync(path.join(place, run, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Episode);
const waitFor = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

interface Endpoint {
  readonly spec: string;
  calls: number;
  /** Replies are held back until this resolves. */
  gate: Promise<void>;
}
let server: Server | undefined;

/** An endpoint on this machine that searches once and then answers. */
async function openEndpoint(): Promise<Endpoint> {
  const endpoint = { spec: "", calls: 0, gate: Promise.resolve() };
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    const answer = async (): Promise<void> => {
      endpoint.calls++;
      await endpoint.gate;
      const { messages } = JSON.parse(body) as { messages: { role: string }[] };
      const content = messages.some(({ role }) => role === "assistant")
        ? "Action: FINAL[Sam Walton]"
        : "Action: SEARCH[Walton]";
      const chunk = {
        id: "1",
        object: "chat.completion.chunk",
        model: "m",
        choices: [{ index: 0, delta: { content }, finish_reason: "stop" }],
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    request.on("end", () => void answer());
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return Object.assign(endpoint, { spec: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#m` });
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("hasp run --policy recorded:", () => {
  it("re-drives the samples' own run and opens in the replay", async () => {
    const run = await hasp(
      "run",
      ...SAMPLE,
      "--policy",
      `recorded:${path.join(SAMPLES, ".hasp/runs/first-look")}`,
      "-o",
      "again",
    );
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toContain("12 episodes:");
    const replayed = await hasp("replay", "again", "--episode", "walton-husband", "--step", "1");
    expect(replayed.code).toBe(0);
    expect(replayed.out).toContain("Step 1 of");
  });

  const hotpot = path.join(DATA, "hotpotqa/distractor-100.jsonl");
  it.skipIf(!existsSync(hotpot))(
    "re-drives the 100 questions of HotpotQA over their pooled paragraphs (skipped without ../shared/data)",
    async () => {
      await hasp(
        "import",
        "--from",
        "reflexion",
        path.join(DATA, "trajectories/reflexion-hotpotqa.jsonl"),
        "-o",
        "reflexion",
      );
      const run = await hasp(
        "run",
        "--questions",
        hotpot,
        "--policy",
        "recorded:reflexion",
        "-o",
        "hotpot",
        "--json",
      );
      expect(run).toMatchObject({ code: 0, err: "" });
      expect(JSON.parse(run.out)).toMatchObject({ finished: 100, left: 0 });
      const episodes = episodesOf("hotpot");
      expect(new Set(episodes.map(({ questionId }) => questionId)).size).toBe(100);
      expect(episodes.filter(({ length }) => length === 0)).toEqual([]);
      expect(new Set(episodes.map(({ stopReason }) => stopReason))).toEqual(
        new Set(["final", "policy_ended"]),
      );
      expect((await hasp("replay", "hotpot", "--episode", "100")).code).toBe(0);
    },
  );
});

describe("hasp run against an endpoint", () => {
  it("killed and resumed, ends every question exactly once and repeats only the calls in flight", async () => {
    const endpoint = await openEndpoint();
    let open: () => void = () => undefined;
    const args = [
      "run",
      ...SAMPLE,
      "--policy",
      endpoint.spec,
      "-o",
      "killed",
      "--no-skills",
      "--concurrency",
      "2",
    ];
    const child = spawn(process.execPath, [CLI, ...args], { cwd: place, stdio: "ignore" });
    await waitFor(() => endpoint.calls >= 9);
    endpoint.gate = new Promise((resolve) => (open = resolve));
    const before = endpoint.calls;
    await waitFor(() => endpoint.calls >= before + 2 || endpoint.calls === 24);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    open();
    const resumed = await hasp(...args, "--resume");
    expect(resumed.code).toBe(0);
    const ids = episodesOf("killed").map(({ questionId }) => questionId);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
    expect(await nodeFiles().list(path.join(place, "killed/live"))).toEqual([]);
    expect(endpoint.calls).toBeGreaterThanOrEqual(24);
    expect(endpoint.calls).toBeLessThanOrEqual(24 + 2);
  });

  it("interrupted, ends in order and says how to go on", async () => {
    const endpoint = await openEndpoint();
    const args = [
      "run",
      ...SAMPLE,
      "--policy",
      endpoint.spec,
      "--temperature",
      "0.5",
      "-o",
      "stopped",
      "--no-skills",
      "--concurrency",
      "2",
    ];
    const child = spawn(process.execPath, [CLI, ...args], { cwd: place });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    await waitFor(() => endpoint.calls >= 5);
    endpoint.gate = new Promise(() => undefined);
    const before = endpoint.calls;
    await waitFor(() => endpoint.calls > before);
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(1);
    expect(out).toMatch(/Interrupted: \d+ questions are left\. Go on with:\n {4}hasp run .* --resume/);
    expect(await nodeFiles().list(path.join(place, "stopped/live"))).toEqual([]);
    for (const { stopReason } of episodesOf("stopped")) expect(stopReason).toBe("final");
  });
});

describe("hasp run, given something wrong", () => {
  it.each([
    [["--policy", "gpt"], "names no model"],
    [["--policy", "recorded:nowhere"], "There is no run at nowhere"],
    [["--policy", "vscode:copilot/gpt-4o"], "there is no editor here"],
    [["--policy", "scripted:none.yaml"], "There is no script none.yaml"],
    [["--policy", "scripted:x", "--max-steps", "0"], "whole number, 1 or more"],
    [["--policy", "scripted:x", "--samples", "0"], "whole number from 1 to 1000"],
    [["--policy", "scripted:x", "--samples", "1001"], "whole number from 1 to 1000"],
    [["--policy", "scripted:x", "--questions", "missing.jsonl"], "There is no file missing.jsonl"],
    [["--policy", "scripted:x", "--questions", path.join(SAMPLES, "hasp.yaml")], "holds no questions"],
  ])("%j ends with 2 and says what to do", async (args, says) => {
    const { code, err } = await hasp("run", ...SAMPLE, "-o", "wrong", ...args);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(existsSync(path.join(place, "wrong"))).toBe(false);
  });

  it("refuses to mix two runs in one folder", async () => {
    writeFileSync(path.join(place, "script.yaml"), '["Action: FINAL[x]"]');
    const script = [
      "run",
      ...SAMPLE,
      "--limit",
      "1",
      "--policy",
      "scripted:script.yaml",
      "--no-skills",
      "-o",
      "mixed",
    ];
    expect((await hasp(...script)).code).toBe(0);
    expect((await hasp(...script)).err).toContain("holds a run already");
    expect((await hasp(...script, "--resume", "--max-steps", "3")).err).toContain(
      "made with other settings (control)",
    );
    expect((await hasp(...script, "--resume")).out).toContain(
      "nothing to run: every question has its episode",
    );
  });
});
