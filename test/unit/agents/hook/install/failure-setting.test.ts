import { describe, expect, it } from "vitest";
import { HOOK_HOSTS } from "../../../../../src/agents/hook/event.ts";
import { readConfigText } from "../../../../../src/agents/hook/install/config-text.ts";
import { failureFor, failureWarning } from "../../../../../src/agents/hook/install/failure-setting.ts";
import { hookCall } from "../../../../../src/agents/hook/install/hook-call.ts";
import { HOST_CONFIGS } from "../../../../../src/agents/hook/install/host-configs.ts";
import { handlersOf, isOurHandler } from "../../../../../src/agents/hook/install/our-hooks.ts";
import { planInstall, planUninstall } from "../../../../../src/agents/hook/install/plan.ts";

const PROGRAM = { file: "hasp", args: ["hook"] };
const FILE = "settings.json";
const claude = HOST_CONFIGS["claude-code"];
const installed = (text: string | undefined, onFailure: "open" | "closed"): string =>
  planInstall(claude, text, FILE, PROGRAM, onFailure).value?.text ?? "";
const handlersIn = (text: string) =>
  Object.entries(readConfigText(text, FILE).value?.hooks ?? {}).flatMap(([event, list]) =>
    list.flatMap(handlersOf).map((handler) => [event, handler as Record<string, unknown>] as const),
  );
const blocking = (text: string) =>
  handlersIn(text).flatMap(([event, { onFailure }]) => (onFailure === undefined ? [] : [[event, onFailure]]));

describe("on_failure: closed", () => {
  it("has Claude Code refuse what it cannot ask about, and nothing else", () => {
    expect(blocking(installed(undefined, "closed"))).toEqual([
      ["PreToolUse", "block"],
      ["PreSkillShellCommand", "block"],
    ]);
    expect(blocking(installed(undefined, "open"))).toEqual([]);
  });

  it("is written and taken back by installing again, and such hooks are ours", () => {
    const open = installed(undefined, "open");
    const closed = installed(open, "closed");
    expect(closed).toBe(installed(undefined, "closed"));
    expect(installed(closed, "closed")).toBe(closed);
    expect(installed(closed, "open")).toBe(open);
    for (const [event, handler] of handlersIn(closed)) {
      expect(isOurHandler(claude, event, handler)).toBe(true);
      expect(hookCall(handler)).toMatchObject({ program: PROGRAM, event });
    }
    expect(planUninstall(claude, closed, FILE, []).value?.text).toBeUndefined();
  });

  it("is ours in that form alone", () => {
    const [[, handler]] = handlersIn(installed(undefined, "closed")) as [[string, object]];
    for (const other of [
      { onFailure: "continue" },
      { onFailure: true },
      { onFailure: null },
      { onfailure: "block" },
    ])
      expect(hookCall({ ...handler, ...other })).toBeUndefined();
    const line = { type: "command", command: "hasp hook --host claude-code --event PreToolUse" };
    expect(hookCall(line)).toBeDefined();
    expect(hookCall({ ...line, onFailure: "block" })).toBeUndefined();
  });

  it("is a workspace's word: hooks of all projects, and of hosts that know no such word, stay as they are", () => {
    expect(failureFor(claude, "local", "closed")).toBe("closed");
    expect(failureFor(claude, "user", "closed")).toBe("open");
    for (const host of HOOK_HOSTS.filter((one) => one !== "claude-code"))
      expect(failureFor(HOST_CONFIGS[host], "project", "closed")).toBe("open");
  });
});

describe("hooks and setting that differ", () => {
  const warned = (text: string, scope: "local" | "user", setting: "open" | "closed") => {
    const { value } = readConfigText(text, FILE);
    if (value === undefined) throw new Error("It cannot be read.");
    const warning = failureWarning(claude, scope, value, FILE, setting);
    return warning === undefined ? undefined : [warning.code, warning.severity, warning.next];
  };

  it.each([
    ["open", "local", "closed", "--local"],
    ["closed", "local", "open", "--local"],
    ["open", "user", "closed", "--local"],
  ] as const)("hooks %s (%s), setting %s: installing again is named", (hooks, scope, setting, named) => {
    const next = `hasp hook install --host claude-code ${named}`;
    expect(warned(installed(undefined, hooks), scope, setting)).toEqual(["HASP850", "warning", next]);
  });

  it("says nothing where they agree, or where no hook of ours is", () => {
    expect(warned(installed(undefined, "closed"), "local", "closed")).toBeUndefined();
    expect(warned(installed(undefined, "open"), "local", "open")).toBeUndefined();
    expect(warned('{"hooks": {}}', "local", "closed")).toBeUndefined();
  });
});
