import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";

/** What people ask of `hasp hook`, in a repository that brings a skill of its own. */
const folder = mkdtempSync(path.join(tmpdir(), "hasp-hook-people-"));
const repo = path.join(folder, "my repo");
const env = { PATH: process.env["PATH"], HOME: path.join(folder, "home") };
/** The skills are compiled for each content. */
const COMPILES = 60_000;
const SETTINGS = path.join(repo, ".claude/settings.local.json");
const MINE = '{\n  // mine\n  "model": "x"\n}\n';

beforeAll(() => {
  mkdirSync(path.join(repo, ".git"), { recursive: true });
  mkdirSync(path.dirname(SETTINGS), { recursive: true });
  cpSync(
    path.join(ROOT, "skills/coding-agent/force-push"),
    path.join(repo, "skills/coding-agent/force-push"),
    {
      recursive: true,
    },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => haspIn(["hook", ...args], { cwd: repo, env });
const hasp = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await run(...args);
  if (code !== 0) throw new Error(err);
  return out;
};
const trust = async () =>
  JSON.parse(await hasp("trust", "--json")) as { readonly trusted: boolean; readonly changed: boolean };

describe("hasp hook, for people", () => {
  it("writes nothing without a yes, keeps a backup, and leaves no trace", async () => {
    writeFileSync(SETTINGS, MINE);
    const asked = await run("install", "--host", "claude-code");
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining("Nobody is there to ask")]);
    expect(asked.out).toContain('+    "PreToolUse": [');
    expect(readFileSync(SETTINGS, "utf8")).toBe(MINE);
    await hasp("install", "--host", "claude-code", "--yes");
    const backups = readdirSync(path.dirname(SETTINGS)).filter((name) => name.includes(".hasp-backup-"));
    expect(backups.map((name) => readFileSync(path.join(path.dirname(SETTINGS), name), "utf8"))).toEqual([
      MINE,
    ]);
    expect(await hasp("install", "--host", "claude-code", "--yes")).toContain("asks HASP already");
    await hasp("uninstall", "--host", "claude-code", "--yes");
    expect(readFileSync(SETTINGS, "utf8")).toBe(MINE);
  });

  it("refuses a broken file with its line, and changes nothing", async () => {
    writeFileSync(SETTINGS, '{\n  "a": 1\n  "b": 2\n}');
    const { code, err } = await run("install", "--host", "claude-code", "--yes");
    expect([code, err]).toEqual([2, expect.stringMatching(/settings\.local\.json:3:3 {2}error {2}HASP580/)]);
  });

  it("trusts exactly one content of the repository's skills", { timeout: COMPILES }, async () => {
    expect(await trust()).toMatchObject({ trusted: false, changed: false });
    expect(await hasp("trust", "--yes")).toContain("change or refuse calls");
    expect(await trust()).toMatchObject({ trusted: true });
    writeFileSync(path.join(repo, "skills/coding-agent/force-push/pf.ts"), "\n// another\n", { flag: "a" });
    expect(await trust()).toMatchObject({ trusted: false, changed: true });
    await hasp("trust", "--revoke");
    expect(await trust()).toMatchObject({ trusted: false, changed: false });
  });

  it(
    "writes `on_failure: closed` into Claude Code's own setting once somebody said yes to it",
    { timeout: COMPILES },
    async () => {
      rmSync(SETTINGS, { force: true });
      const config = path.join(repo, "hasp.yaml");
      writeFileSync(config, "hook:\n  on_failure: closed\n");
      const install = () => hasp("install", "--host", "claude-code", "--yes");
      const blocks = () => readFileSync(SETTINGS, "utf8").match(/"onFailure": "block"/g)?.length ?? 0;
      const status = async () => (await run("status", "--host", "claude-code")).out;
      await install();
      expect(blocks()).toBe(0);
      expect(await status()).not.toContain("HASP850");
      await hasp("trust", "--yes");
      expect(await status()).toContain("HASP850");
      await install();
      expect(blocks()).toBe(2);
      expect(await status()).not.toContain("HASP850");
      await hasp("trust", "--revoke");
      expect(await status()).toContain("HASP850");
      await hasp("uninstall", "--host", "claude-code", "--yes");
      rmSync(config);
    },
  );

  it(
    "explains a call that nobody made: who would fire, why, and what each host would hear",
    { timeout: COMPILES },
    async () => {
      const said = await hasp("explain", "git push --force origin main");
      expect(said).toMatch(/^as step 1: Bash\(git push --force origin main\)/);
      expect(said).toMatch(
        /force_push, today applied: [^]*decided at builtin:coding-agent\/force-push\/pf\.ts:\d+/,
      );
      for (const host of ["claude-code", "vscode", "copilot", "codex"])
        expect(said).toContain(`${host} is answered {`);
      expect(existsSync(path.join(repo, ".hasp/runs"))).toBe(false);
    },
  );
});
