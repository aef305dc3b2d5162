import { spawn } from "node:child_process";
import process from "node:process";
import type { HookHost } from "../agents/hook/event.ts";
import { currentFolder, variables } from "./surroundings.ts";

/** The answer of our own hook to a test event. */
export interface ProbeAnswer {
  readonly ms: number;
  /** Null: it was killed, or never ran. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Characters of each output that are kept. */
const KEPT = 20_000;

/** A test event and the hook that gets it. */
export interface Probe {
  /** Our own hook.cjs. */
  readonly hook: string;
  readonly host: HookHost;
  /** The host's name of the event. */
  readonly name: string;
  /** The event, as JSON. */
  readonly event: string;
  readonly timeoutMs: number;
}

/** Runs our own hook with one event on its standard input. Nothing of a configuration file is in its command. */
export function probeHook({ hook, host, name, event, timeoutMs }: Probe): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const began = performance.now();
    const options = { cwd: currentFolder(), env: { ...variables() }, windowsHide: true };
    const child = spawn(process.execPath, [hook, "--host", host, "--event", name], options);
    const out = { stdout: "", stderr: "" };
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const end = (exitCode: number | null): void => {
      clearTimeout(timer);
      resolve({ ms: Math.round(performance.now() - began), exitCode, ...out });
    };
    child.stdout.on(
      "data",
      (piece: Buffer) => (out.stdout = (out.stdout + piece.toString("utf8")).slice(0, KEPT)),
    );
    child.stderr.on(
      "data",
      (piece: Buffer) => (out.stderr = (out.stderr + piece.toString("utf8")).slice(0, KEPT)),
    );
    child.once("error", (error) => {
      out.stderr = error.message;
      end(null);
    });
    child.once("close", end);
    child.stdin.on("error", () => undefined);
    child.stdin.end(event);
  });
}
