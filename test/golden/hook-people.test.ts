import { execFileSync, spawnSync } from "node:child_process";
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

const words = (...args: string[]): string[] => [path.join(ROOT, "dist/hasp.cjs"), "hook", ...args];
const hasp = (...args: string[]): string =>
  execFileSync(process.execPath, words(...args), { cwd: repo, env, encoding: "utf8" });
const trust = (): { trusted: boolean; changed: boolean } => JSON.parse(hasp("trust", "--json")) as never;

describe("hasp hook, for people", () => {
  it("writes nothing without a yes, keeps a backup, and leaves no trace", () => {
    writeFileSync(SETTINGS, MINE);
    const asked = spawnSync(process.execPath, words("install", "--host", "claude-code"), {
      cwd: repo,
      env,
      encoding: "utf8",
    });
    expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining("Nobody is there to ask")]);
    expect(asked.stdout).toContain('+    "PreToolUse": [');
    expect(readFileSync(SETTINGS, "utf8")).toBe(MINE);
    hasp("install", "--host", "claude-code", "--yes");
    const backups = readdirSync(path.dirname(SETTINGS)).filter((name) => name.includes(".hasp-backup-"));
    expect(backups.map((name) => readFileSync(path.join(path.dirname(SETTINGS), name), "utf8"))).toEqual([
      MINE,
    ]);
    expect(hasp("install", "--host", "claude-code", "--yes")).toContain("asks HASP already");
    hasp("uninstall", "--host", "claude-code", "--yes");
    expect(readFileSync(SETTINGS, "utf8")).toBe(MINE);
  });

  it("refuses a broken file with its line, and changes nothing", () => {
    writeFileSync(SETTINGS, '{\n  "a": 1\n  "b": 2\n}');
    const { status, stderr } = spawnSync(
      process.execPath,
      words("install", "--host", "claude-code", "--yes"),
      {
        cwd: repo,
        env,
        encoding: "utf8",
      },
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/settings\.local\.json:3:3 {2}error {2}HASP580/),
    ]);
  });

  it("trusts exactly one content of the repository's skills", { timeout: COMPILES }, () => {
    expect(trust()).toMatchObject({ trusted: false, changed: false });
    expect(hasp("trust", "--yes")).toContain("change or refuse calls");
    expect(trust()).toMatchObject({ trusted: true });
    writeFileSync(path.join(repo, "skills/coding-agent/force-push/pf.ts"), "\n// another\n", { flag: "a" });
    expect(trust()).toMatchObject({ trusted: false, changed: true });
    hasp("trust", "--revoke");
    expect(trust()).toMatchObject({ trusted: false, changed: false });
  });

  it(
    "explains a call that nobody made: who would fire, why, and what each host would hear",
    { timeout: COMPILES },
    () => {
      const said = hasp("explain", "git push --force origin main");
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
