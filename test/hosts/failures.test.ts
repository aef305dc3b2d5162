import { rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import { turns } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

/** The program of a hook that answers every event but the one before a call, of which it does this. */
const beforeCalls = (script: string): string => `const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  if (JSON.parse(Buffer.concat(chunks)).hook_event_name !== "PreToolUse") return console.log("{}");
  ${script}
});`;

const DENIED = {
  hookEventName: "PreToolUse",
  permissionDecision: "deny",
  permissionDecisionReason: "too late",
};
/** Longer than a host waits for the hooks that we install. */
const SLOW = beforeCalls(
  `setTimeout(() => console.log(${JSON.stringify(JSON.stringify({ hookSpecificOutput: DENIED }))}), 30_000);`,
);

/** What stands in the place of our program once its hooks are installed. */
const FAULTS: Readonly<Record<string, string | undefined>> = {
  "cannot start": undefined,
  "dies of a signal": beforeCalls('process.kill(process.pid, "SIGKILL");'),
  "ends with an error": beforeCalls('console.error("broken"); process.exit(1);'),
};

let scene: HostScene;
afterEach(() => scene.close());

const reset = () => scene.run("Tidy up.", turns({ calls: [scene.host.shell("git reset --hard")] }));

function breakHook(script: string | undefined): void {
  const hook = scene.installCopy();
  if (script === undefined) rmSync(hook);
  else writeFileSync(hook, script);
}

function failClosed(): void {
  scene.write("hasp.yaml", "hook:\n  on_failure: closed\n");
  scene.hasp("hook", "trust", "--yes");
}

describe.each(Object.values(REAL_HOSTS))("$name", (host) => {
  beforeEach(() => {
    scene = openHostScene(host);
    scene.write("app.txt", "two\n");
  });

  test("a copy of the program refuses as the program does", async () => {
    scene.installCopy();
    await reset();
    expect(scene.read("app.txt")).toBe("two\n");
  });

  test.each(Object.entries(FAULTS))(
    "a hook that %s lets the call run and the agent end",
    async (_fault, script) => {
      breakHook(script);
      const { read, code } = await reset();
      expect(scene.read("app.txt")).toBe("one\n");
      expect(read).toContain("HEAD is now at");
      expect(code).toBe(0);
    },
  );

  test("a hook that is slower than the host waits lets the call run", async () => {
    breakHook(SLOW);
    const { read } = await reset();
    expect(scene.read("app.txt")).toBe("one\n");
    expect(read).not.toContain("too late");
  });
});

describe("with `on_failure: closed`", () => {
  const faults = { ...FAULTS, "is slower than the host waits": SLOW };

  test.each(Object.entries(faults))(
    "claude-code lets no call run where a hook %s",
    async (_fault, script) => {
      scene = openHostScene(REAL_HOSTS["claude-code"]);
      scene.write("app.txt", "two\n");
      failClosed();
      breakHook(script);
      const { read } = await reset();
      expect(scene.read("app.txt")).toBe("two\n");
      expect(read).toContain('blocking because onFailure is "block"');
    },
  );

  test("codex has no such setting: it lets the call run", async () => {
    scene = openHostScene(REAL_HOSTS.codex);
    scene.write("app.txt", "two\n");
    failClosed();
    breakHook(undefined);
    await reset();
    expect(scene.read("app.txt")).toBe("one\n");
  });
});
