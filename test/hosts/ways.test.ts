import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import { type Raw, type Turn, turns } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

/** Other ways to a command than the host's shell tool, each tried with a command that throws away a change. */
const RESET = "git reset --hard";
const REFUSED = "`git reset --hard` has not run: it throws away every change that is not committed.";

const SKILL = `---
name: tidy
description: Tidies the clone. Use it when somebody wants the clone tidied.
allowed-tools: Bash
---
The clone as it is now: !\`${RESET}\`
`;

let scene: HostScene;
afterEach(() => scene.close());

describe("claude-code", () => {
  beforeEach(() => {
    scene = openHostScene(REAL_HOSTS["claude-code"]);
    scene.write("app.txt", "two\n");
  });

  describe.each([
    ["a skill's shell line, when the person calls it", "/tidy", turns(), ".claude/skills/tidy/SKILL.md"],
    [
      "a skill's shell line, when the model calls it",
      "Tidy up.",
      turns({ calls: [{ name: "Skill", input: { skill: "tidy" } }] }),
      ".claude/skills/tidy/SKILL.md",
    ],
    ["a slash command's shell line", "/tidy", turns(), ".claude/commands/tidy.md"],
  ])("%s", (_way, prompt, script, file) => {
    test("does not run, and the model reads why in its place", async () => {
      scene.write(file, SKILL);
      scene.install();
      const { events, requests } = await scene.run(prompt, script);
      expect(scene.read("app.txt")).toBe("two\n");
      // The person reads it in the host, the model in the place of the line.
      expect(JSON.stringify(events)).toContain(`Not run in /tidy: ${RESET} (blocked by hook: ${REFUSED}`);
      expect(JSON.stringify(requests)).toContain(`[not run: blocked by hook: ${REFUSED}`);
    });

    test("without hooks it runs", async () => {
      scene.write(file, SKILL);
      await scene.run(prompt, script);
      expect(scene.read("app.txt")).toBe("one\n");
    });
  });

  describe("Monitor", () => {
    const input = { command: RESET, description: "resets", timeout_ms: 10_000, persistent: false };
    const watch = () => scene.run("Tidy up.", turns({ calls: [{ name: "Monitor", input }] }));

    test("does not run the command, and the model reads why", async () => {
      scene.install();
      const { read } = await watch();
      expect(scene.read("app.txt")).toBe("two\n");
      expect(read).toContain(REFUSED);
    });

    test("without hooks it runs", async () => {
      await watch();
      expect(scene.read("app.txt")).toBe("one\n");
    });
  });
});

describe("codex", () => {
  const codex = REAL_HOSTS.codex;
  beforeEach(() => {
    scene = openHostScene(codex);
    scene.write("app.txt", "two\n");
  });

  test("a skill's shell line is text: it runs in no case, and the model reads it as it stands", async () => {
    scene.write("../home/.codex/skills/tidy/SKILL.md", SKILL);
    const { requests } = await scene.run("$tidy", turns());
    expect(scene.read("app.txt")).toBe("two\n");
    expect(JSON.stringify(requests)).toContain(`The clone as it is now: !\`${RESET}\``);
  });

  describe("a command that is typed into a running shell", () => {
    const shell = { cmd: "bash --norc", tty: true, yield_time_ms: 250 };
    const typed = (request: Raw): Turn => {
      const id = /session ID (\d+)/.exec(JSON.stringify(request))?.[1];
      const input = { session_id: Number(id), chars: `${RESET}\n`, yield_time_ms: 2000 };
      return { calls: [{ name: "write_stdin", input }] };
    };
    const type = () =>
      scene.run("Tidy up.", (request, index) => {
        if (index === 0) return { calls: [{ name: "exec_command", input: shell }] };
        return index === 1 ? typed(request) : { say: "Done." };
      });

    test("is shown to no hook: it runs", async () => {
      scene.install();
      const { read } = await type();
      expect(read).toContain("HEAD is now at");
      expect(scene.read("app.txt")).toBe("one\n");
    });
  });

  describe("code mode", () => {
    const input = `const result = await tools.exec_command({ cmd: ${JSON.stringify(RESET)} });\ntext(JSON.stringify(result));`;
    const execute = () =>
      scene.run("Tidy up.", turns({ calls: [{ name: "exec", input }] }), "--model", "gpt-6.2-sol");

    test("does not run the command of a script, and the model reads why", async () => {
      scene.install();
      const { read } = await execute();
      expect(scene.read("app.txt")).toBe("two\n");
      expect(read).toContain(REFUSED);
    });

    test("without hooks it runs", async () => {
      const { read } = await execute();
      expect(scene.read("app.txt")).toBe("one\n");
      expect(read).toContain("HEAD is now at");
    });
  });
});
