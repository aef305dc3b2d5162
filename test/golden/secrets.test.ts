import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTINGS } from "../../src/model/control.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";

/** A secret of the environment, one that only its form gives away, and the password in a URL of the environment. */
const SECRETS = ["Hunter2-of-the-deploy", "sk-live-0123456789abcdef", "Tr0ubadour-of-the-db"];
const LEAK = SECRETS.join(" and ");

const SKILL = `---
name: leaky
description: Use when a test wants a secret in a prompt.
metadata:
  hasp:
    skill_id: leaky
    title: Leaky
    version: 1
    priority: 0.5
    error_category: leaky
    applicable_modes: [web-search]
    applicable_phases: [think]
    system_summary: The token is ${LEAK}.
---

# Leaky

It holds ${SECRETS[0]} in its text.
`;

let scene: HookScene;
let model: LoopbackModel;
beforeAll(async () => {
  scene = openScene("secrets");
  scene.env["DEPLOY_TOKEN"] = SECRETS[0];
  scene.env["DATABASE_URL"] = `postgres://app:${SECRETS[2]}@localhost/app`;
  let said = 0;
  const ways = [`SEARCH[vault ${LEAK}]`, "READ[doc_0]", `FINAL[${LEAK}]`];
  model = await loopbackModel(({ request }) =>
    request.model === "teacher"
      ? { kind: "text", text: `five words about ${LEAK}` }
      : { kind: "text", text: `Thought: the key is ${LEAK}\nAction: ${ways[said++ % 3]}` },
  );
  mkdirSync(scene.at("skills/web-search/leaky"), { recursive: true });
  writeFileSync(scene.at("skills/web-search/leaky/SKILL.md"), SKILL);
  const question = { id: "q", question: `Who holds ${LEAK}?`, gold: [LEAK] };
  writeFileSync(scene.at("questions.jsonl"), `${JSON.stringify(question)}\n`);
  const passage = { title: `Vault ${LEAK}`, text: `The vault of ${LEAK} is here.` };
  writeFileSync(scene.at("corpus.jsonl"), `${JSON.stringify(passage)}\n`);
});
afterAll(async () => {
  await model.close();
  scene.close();
});

/** Files below a folder that hold a secret. */
function leaking(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  return files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 0)
    .filter((file) => SECRETS.some((secret) => readFileSync(file, "utf8").includes(secret)));
}

const models = (): string[] => [
  "--policy",
  `${model.url}#policy`,
  "--teacher",
  `${model.url}#teacher`,
  "--skills",
  "skills",
  "--corpus",
  "corpus.jsonl",
];

describe("a secret in a prompt or an environment never stands in a run folder", () => {
  it.each(SETTINGS)("of a run with the setting %s, and of a branch of it", async (setting) => {
    const run = `.hasp/runs/${setting}`;
    const ran = await scene.hasp(
      "run",
      "--questions",
      "questions.jsonl",
      ...models(),
      "--setting",
      setting,
      "-o",
      run,
    );
    expect(ran.out).toContain("1 episode:");
    expect(leaking(scene.at(run))).toEqual([]);
    const branch = `${run}-branch`;
    await scene.hasp("branch", run, "--episode", "q", "--step", "2", ...models(), "-o", branch);
    expect(leaking(scene.at(branch))).toEqual([]);
    const shown = await scene.hasp("replay", run, "--episode", "q", "--step", "1");
    expect(shown.out).toContain("[redacted]");
    const judged = await scene.hasp("backtest", "skills", "--episodes", run);
    expect(judged.err).not.toContain("HASP50");
  });

  it("of the session of a coding agent", async () => {
    const base = { session_id: "s", cwd: scene.workspace };
    const command = `curl -H 'authorization: Bearer ${SECRETS[1]}' https://example.org/${SECRETS[0]}`;
    const call = { ...base, tool_name: "Bash", tool_input: { command }, tool_use_id: "1" };
    await scene.hook({ ...base, hook_event_name: "UserPromptSubmit", prompt: `Use ${LEAK}` });
    const pre = await scene.hook({ ...call, hook_event_name: "PreToolUse" });
    expect(pre.code).toBe(0);
    await scene.hook({ ...call, hook_event_name: "PostToolUse", tool_response: { stdout: `got ${LEAK}` } });
    expect(leaking(scene.at(".hasp/runs/agent-sessions"))).toEqual([]);
    await scene.hook({ ...base, hook_event_name: "SessionEnd", reason: "clear" });
    expect(leaking(scene.at(".hasp/runs/agent-sessions"))).toEqual([]);
    const kept = readFileSync(scene.at(".hasp/runs/agent-sessions/episodes.jsonl"), "utf8");
    expect(kept).toContain("[redacted]");
    expect(kept).toContain('"got [redacted] and [redacted]');
    await expect.poll(() => scene.running(), { timeout: 20_000 }).toEqual([]);
  });
});
