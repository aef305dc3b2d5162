import type { ShellCall } from "../../model/coding-context.ts";

/** Programs whose long switches have one dash: `find . -delete`, `terraform apply -auto-approve`. */
const ONE_DASH = new Set([
  "find",
  "go",
  "java",
  "javac",
  "terraform",
  "tofu",
  "openssl",
  "ffmpeg",
  "xcodebuild",
  "convert",
  "magick",
  "fd",
  "mvn",
  "pwsh",
  "powershell",
]);

/**
 * The switches of these words and the rest. Short switches stand apart (`-rf` is `r` and `f`), long ones keep their dashes and lose
 * their value; after `--` there are none. `longWithOneDash`: `-Recurse` is one switch.
 */
export function splitArgs(
  name: string,
  args: readonly string[],
  longWithOneDash = ONE_DASH.has(name),
): Pick<ShellCall, "flags" | "operands"> {
  const own = name === "find" ? withoutExecuted(args) : args;
  const end = own.indexOf("--");
  const before = end === -1 ? own : own.slice(0, end);
  const flags = new Set<string>();
  const operands: string[] = [];
  for (const arg of before) {
    if (!isSwitch(arg)) operands.push(arg);
    else for (const flag of flagsOf(arg, longWithOneDash)) flags.add(flag);
  }
  return { flags: [...flags], operands: end === -1 ? operands : [...operands, ...own.slice(end + 1)] };
}

/** The words of `find` without those of the commands that it runs. */
function withoutExecuted(args: readonly string[]): readonly string[] {
  let isInside = false;
  return args.filter((arg) => {
    const isKept = !isInside;
    if (isInside) isInside = arg !== ";" && arg !== "+";
    else isInside = /^-(?:exec|ok)(?:dir)?$/.test(arg);
    return isKept;
  });
}

function isSwitch(arg: string): boolean {
  return arg.length > 1 && arg.startsWith("-");
}

function flagsOf(arg: string, longWithOneDash: boolean): readonly string[] {
  if (arg.startsWith("--")) return [arg.split("=", 1)[0] ?? arg];
  if (longWithOneDash && arg.length > 2) return [arg.split(/[=:]/, 1)[0] ?? arg];
  return Array.from(arg.slice(1).split("=", 1)[0] ?? "");
}

/** A program without its folder: `/usr/bin/git` and `C:\bin\git.exe` are `git`. What only the shell knows stays as written. */
export function programName(written: string, pathMark: RegExp = /\//): string {
  const last = written.split(pathMark).at(-1) ?? "";
  // The last part of `$(dirname a/b)` is no name.
  const name = last === "" || /[`)}]/.test(last) ? written : last;
  return name.replace(/\.exe$/i, "");
}
