import { describe, expect, it } from "vitest";
import { HOOK_HOSTS, type HookHost } from "../../../../../src/agents/hook/event.ts";
import { readConfigText } from "../../../../../src/agents/hook/install/config-text.ts";
import { foreignHooks } from "../../../../../src/agents/hook/install/foreign-hooks.ts";
import { hookCall } from "../../../../../src/agents/hook/install/hook-call.ts";
import { HOST_CONFIGS } from "../../../../../src/agents/hook/install/host-configs.ts";
import { handlersOf, isOurHandler, ourHooks } from "../../../../../src/agents/hook/install/our-hooks.ts";
import { planInstall, planUninstall } from "../../../../../src/agents/hook/install/plan.ts";
import { beforeCall } from "../../../../../src/agents/hook/install/test-event.ts";
import { HOSTILE_LINES, lineHandler } from "../../../../support/hostile-hooks.ts";

const PROGRAMS = [
  { file: "hasp", args: ["hook"] },
  { file: "/opt/my node/bin/node", args: ["/opt/it's/dist/hook.cjs"] },
  { file: "node", args: [String.raw`C:\Users\a b\hook\hasp-hook.cjs`] },
  { file: String.raw`C:\Program Files\node.exe`, args: [String.raw`C:\hasp\dist\hook.cjs`] },
  { file: "/usr/bin/env", args: ["ELECTRON_RUN_AS_NODE=1", "/usr/share/code/code", "/s/hasp-hook.cjs"] },
];

const FILE = "settings.json";
const textWith = (event: string, handler: object): string =>
  JSON.stringify({ hooks: { [event]: [{ matcher: "*", hooks: [handler] }, handler] } });
const cases = HOOK_HOSTS.flatMap((host) => HOSTILE_LINES.map((line) => [host, line] as const));

describe("a hook entry", () => {
  it.each(HOOK_HOSTS)("%s: every form that installing writes is ours", (host) => {
    const config = HOST_CONFIGS[host];
    for (const program of PROGRAMS)
      for (const event of config.events) {
        const [handler] = handlersOf(config.entry(event, program));
        expect(hookCall(handler)).toEqual({ program, host, event });
        expect(isOurHandler(config, event, handler)).toBe(true);
      }
  });

  it("is ours with the options of `hasp hook`, and without the name of the event", () => {
    for (const args of ["--host codex", "--host codex --budget-ms 3000 --no-resident"])
      expect(hookCall({ command: `hasp hook ${args}` })).toMatchObject({ host: "codex", event: undefined });
    expect(hookCall({ command: "hasp", args: ["hook", "--host", "claude-code"], timeout: 10 })).toBeDefined();
  });

  it.each(cases)("%s: is not ours, and is named: %j", (host, line) => {
    const config = HOST_CONFIGS[host];
    const event = beforeCall(host);
    for (const handler of [lineHandler(host, line), { type: "command", command: line }]) {
      expect(isOurHandler(config, event, handler)).toBe(false);
      const text = textWith(event, handler);
      const read = readConfigText(text, FILE).value;
      if (read === undefined) throw new Error("It cannot be read.");
      const found = foreignHooks(config, read, FILE);
      expect(found).toHaveLength(2);
      expect(found.every(({ severity }) => severity === "warning")).toBe(true);
    }
  });

  it.each(cases)("%s: installing and uninstalling keep what is not ours, and say so: %j", (host, line) => {
    const config = HOST_CONFIGS[host];
    const handler = lineHandler(host, line);
    const text = textWith(beforeCall(host), handler);
    const planned = planInstall(config, text, FILE, { file: "hasp", args: ["hook"] });
    expect(planned.diagnostics).toHaveLength(2);
    const installed = planned.value?.text ?? "";
    const kept = readConfigText(installed, FILE).value;
    if (kept === undefined) throw new Error("It cannot be read.");
    expect(ourHooks(config, kept).size).toBe(config.events.length);
    const away = planUninstall(config, installed, FILE, []);
    expect(away.diagnostics).toHaveLength(2);
    expect(JSON.parse(away.value?.text ?? "")).toMatchObject(JSON.parse(text) as object);
  });

  const PLAIN = "hasp hook --host";
  it.each<[string, HookHost, object]>([
    [
      "another line for another system",
      "copilot",
      { bash: `${PLAIN} copilot`, powershell: "calc; hasp hook --host copilot" },
    ],
    ["a line of its own for macOS", "vscode", { command: `${PLAIN} vscode`, osx: "./evil" }],
    ["variables", "copilot", { bash: `${PLAIN} copilot`, env: { NODE_OPTIONS: "--require ./evil" } }],
    ["a folder of its own", "copilot", { bash: `${PLAIN} copilot`, cwd: "evil" }],
    ["a shell of its own", "claude-code", { command: `${PLAIN} claude-code`, shell: "./evil" }],
    ["words beside a line", "claude-code", { command: "sh -c", args: ["hook", "--host", "claude-code"] }],
    ["a word that is no text", "claude-code", { command: "hasp", args: ["hook", "--host", ["claude-code"]] }],
    ["another type", "claude-code", { type: "prompt", command: `${PLAIN} claude-code` }],
    ["another host", "codex", { command: `${PLAIN} copilot` }],
    ["another event", "codex", { command: `${PLAIN} codex --event Stop` }],
  ])("is not ours with %s", (_what, host, handler) => {
    expect(isOurHandler(HOST_CONFIGS[host], beforeCall(host), handler)).toBe(false);
  });

  it("that names a command of consent is warned of first, however many others there are", () => {
    const other = { command: "hasp hook --host codex; ./x" };
    const consent = { command: "sh -c \"yes | hasp hook 'trust' --yes\"" };
    const text = JSON.stringify({ hooks: { Stop: [...Array.from({ length: 200 }, () => other), consent] } });
    const read = readConfigText(text, FILE).value;
    if (read === undefined) throw new Error("It cannot be read.");
    const found = foreignHooks(HOST_CONFIGS.codex, read, FILE);
    expect(found).toHaveLength(20);
    expect(found[0]).toMatchObject({
      code: "HASP841",
      message: expect.stringContaining("`hook trust`") as string,
    });
    expect(found.at(-1)?.message).toContain("181 more");
  });
});
