import { TIMEOUT_S, type HostConfig } from "./host-config.ts";
import { commandLine, isForWindows, wordsFor } from "./command-line.ts";

/** VS Code's Local sessions: a file of our own among those that it reads. One line for POSIX shells, one for Windows. */
export const vscodeConfig: HostConfig = {
  host: "vscode",
  title: "VS Code",
  places: {
    user: { base: "home", path: ".copilot/hooks/hasp-vscode.json" },
    project: { base: "project", path: ".github/hooks/hasp-vscode.json" },
  },
  scope: "user",
  own: true,
  head: {},
  events: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"],
  entry(event, program) {
    const words = wordsFor(program, "vscode", event);
    return {
      type: "command",
      command: commandLine(words, "sh"),
      ...(isForWindows(program) && { windows: commandLine(words, "windows") }),
      timeout: TIMEOUT_S,
    };
  },
};
