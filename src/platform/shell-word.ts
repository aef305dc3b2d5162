import process from "node:process";
import { commandLine } from "../agents/hook/install/command-line.ts";

/** A word as a person types it into the shell of this system; plain words stay as they are. */
export function shellWord(word: string): string {
  return shellLine([word]);
}

/** A command as a person types it into the shell of this system. */
export function shellLine(words: readonly string[]): string {
  return commandLine(words, process.platform === "win32" ? "windows" : "sh");
}
