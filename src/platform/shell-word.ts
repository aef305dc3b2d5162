import process from "node:process";
import { commandLine } from "../agents/hook/install/command-line.ts";

/** A word as a person types it into the shell of this system; plain words stay as they are. */
export function shellWord(word: string): string {
  return commandLine([word], process.platform === "win32" ? "windows" : "sh");
}
