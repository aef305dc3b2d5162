import { TIMEOUT_S, type HostConfig } from "./host-config.ts";
import { commandLine, isForWindows, wordsFor } from "./command-line.ts";

/**
 * Copilot CLI and VS Code's Copilot sessions: a file of our own. Events in camelCase do not say their name, so the command line does. A
 * hook that crashes before a call denies it, a timeout lets it pass.
 */
export const copilotConfig: HostConfig = {
  host: "copilot",
  title: "Copilot",
  places: {
    user: { base: "home", path: ".copilot/hooks/hasp-copilot.json" },
    project: { base: "project", path: ".github/hooks/hasp-copilot.json" },
  },
  scope: "user",
  own: true,
  head: { version: 1 },
  events: [
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "subagentStop",
    "sessionEnd",
  ],
  entry(event, program) {
    const words = wordsFor(program, "copilot", event);
    return {
      type: "command",
      bash: commandLine(words, "sh"),
      ...(isForWindows(program) && { powershell: commandLine(words, "powershell") }),
      timeoutSec: TIMEOUT_S,
    };
  },
};
