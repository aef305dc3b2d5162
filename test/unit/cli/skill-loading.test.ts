import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadingLine, loadingOf } from "../../../src/cli/skill-loading.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";

let place = "";
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), "hasp-skill-loading-"));
  mkdirSync(path.join(place, "bin"));
  const skill = (name: string, mark: string): void => {
    mkdirSync(path.join(place, name));
    writeFileSync(
      path.join(place, name, "SKILL.md"),
      `${mark}---\nname: ${name}\ndescription: Use it.\n---\n`,
    );
  };
  skill("plain", "");
  skill("marked", "\uFEFF");
});
afterEach(() => rmSync(place, { recursive: true }));

/** A program of the host's name. */
function install(name: string, script: string): void {
  const file = path.join(place, "bin", name);
  writeFileSync(file, `#!${process.execPath}\n${script}`);
  chmodSync(file, 0o755);
}

async function lines(host: "claude-code" | "codex"): Promise<string[]> {
  const env = { PATH: `${path.join(place, "bin")}${path.delimiter}/usr/bin${path.delimiter}/bin` };
  const found = await inSurroundings({ cwd: place, env }, () =>
    loadingOf(["plain", "marked"], [host], nodeFiles()),
  );
  return ["plain", "marked"].map((name) => (found.get(name) ?? []).map(loadingLine).join());
}

const BY_RULES = [
  "codex loads it as plain: Use it. (by the rules read from version 0.171.0: no codex answers here)",
  "codex does not load it: missing YAML frontmatter delimited by --- (by the rules read from version 0.171.0: no codex answers here)",
];

describe("Whether a host loads a skill", () => {
  test("is said by the rules where the host is not installed", async () => {
    expect(await lines("codex")).toEqual(BY_RULES);
  });

  test.each([
    ["ends at once", "process.exit(3)"],
    ["prints no answer", "console.log('Usage: codex'); console.log('{\"id\":7}'); console.log('[')"],
    ["answers in part", 'console.log(\'{"id":1,"result":{}}\'); process.exit(0)'],
  ])("is said by the rules where the host %s", async (_, script) => {
    install("codex", script);
    expect(await lines("codex")).toEqual(BY_RULES);
  });

  test("is said by the host where it answers, whatever its version makes of the file", async () => {
    const answer = `
      const fs = require("node:fs");
      const at = (name) => process.cwd() + "/.agents/skills/" + name + "/SKILL.md";
      const skills = ["marked"].map((name) => ({ name, description: fs.readFileSync(at(name), "utf8").length + " characters", path: at(name) }));
      const errors = [{ path: at("plain"), message: "a rule of tomorrow" }];
      console.log(JSON.stringify({ id: 1, result: { userAgent: "hasp/9.1.0 (any)" } }));
      console.log(JSON.stringify({ id: 2, result: { data: [{ skills, errors }] } }));
      setInterval(() => undefined, 1000);`;
    install("codex", answer);
    expect(await lines("codex")).toEqual([
      "codex 9.1.0 does not load it: a rule of tomorrow",
      "codex 9.1.0 loads it as marked: 43 characters",
    ]);
  });

  test("is said of Claude Code, which lists all, by the description that it shows", async () => {
    const answer = `
      const at = (name) => process.cwd() + "/.claude/skills/" + name + "/SKILL.md";
      const say = (request_id, response) => console.log(JSON.stringify({ type: "control_response", response: { request_id, response } }));
      const commands = [["plain", "--- (project)"], ["marked", "Use it. (project)"], ["plain", "Somebody else's (user)"]];
      say("initialize", { claude_code_version: "3.0.0", commands: commands.map(([name, description]) => ({ name, description })) });
      say("get_context_usage", { skills: { skillFrontmatter: [{ name: "plain", path: at("plain") }, { name: "marked", path: at("marked") }] } });`;
    install("claude", answer);
    expect(await lines("claude-code")).toEqual([
      'claude-code 3.0.0 lists it without its frontmatter: its description there is "---"',
      "claude-code 3.0.0 loads it as marked: Use it.",
    ]);
  });

  test("is asked with nothing of the person's own, and leaves nothing behind", async () => {
    const seen = path.join(place, "seen.json");
    install(
      "claude",
      `require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, cwd: process.cwd() })); process.exit(1)`,
    );
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("hasp-loading-"));
    const [plain] = await lines("claude-code");
    expect(plain).toContain("by the rules read from version 2.1.332");
    const { env, cwd } = JSON.parse(
      ((await nodeFiles().readText(seen, 100_000)) as { text: string }).text,
    ) as {
      env: Record<string, string>;
      cwd: string;
    };
    expect(env["HOME"]).toContain("hasp-loading-");
    expect(env["CLAUDE_CONFIG_DIR"]?.startsWith(env["HOME"] ?? "none")).toBe(true);
    expect(env["ANTHROPIC_BASE_URL"]).toBe("http://127.0.0.1:9");
    expect(Object.keys(env).filter((name) => /KEY|TOKEN/.test(name))).toEqual([]);
    expect(cwd).toContain("hasp-loading-");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("hasp-loading-"))).toEqual(before);
  });
});
