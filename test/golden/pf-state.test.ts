import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import type { Ended } from "../support/cli.ts";
import { openScene, preEvent, writeSkill, type HookScene } from "../support/hook-process.ts";
import { smugglerOfCommands } from "../support/smugglers.ts";

/** Processes that judge many episodes: nothing that a PF keeps outside of ctx.memory reaches another one. */
let scene: HookScene;
let server: ChildProcess | undefined;
beforeEach(() => {
  scene = openScene("pf-state");
  for (const id of WAYS) writeSkill(scene, id.replaceAll("_", "-"), smugglerOfCommands(id));
});
afterEach(() => {
  server?.kill("SIGKILL");
  scene.close();
});

const WAYS = ["module_let", "set_method", "promise", "error_class", "private_of_own_class"];
const PATIENCE = 120_000;
const SECRET = "echo secret";
const READ = "cat notes.txt";

function start(...args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const started = scene.start([path.join(ROOT, "dist/hasp.cjs"), ...args], undefined);
  server = started.child;
  return started;
}

describe("hasp serve", () => {
  it(
    "lets no PF carry a text from one episode into another",
    async () => {
      const { child, ended } = start("serve", "--domain", "coding-agent", "--skills", "skills");
      const replies = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
      const ask = async (method: string, params: object): Promise<object> => {
        child.stdin?.write(`${JSON.stringify({ id: 1, method, params })}\n`);
        const reply = await replies.next();
        return JSON.parse(String(reply.value)) as object;
      };
      const step = (episode: string, command: string): Promise<object> =>
        ask("step", { episode, action: { type: "Bash", arg: JSON.stringify({ command }) } });
      for (const episode of ["a", "b"])
        await ask("open", { question: "Do it.", episode_id: episode, action_types: ["Bash", "FINAL"] });
      expect(await ask("library", {})).toMatchObject({
        result: { skills: WAYS.map(() => ({ program: true })) },
      });
      await step("a", SECRET);
      expect(await step("b", READ)).toMatchObject({
        result: {
          executed: { arg: JSON.stringify({ command: READ }) },
          events: WAYS.map(() => ({ status: "skipped" })),
        },
      });
      child.stdin?.end();
      await ended;
    },
    PATIENCE,
  );
});

describe("the resident process of the hooks", () => {
  it(
    "lets no PF carry a text from one session into another",
    async () => {
      // What it compiles is for the hooks of this very build.
      expect((await start("hook", "trust", "--yes").ended).code).toBe(0);
      const { child, ended } = start("serve", "--hooks", "--json");
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      const judged = async (session: string, id: string, command: string): Promise<string> => {
        const event = JSON.stringify(preEvent(scene, session, id, command));
        const hook = [path.join(ROOT, "dist/hook.cjs"), "--host", "claude-code", "--budget-ms", "25000"];
        return (await scene.start(hook, event).ended).out;
      };
      await judged("one", "1", SECRET);
      expect(await judged("two", "1", READ)).not.toContain("leak");
      expect(await judged("one", "2", READ)).not.toContain("leak");
      child.kill("SIGINT");
      await ended;
    },
    PATIENCE,
  );
});
