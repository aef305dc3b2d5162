import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { paperSkill } from "../support/shipped.ts";

/** The server as an assistant starts it, driven by the official client. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-mcp-"));
const WORKSPACE = path.join(place, "workspace");
const RUN = ".hasp/runs/first-look";
const SKILL = "skills/web-search/retrieval-failure";
const CLI = path.join(ROOT, "dist/hasp.cjs");
const env = { PATH: process.env["PATH"] ?? "", HOME: place, XDG_CONFIG_HOME: path.join(place, "config") };
let client: Client;

interface Answer {
  readonly text: string;
  readonly data: Record<string, unknown> | undefined;
  readonly isError: boolean;
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  const data = result.structuredContent as Record<string, unknown> | undefined;
  return { text: first?.text ?? "", data, isError: result.isError === true };
}

function writeSkill(name: string, pf: string): void {
  const folder = path.join(WORKSPACE, "skills/web-search", name);
  cpSync(path.join(ROOT, paperSkill("retrieval-failure")), folder, { recursive: true });
  writeFileSync(path.join(folder, "pf.ts"), pf);
}

beforeAll(async () => {
  mkdirSync(WORKSPACE, { recursive: true });
  for (const name of ["retrieval-failure", "repeated-action"])
    cpSync(path.join(ROOT, paperSkill(name)), path.join(WORKSPACE, "skills/web-search", name), {
      recursive: true,
    });
  cpSync(path.join(ROOT, "samples/.hasp/runs"), path.join(WORKSPACE, ".hasp/runs"), { recursive: true });
  mkdirSync(path.join(place, "elsewhere"));
  writeFileSync(path.join(place, "elsewhere/SKILL.md"), "secret words");
  symlinkSync(path.join(place, "elsewhere"), path.join(WORKSPACE, "skills/web-search/linked"));
  client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", "--root", WORKSPACE],
    env,
  });
  await client.connect(transport);
});
afterAll(async () => {
  await client.close();
  rmSync(place, { recursive: true, force: true });
});

describe("hasp mcp, in a workspace that nobody said yes to", () => {
  it("reads and checks skills, and runs none of them", async () => {
    const { text, data } = await call("hasp_validate_skill", { skill: "retrieval_failure" });
    expect(data).toMatchObject({ ran: false, checks: [], cases: [] });
    expect(text).toContain(
      `Nothing was run: a person has to say first that it may: hasp mcp trust ${WORKSPACE}.`,
    );
    for (const [name, args] of [
      ["hasp_backtest_skill", { skill: "retrieval_failure" }],
      ["hasp_explain_step", { skill: "retrieval_failure", run: RUN, episode: "1", step: 1 }],
    ] as const) {
      const answer = await call(name, args);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain(`hasp mcp trust ${WORKSPACE}`);
    }
  });

  it("runs them once a person has said yes, without a new start", async () => {
    const hasp = (...args: string[]) =>
      spawnSync(process.execPath, [CLI, ...args], { env, encoding: "utf8" });
    expect(hasp("mcp", "trust", WORKSPACE)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Nobody is there to ask") as unknown,
    });
    expect(hasp("mcp", "trust", WORKSPACE, "--yes")).toMatchObject({ status: 0 });
    const { data } = await call("hasp_validate_skill", { skill: "retrieval_failure" });
    expect(data).toMatchObject({ ran: true });
  });
});

describe("hasp mcp", () => {
  it("offers four tools, each with a schema that takes nothing unknown", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "hasp_list_skills",
      "hasp_validate_skill",
      "hasp_backtest_skill",
      "hasp_explain_step",
    ]);
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(annotations?.readOnlyHint).toBe(true);
    }
    expect(client.getInstructions()).toContain("validate until there is no error");
  });

  it("lists the skills and the runs of the workspace", async () => {
    const { text, data, isError } = await call("hasp_list_skills");
    expect(isError).toBe(false);
    expect(text).toMatchSnapshot();
    expect(data).toMatchObject({
      skills: [{ skillId: "repeated_action" }, { skillId: "retrieval_failure", folder: SKILL }],
      runs: [{ run: RUN }],
    });
  });

  it("validates a skill by its folder and by its id", async () => {
    const byFolder = await call("hasp_validate_skill", { skill: SKILL });
    expect(byFolder.text).toMatchSnapshot();
    expect(byFolder.data).toMatchObject({ ok: true, ran: true, findings: [] });
    expect(await call("hasp_validate_skill", { skill: "retrieval_failure" })).toEqual(byFolder);
  });

  it("says where an error stands and what to do, and validates what was mended", async () => {
    writeSkill("broken", `export default class Broken { shouldActivate() { return Date.now() > 0; } }\n`);
    const { text, data } = await call("hasp_validate_skill", { skill: "skills/web-search/broken" });
    expect(data).toMatchObject({ ok: false, ran: false });
    expect(text).toContain("skills/web-search/broken/pf.ts:1:");
    expect(text).not.toContain(place);
    rmSync(path.join(WORKSPACE, "skills/web-search/broken"), { recursive: true });
  });

  it("says of another product's skill what hosts make of its file, and that it judges no shell line in it", async () => {
    const folder = "skills/agent/plain";
    mkdirSync(path.join(WORKSPACE, folder), { recursive: true });
    const text = "---\nname: plain\ndescription: Use it when a build fails.\n---\n\nState: !`git status`\n";
    writeFileSync(path.join(WORKSPACE, folder, "SKILL.md"), `\uFEFF${text}`);
    const answer = await call("hasp_validate_skill", { skill: folder });
    expect(answer.data).toMatchObject({ findings: [{ code: "HASP124" }] });
    expect(answer.text).toContain("Not judged here: `hasp validate` judges it.");
    rmSync(path.join(WORKSPACE, folder), { recursive: true });
  });

  it("backtests a skill on all runs, with progress", async () => {
    const seen: number[] = [];
    const result = await client.callTool(
      { name: "hasp_backtest_skill", arguments: { skill: "retrieval_failure", steps: 2 } },
      undefined,
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    const [first] = result.content as { text: string }[];
    expect(first?.text).toMatchSnapshot();
    expect(result.structuredContent).toMatchObject({ skillId: "retrieval_failure", runs: [RUN] });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it("compares changed searches in the corpus that the caller names, else in that of hasp.yaml", async () => {
    const worth = async (args: Record<string, unknown> = {}): Promise<string> =>
      (await call("hasp_backtest_skill", { skill: "retrieval_failure", ...args })).text;
    expect(await worth()).toContain("not measured 1");
    cpSync(path.join(ROOT, "samples/corpus"), path.join(WORKSPACE, "corpus"), { recursive: true });
    expect(await worth({ corpus: "corpus/passages.jsonl" })).not.toContain("not measured");
    const config = path.join(WORKSPACE, "hasp.yaml");
    writeFileSync(config, "tools:\n  corpus: corpus/passages.jsonl\n");
    expect(await worth()).not.toContain("not measured");
    writeFileSync(config, "tools:\n  corpus: corpus/none.jsonl\n");
    expect(await worth()).toMatch(
      /not measured 1[^]*The corpus of hasp\.yaml \(corpus\/none\.jsonl\) is not searched/,
    );
    rmSync(config);
  });

  it("explains a step from the code of the skill", async () => {
    const { text, data } = await call("hasp_explain_step", {
      skill: "retrieval_failure",
      run: RUN,
      episode: "1",
      step: 1,
    });
    expect(text).toMatchSnapshot();
    expect(data).toMatchObject({ step: 1, explanation: { skillId: "retrieval_failure" } });
  });
});

describe("hasp mcp and a hostile caller", () => {
  it.each([
    "../elsewhere",
    "../../etc/passwd",
    "/etc",
    "skills/web-search/linked",
    "\0",
    "C:\\Windows",
    "x".repeat(400),
    "--help",
  ])("reads nothing outside the workspace: %j", async (skill) => {
    const { text, isError } = await call("hasp_validate_skill", { skill });
    expect(isError).toBe(true);
    expect(text).not.toContain("secret words");
    expect((await call("hasp_backtest_skill", { skill: SKILL, runs: [skill] })).isError).toBe(true);
    expect((await call("hasp_backtest_skill", { skill: SKILL, corpus: skill })).isError).toBe(true);
  });

  it.each([
    {},
    { skill: 5 },
    { skill: "" },
    { skill: "x".repeat(10_000) },
    { skill: SKILL, more: true },
    { skill: ["a"] },
    { skill: Array.from({ length: 5_000 }, () => 1) },
  ])("refuses an input of another shape and goes on: %#", async (input) => {
    const { isError } = await call("hasp_validate_skill", input).catch(() => ({ isError: true }));
    expect(isError).toBe(true);
    expect((await call("hasp_list_skills")).isError).toBe(false);
  });

  it("says which episodes and steps there are", async () => {
    const wrong = { skill: SKILL, run: RUN, episode: "999", step: 1 };
    expect((await call("hasp_explain_step", wrong)).text).toContain("from 1 to");
    expect((await call("hasp_explain_step", { ...wrong, episode: "1", step: 99 })).text).toContain(
      "no step 99",
    );
    expect((await call("hasp_validate_skill", { skill: "retrieval_failur" })).text).toContain(
      "Did you mean retrieval_failure?",
    );
  });

  it("lets no text of a skill pass as one of ours, and clips it", async () => {
    writeSkill(
      "loud",
      `import { ProgramFunction, noop } from "hasp";
export default class Loud extends ProgramFunction {
  shouldActivate() { throw new Error("\\u001b[2J\\u202e" + "x".repeat(100_000)); }
  intervene() { return noop("n"); }
}
`,
    );
    const { text, data } = await call("hasp_validate_skill", { skill: "skills/web-search/loud" });
    expect(`${text}${JSON.stringify(data)}`).not.toMatch(/\p{Bidi_C}|(?!\n)\p{Cc}/u);
    expect(text.length).toBeLessThan(20_000);
    rmSync(path.join(WORKSPACE, "skills/web-search/loud"), { recursive: true });
  });

  it("ends a call that is cancelled, and answers the next", async () => {
    writeSkill(
      "endless",
      `import { ProgramFunction, noop, type ActionType, type Intervention, type StepContext } from "hasp";
export default class Endless extends ProgramFunction {
  override shouldActivate(_c: StepContext, _t: ActionType, _a: string): boolean { for (;;); }
  override intervene(_c: StepContext, _t: ActionType, _a: string): Intervention { return noop("n"); }
}
`,
    );
    const abort = new AbortController();
    const asked = client.callTool(
      { name: "hasp_backtest_skill", arguments: { skill: "skills/web-search/endless" } },
      undefined,
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 300);
    await expect(asked).rejects.toThrow();
    expect((await call("hasp_list_skills")).isError).toBe(false);
    rmSync(path.join(WORKSPACE, "skills/web-search/endless"), { recursive: true });
  });
});
