import { readTextSync } from "./sync-files.ts";

/** The text of a file in the editor's storage that hooks start, and that starts the HASP Studio that is installed now. `hook`: its hook.cjs. */
export function launcherText(hook: string): string {
  return `// HASP Studio writes this file: coding agents start it, and it starts the HASP Studio that is installed now. Where there is none any
// more, an agent goes on as if it had never been asked.
try {
  require(${JSON.stringify(hook)}).runHook(process.argv.slice(2));
} catch {
  process.stdout.write("{}\\n");
}
`;
}

/** Whether a file is, to the letter, the one that starts this `hook`. */
export function isLauncherOf(file: string, hook: string): boolean {
  try {
    return readTextSync(file) === launcherText(hook);
  } catch {
    return false;
  }
}
