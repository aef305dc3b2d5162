import { TIMEOUT_S, type HostConfig } from "./host-config.ts";
import { commandLine, isForWindows, wordsFor } from "./command-line.ts";

const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse"]);
/** Codex gives the end of a session no more. Seconds. */
const END_TIMEOUT_S = 3;

/** Codex's hooks.json. It runs a new or changed hook only after the person has looked at it there. */
export const codexConfig: HostConfig = {
  host: "codex",
  title: "Codex",
  places: {
    user: { base: "config", path: "hooks.json" },
    project: { base: "project", path: ".codex/hooks.json" },
  },
  configFolder: { variable: "CODEX_HOME", path: ".codex" },
  scope: "user",
  own: false,
  head: {},
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "SubagentStop",
    "SessionEnd",
  ],
  entry(event, program) {
    const words = wordsFor(program, "codex", event);
    const handler = {
      type: "command",
      command: commandLine(words, "sh"),
      ...(isForWindows(program) && { commandWindows: commandLine(words, "windows") }),
      timeout: event === "SessionEnd" ? END_TIMEOUT_S : TIMEOUT_S,
    };
    return { ...(TOOL_EVENTS.has(event) && { matcher: "*" }), hooks: [handler] };
  },
  after:
    "Codex runs a new hook only after you have looked at it: type /hooks in Codex. Until then codex exec leaves it out without a word.",
};
