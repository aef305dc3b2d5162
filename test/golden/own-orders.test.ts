import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobSpec } from "../../src/model/job.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

/** Orders that lie in a clone: they act after a yes to exactly their content, and nobody else gives it. */
const PATIENCE = 120_000;

let scene: HookScene;
beforeEach(() => {
  scene = openScene("own-orders");
});
afterEach(() => scene.close());

const ID = "train-1";
const JOB: JobSpec = {
  schema: "hasp.job/1",
  id: ID,
  title: "Train",
  cwd: "../../..",
  commands: [{ program: "hasp", args: ["--version"], about: "Say the version" }],
  env: { HF_HOME: "hub" },
  passEnv: ["OPENAI_API_KEY"],
};

function clone(change: Partial<JobSpec> = {}): string {
  const folder = scene.at(".hasp/jobs", ID);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "job.json"), JSON.stringify({ ...JOB, ...change }));
  return folder;
}

const submit = (...more: readonly string[]) =>
  scene.hasp("job", "submit", ID, "--target", "local", "--follow", ...more);
const hashIn = (out: string): string => /^content +([0-9a-f]{64})$/m.exec(out)?.[1] ?? "";
const hasBegun = (): boolean => scene.running().length > 0;

describe("a job of a clone", () => {
  it("is shown and refused without a terminal, and a yes to something else does not allow it", async () => {
    clone();
    for (const more of [[], ["--yes"], [`--yes=${"0".repeat(64)}`]]) {
      const { code, out, err } = await submit(...more);
      expect([code, hasBegun()]).toEqual([3, false]);
      expect(out).toContain("command  hasp --version");
      expect(out).toContain("variable HF_HOME=hub");
      expect(out).toContain("key      OPENAI_API_KEY, where it is set");
      expect(err).toContain("You did not make the job train-1 on this machine");
    }
    expect((await scene.hasp("job", "status", ID)).out).toContain("not submitted");
  });

  it(
    "runs after a yes to its content, until that changes",
    async () => {
      clone();
      const shown = await submit();
      const allowed = await submit(`--yes=${hashIn(shown.out)}`);
      expect([allowed.code, allowed.err]).toEqual([0, ""]);
      expect((await submit()).code).toBe(0);
      clone({ title: "Train again" });
      expect((await submit()).code).toBe(3);
    },
    PATIENCE,
  );

  it(
    "is another's at another place",
    async () => {
      clone();
      await submit(`--yes=${hashIn((await submit()).out)}`);
      const copied = scene.at("copied");
      mkdirSync(copied);
      writeFileSync(path.join(copied, "job.json"), readFileSync(scene.at(".hasp/jobs", ID, "job.json")));
      expect((await scene.hasp("job", "submit", "copied", "--target", "local")).code).toBe(3);
    },
    PATIENCE,
  );

  it.each(["cancel", "fetch"])("hasp job %s asks for it, too", async (command) => {
    clone();
    expect((await scene.hasp("job", command, ID, "--yes")).code).toBe(3);
  });

  it.each([
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "PYTHONPATH",
    "PATH",
    "GIT_SSH_COMMAND",
    "BASH_ENV",
    "XDG_CONFIG_HOME",
  ])("that sets %s cannot be allowed", async (name) => {
    clone({ env: { [name]: "x" } });
    const shown = await submit();
    expect([shown.code, shown.err]).toEqual([3, expect.stringContaining(name)]);
    expect((await submit(`--yes=${hashIn(shown.out)}`)).code).toBe(3);
  });

  it.each([
    ["hook", "trust", "--yes"],
    ["links", "allow", ".hasp", "--yes"],
    ["job", "target", "allow", "--yes", "lab"],
    ["mcp", "--root", "trust"],
    ["mcp", "trust"],
  ])("that gives a consent is no job: hasp %s %s", async (...args) => {
    clone({ commands: [{ program: "hasp", args, about: "Allow" }] });
    const shown = await submit();
    expect(shown.err).toContain("gives a consent: hasp ");
    expect(shown.code).toBe(2);
  });
});

describe("commands of consent in a job", () => {
  it.each([
    ["hook", "trust", "--yes"],
    ["mcp", "trust", "--yes"],
    ["links", "allow", ".hasp", "--yes"],
  ])("hasp %s %s refuses", async (...args) => {
    scene.env["HASP_JOB"] = ID;
    const { code, err } = await scene.hasp(...args);
    expect([code, err]).toEqual([3, expect.stringContaining("cannot say yes for you")]);
  });
});
