import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { agentHostCommand, ALONE } from "../../../scripts/lib/agent-hosts.mts";
import type { HostScene } from "./host-scene.ts";
import { type Script, startModel } from "./model-server.ts";

/** Milliseconds for what a person waits for: the host answers in one or two seconds. */
const SHOWN = 60_000;
/** Milliseconds between two looks. */
const LOOK = 100;
/** Milliseconds between two keys. Keys that arrive in one piece are a paste, and an Escape with more behind it is another key. */
const BETWEEN_KEYS = 300;

export const KEYS = { enter: "\r", escape: "\u001B", up: "\u001B[A", clear: "\u0015" } as const;

/** Claude Code as a person sees it: in a terminal, which is a pair of pipes here. */
export interface Terminal {
  /** Presses keys, one after the other. A text is typed at once. */
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until the host draws this, in what came since the last key. A gap between words may be a move of the cursor. */
  shows(words: string): Promise<void>;
  close(): Promise<void>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
const bare = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s/g, "");

/** A person who has used the host before, and trusts the repository. */
function beKnown({ home, repo }: HostScene): void {
  mkdirSync(path.join(home, ".claude"));
  const known = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: ["dummy"], rejected: [] },
    projects: { [repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(path.join(home, ".claude/.claude.json"), JSON.stringify(known));
}

/** Opens Claude Code in the repository of a scene, with a model that follows a script. */
export async function openTerminal(scene: HostScene, script: Script): Promise<Terminal> {
  beKnown(scene);
  const model = await startModel(scene.host.api, script);
  const inside = [process.execPath, path.join(import.meta.dirname, "inside.mts"), model.socket, "8432"];
  const mode = "--permission-mode acceptEdits --allowedTools=Bash,Read,Edit,Write".split(" ");
  const command = [...inside, ...agentHostCommand("claude-code"), ...mode].map(quoted).join(" ");
  const [file = "", ...alone] = ALONE;
  // `script` (util-linux) gives the command a terminal.
  const typed = ["script", "--quiet", "--flush", "--return", "--command"];
  const child = spawn(file, [...alone, ...typed, `stty cols 110 rows 40; ${command}`, "/dev/null"], {
    cwd: scene.repo,
    env: { ...scene.env, TERM: "xterm-256color" },
  });
  let drawn = "";
  child.stdout.on("data", (piece: Buffer) => (drawn += String(piece)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    async press(...keys) {
      for (const key of keys) {
        await delay(BETWEEN_KEYS);
        drawn = "";
        child.stdin.write(key);
      }
    },
    async shows(words) {
      for (const end = Date.now() + SHOWN; !bare(drawn).includes(bare(words)); await delay(LOOK))
        if (Date.now() > end || child.exitCode !== null)
          throw new Error(`Claude Code did not show "${words}":\n${stripVTControlCharacters(drawn)}`);
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
      await model.close();
    },
  };
}
