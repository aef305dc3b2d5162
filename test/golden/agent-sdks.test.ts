import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureInspect, ensureOpenAiAgents } from "../../scripts/lib/agent-sdks.mts";
import type { Episode } from "../../src/model/episode.ts";
import { episodesIn, messagesRead, ROOT } from "../support/core.ts";
import { THOROUGH } from "../support/thorough.ts";

/** Agents of two real SDKs, played by scripts, do what the skills of a real `hasp serve` make of their steps. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-sdks-"));
const CLI = path.join(ROOT, "dist/hasp.cjs");
const SKILLS = ["force-push", "destructive-delete", "tests-before-done"].map((name) =>
  path.join(ROOT, "skills/coding-agent", name),
);
const run = promisify(execFile);
/** The first install fetches some hundred megabytes. */
const INSTALL = 600_000;

afterAll(() => rmSync(place, { recursive: true, force: true }));

const env = { ...process.env, HASP: JSON.stringify([process.execPath, CLI]), PYTHONDONTWRITEBYTECODE: "1" };
const serveArgs = (output: string) => ["--skills", ...SKILLS, "-o", path.join(place, output)];

function recorded({ steps, stopReason, answer }: Episode) {
  return {
    proposed: steps.map(({ proposals }) => proposals.map(({ action }) => action.type)),
    executed: steps.map(({ executed }) => executed.type),
    ran: steps.flatMap(({ executed: { type, arg } }) => {
      const input = type === "FINAL" || type === "REFUSE" ? {} : (JSON.parse(arg) as Record<string, string>);
      return input["command"] ?? (input["path"] === undefined ? [] : `write ${input["path"]}`);
    }),
    exits: steps.map(({ result }) => result?.exitCode),
    branches: [...new Set(steps.flatMap(({ proposals }) => proposals.map(({ world }) => world?.branch)))],
    told: steps.flatMap(({ injected }) => injected.map(({ skillId }) => skillId)),
    observed: steps.at(-2)?.observation,
    stopReason,
    answer,
  };
}

/** What both examples come to; they differ in one file's name, and in how tests are run. */
const expected = (file: string, test: string, passed: string) => ({
  proposed: [["Write"], ["Bash"], ["Bash"], ["FINAL", "Bash"], ["FINAL"]],
  executed: ["Write", "Bash", "REFUSE", "Bash", "FINAL"],
  ran: [`write ${file}`, "git push --force-with-lease origin fix/add", test],
  exits: [undefined, 0, undefined, 0, undefined],
  branches: ["fix/add"],
  told: ["tests_before_done"],
  observed: `exit 0\n${passed}`,
  stopReason: "final",
  answer: "Done: the tests pass.",
});

function ranIn(stdout: string): unknown {
  return JSON.parse(/^ran: (.*)$/m.exec(stdout)?.[1] ?? "null");
}

/** Two calls at once, a tool that another has to stand in for, a call that a person would decide on, and a server that goes. */
const EDGES = `
import { Agent, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";
import { openSession } from "./hasp-agents.ts";
import { startHasp } from "./hasp-client.ts";

setTracingDisabled(true);
const call = (name, input, i) =>
  ({ type: "function_call", callId: name + i, name, arguments: JSON.stringify(input), status: "completed" });
const says = (text) =>
  ({ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] });
const seen = [];
const model = (script) => ({
  async getResponse({ input }) {
    for (const one of typeof input === "string" ? [] : input)
      if (one.type === "function_call_result") seen.push(JSON.stringify(one.output));
    return { usage: new Usage(), output: script.shift() };
  },
  async *getStreamedResponse() {},
});
const running = [];
let most = 0;
const Bash = tool({
  name: "Bash",
  description: "",
  parameters: z.object({ command: z.string() }),
  async needsApproval(_context, { command }) { return command.includes("lease"); },
  async execute({ command }) {
    running.push(command);
    most = Math.max(most, running.length);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running.pop();
    if (command === "fail") throw new Error("it broke");
    return { type: "text", text: "did " + command };
  },
});
const hasp = startHasp(process.argv.slice(3), JSON.parse(process.argv[2]));
const troubles = [];
const agent = new Agent({
  name: "A",
  tools: [Bash],
  model: model([
    [call("Bash", { command: "one" }, 1), call("Bash", { command: "two" }, 2), call("Bash", { command: "fail" }, 3)],
    [call("Bash", { command: "git push --force origin side" }, 4)],
    [says("done")],
    [call("Bash", { command: "unasked" }, 5)],
    [says("done again")],
  ]),
});
const options = { onTrouble: (error) => troubles.push(error.code), world: () => ({ branch: "side" }) };
const session = await openSession(hasp, agent, "Do two things.", options);
const first = await session.run("Do two things.");
const late = await openSession(hasp, agent, "Once more.", options);
await hasp.close();
const second = await late.run("Once more.");
const closed = await openSession(hasp, agent, "No.", options).catch((error) => error.code);
console.log(JSON.stringify({ most, seen: [...new Set(seen)], first: first.finalOutput, second: second.finalOutput, troubles, closed }));
`;

