import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "hasp-old-node-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes this Node an old one, as far as our bundles have met one: its version, and what it lacks. */
const OLD_NODE = path.join(folder, "old-node.cjs");
writeFileSync(
  OLD_NODE,
  `delete Promise.withResolvers;
const versions = { ...process.versions, node: "20.20.2" };
Object.defineProperty(process, "versions", { value: versions });\n`,
);

const onOldNode = (args: readonly string[], input = "") =>
  execa(process.execPath, ["-r", OLD_NODE, path.resolve("dist/hasp.cjs"), ...args], {
    cwd: folder,
    env: { HOME: folder, XDG_CACHE_HOME: path.join(folder, "cache") },
    input,
    reject: false,
  });

describe("On a Node that is too old", () => {
  it.each([["serve"], ["mcp"], ["job-runner"], ["--version"]])("hasp %s does not begin", async (command) => {
    const { exitCode, stdout, stderr } = await onOldNode([command]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("hasp needs Node 22 or newer; this is Node 20.20.2");
    expect(stderr).toContain("→ Put a newer Node first on the PATH");
  });

  it("a hook answers as ever", async () => {
    const event = {
      session_id: "old",
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "rm -rf /" },
    };
    const args = ["hook", "--host", "claude-code", "--no-resident"];
    const { exitCode, stdout, stderr } = await onOldNode(args, JSON.stringify(event));
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});
