import fs from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { foldLive } from "../../src/trace/live-fold.ts";
import { AGENT_HOSTS, type AgentHost } from "../support/agent-hosts.ts";
import { makeTask, TASK_PROMPT, taskMoves } from "../support/agent-task.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { THOROUGH } from "../support/thorough.ts";
import { runScriptedAgent } from "../support/scripted-agent.ts";

/** A process for each event, and the first one compiles the library. */
const A_WHOLE_TASK = 180_000;
const folder = mkdtempSync(path.join(tmpdir(), "hasp-agent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** VS Code has no event for the end of a session: its episode stays a live one. */
function journal(repo: string): Episode | undefined {
  const run = path.join(repo, ".hasp/runs/agent-sessions");
  const [ended] = fs.readFileSync(path.join(run, "episodes.jsonl"), "utf8").split("\n");
  if (ended !== undefined && ended !== "") return JSON.parse(ended) as Episode;
  const live = path.join(run, "live/task-1.jsonl");
  return foldLive(fs.readFileSync(live, "utf8").split("\n"), live).value;
}

/** What a person would read off the replay: a line for each step. */
function told(episode: Episode): string[] {
  return episode.steps.map(({ proposals, executed, events, result }) => {
    const asked = proposals.map(({ action }) => action.type).join(", ");
    const acted = events.filter(({ status }) => status === "applied").map(({ skillId }) => skillId);
    const exit = result?.ok === undefined ? "" : result.ok ? " ok" : " failed";
    return `${asked} → ${executed.type}${exit}${acted.length === 0 ? "" : ` [${acted.join(", ")}]`}`;
  });
}

/** One that has an event for the end of a session, and one that has none. What each host is told: hook-hosts.test.ts. */
const isNormal = ({ name }: AgentHost): boolean => name === "claude-code" || name === "vscode";

// Skipped ones keep their snapshots.
describe.each(AGENT_HOSTS)("$name: an agent without a model", (host) => {
  it.runIf(THOROUGH || isNormal(host))(
    "works on a task under the hooks that are installed, and is kept from stopping until the tests pass",
    { timeout: A_WHOLE_TASK },
    async () => {
      const place = makeTask(path.join(folder, host.name));
      const env = { ...place.env, HOME: place.home };
      const scope = host.name === "vscode" || host.name === "copilot" ? ["--project"] : [];
      const hasp = async (...args: string[]): Promise<string> =>
        (await haspIn(["hook", ...args], { cwd: place.repo, env })).out;
      await hasp("install", "--host", host.name, ...scope, "--yes");
      expect(await hasp("status", "--host", host.name)).toContain("asked about");
      const script = { session: "task-1", prompt: TASK_PROMPT, moves: taskMoves(host, place) };
      const seen = await runScriptedAgent(host, place, script);

      const stops = seen.filter(({ moment }) => moment === "stop").map(({ obeyed }) => obeyed.block);
      expect(stops).toEqual([expect.stringMatching(/test/i), undefined]);
      const pushed = seen.find(({ ran }) => JSON.stringify(ran?.input ?? {}).includes("git push"));
      expect(pushed?.ran?.input["command"]).toContain("--force-with-lease");
      expect(fs.readFileSync(path.join(place.repo, "sum.mjs"), "utf8")).toContain("a + b");
      const episode = journal(place.repo);
      if (episode === undefined) throw new Error("No session was recorded.");
      expect(told(episode)).toMatchSnapshot();
      const decisions = (episode.decisions ?? []).filter(({ part }) => part === "hook_followed");
      expect(decisions.map(({ t, value }) => [t, value])).toEqual([[2, true]]);
      await hasp("uninstall", "--host", host.name, ...scope, "--yes");
      expect((await hasp("status", "--host", host.name, "--json")).includes('"state": "installed"')).toBe(
        false,
      );
    },
  );
});