describe("the adapter for the OpenAI Agents SDK", () => {
  const folder = path.join(place, "openai");
  beforeAll(() => {
    const ready = ensureOpenAiAgents();
    if ("missing" in ready) throw new Error(`The SDK is not here: ${ready.missing}.`);
    cpSync(path.join(ROOT, "clients/openai-agents-js"), folder, { recursive: true });
    symlinkSync(ready.packages, path.join(folder, "node_modules"), "junction");
  }, INSTALL);

  it.runIf(THOROUGH)("is typed as the SDK is", { timeout: 120_000 }, async () => {
    const types = { types: ["node"], typeRoots: [path.join(ROOT, "node_modules/@types")] };
    const config = {
      extends: path.join(ROOT, "tsconfig.json"),
      compilerOptions: types,
      include: ["*.ts"],
      exclude: [],
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
  });

  it(
    "changes a command, refuses one, and holds the end back until the tests ran",
    { timeout: 120_000 },
    async () => {
      const example = path.join(folder, "example.mjs");
      const { stdout } = await run(process.execPath, [example, ...serveArgs("openai-run")], { env });
      expect(stdout).toContain("final output: Done: the tests pass.");
      expect(stdout).toMatch(/agent reads: `rm -rf ~` would delete/);
      expect(stdout).toMatch(/agent reads: No test run has seen the latest change of src\/add\.js/);
      expect(stdout).toMatch(
        /agent reads: In place of Bash\(git push --force .*\), Bash\(git push --force-with-lease .*\) ran\. Reason: .*\n\nexit 0/,
      );
      const form =
        "The task is still: Fix the sum of two numbers in src/add.js and publish your branch.\nGo on with one call";
      // Behind the rewrite, the refusal and what held the end back.
      expect(stdout.split(form)).toHaveLength(4);
      const [episode] = await episodesIn(path.join(place, "openai-run"));
      const told = episode && recorded(episode);
      expect(told).toEqual(expected("src/add.js", "npm test", "1 passing"));
      expect(ranIn(stdout)).toEqual(told?.ran);
    },
  );

  it.runIf(THOROUGH)(
    "runs calls in turn, asks a person again, tells how tools failed, and goes on without a server",
    { timeout: 120_000 },
    async () => {
      const driver = path.join(folder, "edges.mjs");
      writeFileSync(driver, EDGES);
      const { stdout } = await run(process.execPath, [driver, env.HASP, ...serveArgs("edges-run")], { env });
      const said = JSON.parse(stdout) as Record<string, unknown> & { seen: string[] };
      expect(said).toMatchObject({
        most: 1,
        first: "done",
        second: "done again",
        troubles: ["gone", "gone"],
        closed: "gone",
      });
      expect(said.seen.join("\n")).toContain("did unasked");
      const [push] = said.seen.filter((text) => text.includes("with-lease"));
      expect(push).toMatch(/Nothing was run.*--force-with-lease origin side.*a person decides on it/);
      const [episode] = await episodesIn(path.join(place, "edges-run"));
      expect(episode?.steps.map(({ observation, result }) => [observation.slice(0, 20), result?.ok])).toEqual(
        [
          ["did one", undefined],
          ["did two", undefined],
          ["An error occurred wh", false],
          ["Nothing was run. The", false],
          ["", undefined],
        ],
      );
    },
  );
});

/** Two calls at once, without a reviewer, of tools that nobody has named; a wish for another tool; a server that goes. */
const INSPECT_EDGES = `
import json, os, sys, tempfile
import psutil
from hasp_inspect import HaspSkills, Tool
from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall, tool

skills = HaspSkills(*sys.argv[1:], command=json.loads(os.environ["HASP"]))

@tool
def bash():
    async def execute(cmd: str) -> str:
        """Runs.

        Args:
            cmd: It.
        """
        return "did " + cmd
    return execute

@tool
def stop_server():
    async def execute() -> str:
        """Stops it."""
        children = psutil.Process().children()
        for child in children:
            child.terminate()
        psutil.wait_procs(children)
        return "stopped"
    return execute

def reply(*calls):
    output = ModelOutput.for_tool_call("mockllm/model", *calls[0])
    output.message.tool_calls = [ToolCall(f"c{id(one)}-{i}", *one) for i, one in enumerate(calls)]
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

script = [
    reply(("bash", {"cmd": "one"}), ("bash", {"cmd": "two"})),
    reply(("bash", {"cmd": "two"})),
    reply(("stop_server", {})),
    reply(("bash", {"cmd": "three"})),
    reply(("submit", {"answer": "done"})),
]
task = Task(dataset=[Sample("Do it.")], solver=react(tools=[bash(), stop_server()]), approval=skills.approval)
with tempfile.TemporaryDirectory() as folder:
    [log] = eval(task, model=get_model("mockllm/model", custom_outputs=script), display="none", log_dir=folder)
    [sample] = log.samples
    tools = [one for one in sample.messages if isinstance(one, ChatMessageTool)]
    print("SAID", json.dumps([one.error.message if one.error else one.text for one in tools]))
`;

describe("the approver for Inspect", () => {
  let python = "";
  beforeAll(() => {
    const ready = ensureInspect();
    if ("missing" in ready) throw new Error(`Inspect is not here: ${ready.missing}.`);
    ({ python } = ready);
  }, INSTALL);
  const inspect = (args: readonly string[]) => {
    const PYTHONPATH = ["python", "inspect"]
      .map((name) => path.join(ROOT, "clients", name))
      .join(path.delimiter);
    return run(python, args, { cwd: place, env: { ...env, PYTHONPATH, HOME: place, XDG_DATA_HOME: place } });
  };

  it(
    "changes a command, refuses one, and holds the submission back until the tests ran",
    { timeout: 120_000 },
    async () => {
      const { stdout } = await inspect([
        path.join(ROOT, "clients/inspect/example.py"),
        ...serveArgs("inspect-run"),
      ]);
      expect(stdout).toMatch(/modify -> .*--force-with-lease/);
      expect(stdout).toMatch(/'rm -rf ~'}: reject/);
      expect(stdout).toMatch(/'Done\.'}: reject\n {2}No test run has seen the latest change of add\.py/);
      expect(stdout).toMatch(
        /The task is still: Fix the sum .*\nGo on with one call of a tool; submit ends the work\./,
      );
      expect(stdout).toContain("final output: Done: the tests pass.");
      const [episode] = await episodesIn(path.join(place, "inspect-run"));
      const told = episode && recorded(episode);
      expect(told).toEqual(expected("add.py", "pytest", "1 passed"));
      expect(ranIn(stdout)).toEqual(told?.ran);
      expect(episode).toMatchObject({ id: "fix_add/1#1", questionId: "fix_add/1", sample: 1 });
      const read = episode && (await messagesRead(path.join(place, "inspect-run"), episode));
      expect(read).toHaveLength(6);
      const texts = read?.flat().map((message) => message?.content) ?? [];
      expect(texts).toContainEqual(
        expect.stringMatching(
          /^In place of Bash\([^]*, Bash\(git push --force-with-lease .* ran\. [^]*\n\nThe task is still: /,
        ),
      );
      expect(read?.[0]?.at(-1)).toEqual({ role: "user", content: episode?.question });
      expect(read?.at(-1)?.slice(-2)).toEqual([
        { role: "assistant", content: expect.stringMatching(/^[^]*shell \{"cmd":"pytest"\}$/) as string },
        { role: "user", content: expect.stringContaining("1 passed") as string },
      ]);
    },
  );

  it.runIf(THOROUGH)(
    "takes calls one at a time, reads results from the conversation, and goes on without a server",
    { timeout: 120_000 },
    async () => {
      const { stdout } = await inspect([
        "-c",
        INSPECT_EDGES,
        "--no-skills",
        "-o",
        path.join(place, "inspect-edges"),
      ]);
      const said = JSON.parse(/^SAID (.*)$/m.exec(stdout)?.[1] ?? "null") as string[];
      expect(said.slice(0, 5)).toEqual([
        "did one",
        expect.stringContaining("Another call is still running") as string,
        "did two",
        "stopped",
        "did three",
      ]);
      const [episode] = await episodesIn(path.join(place, "inspect-edges"));
      expect(episode?.steps.map(({ executed, observation }) => [executed.type, observation])).toEqual([
        ["Bash", "did one"],
        ["Bash", "did two"],
        ["other", ""],
      ]);
      expect(episode).toMatchObject({ outcome: "halted", stopReason: "server_stopped" });
    },
  );
});
