import { spawnSync } from "node:child_process";
import {
  copyFileSync,
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
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { decisionOf, DELETE_HOME } from "../support/hook-process.ts";

/** A hook takes the image of the shipped skills' sandbox wherever HASP is installed and whatever the machine's language is. */
const DIST = path.join(ROOT, "dist");
const place = mkdtempSync(path.join(tmpdir(), "hasp-installed-"));
const made = [place];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** The folder of an installation whose script `h` has a path of `length` characters. */
function folderFor(length: number): string {
  // A temporary folder of the tests' own may be longer than the shortest path.
  const room = length - "/tmp//h".length;
  const folder = `/tmp/${Math.random().toString(36).slice(2, 5).padEnd(room, "x")}`;
  mkdirSync(folder);
  made.push(folder);
  return folder;
}

/** Copies what a hook reads; its PFs are programs that do not load, so only the image can decide. */
function install(folder: string): string {
  for (const name of readdirSync(DIST))
    if (/^(?:hook-|quickjs)/.test(name)) copyFileSync(path.join(DIST, name), path.join(folder, name));
  const library = path.join(folder, "hook-library.json");
  const { skills, ...rest } = JSON.parse(readFileSync(library, "utf8")) as { skills: { program: object }[] };
  const broken = skills.map((one) => ({ ...one, program: { ...one.program, code: "throw 1;" } }));
  writeFileSync(library, JSON.stringify({ ...rest, skills: broken }));
  const script = path.join(folder, "h");
  copyFileSync(path.join(DIST, "hook.cjs"), script);
  return script;
}

function answerOf(script: string, language: string): string | undefined {
  const workspace = path.join(place, "workspace");
  mkdirSync(path.join(workspace, ".git"), { recursive: true });
  const event = {
    session_id: "s",
    cwd: workspace,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: DELETE_HOME },
    tool_use_id: script,
  };
  const { stdout: out, stderr: err } = spawnSync(
    process.execPath,
    [script, "--host", "claude-code", "--no-resident"],
    {
      cwd: workspace,
      input: JSON.stringify(event),
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: place,
        LC_ALL: language,
        XDG_CACHE_HOME: path.join(place, "cache"),
        XDG_STATE_HOME: path.join(place, "state"),
      },
    },
  );
  return decisionOf({ code: 0, signal: null, out, err });
}

it.each([10, 30, 60, 120])("is taken where the script's path has %i characters", (length) => {
  const script = install(folderFor(length));
  expect(script).toHaveLength(length);
  expect(answerOf(script, "C")).toBe("deny");
});

it.each(["fr", "de_DE.UTF-8", "zh_Hans_CN.UTF-8"])("is taken where the language is %s", (language) => {
  expect(answerOf(install(folderFor(50)), language)).toBe("deny");
});
