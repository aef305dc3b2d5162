import { spawn } from "node:child_process";
import process from "node:process";
import type { JsonRecord } from "../trace/formats/records.ts";
import { currentFolder, variables } from "./surroundings.ts";

/** What an installed command line answered to a test event. */
export interface ProbeAnswer {
  readonly ms: number;
  /** Null: it was killed, or never ran. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Characters of each output that are kept. */
const KEPT = 20_000;

function start(handler: JsonRecord): ReturnType<typeof spawn> {
  const text = (key: string): string | undefined => {
    const value = handler[key];
    return typeof value === "string" ? value : undefined;
  };
  const { args } = handler;
  const options = { cwd: currentFolder(), env: { ...variables() }, windowsHide: true };
  if (Array.isArray(args)) return spawn(text("command") ?? "", args.map(String), options);
  if (process.platform !== "win32") {
    const line = text("bash") ?? text(process.platform === "darwin" ? "osx" : "linux") ?? text("command");
    return spawn("sh", ["-c", line ?? "exit 127"], options);
  }
  const line = text("powershell") ?? text("windows") ?? text("commandWindows") ?? text("command");
  if (text("powershell") !== undefined)
    return spawn("powershell", ["-NoProfile", "-Command", line ?? ""], options);
  return spawn(line ?? "", { ...options, shell: true });
}

/** Runs the command line of an installed hook as its host does, with one event on its standard input. */
export function probeHook(handler: JsonRecord, event: string, timeoutMs: number): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = start(handler);
    const out = { stdout: "", stderr: "" };
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const end = (exitCode: number | null): void => {
      clearTimeout(timer);
      resolve({ ms: Math.round(performance.now() - began), exitCode, ...out });
    };
    child.stdout?.on(
      "data",
      (piece: Buffer) => (out.stdout = (out.stdout + piece.toString("utf8")).slice(0, KEPT)),
    );
    child.stderr?.on(
      "data",
      (piece: Buffer) => (out.stderr = (out.stderr + piece.toString("utf8")).slice(0, KEPT)),
    );
    child.once("error", (error) => {
      out.stderr = error.message;
      end(null);
    });
    child.once("close", end);
    // A command that is not there closes its input at once.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(event);
  });
}
