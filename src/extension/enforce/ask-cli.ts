import { spawn } from "node:child_process";
import process from "node:process";
import type { OnFailure } from "../../agents/hook/install/host-config.ts";
import type { Shadow } from "../../agents/hook/install/shadows.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ProbeAnswer } from "../../platform/hook-probe.ts";
import { Failure } from "../failure.ts";

/** The answer of `hasp hook trust --json`. */
export interface TrustAnswer {
  readonly hash?: string;
  readonly trusted: boolean;
  readonly changed: boolean;
  readonly settings?: { readonly onFailure: OnFailure };
  readonly skills: readonly (Readonly<Record<"skillId" | "title" | "may" | "file", string>> & {
    readonly onLoad: readonly string[];
  })[];
}

/** The answer of `hasp hook status --json`. */
export interface StatusAnswer {
  readonly places: readonly {
    readonly file: string;
    readonly state: string;
    readonly problems: readonly string[];
    readonly notOurs: readonly Pick<Diagnostic, "code" | "file" | "message">[];
    readonly test?: ProbeAnswer & { readonly works: boolean };
  }[];
  readonly shadows: readonly Pick<Shadow, "says">[];
}

/**
 * Asks the command line that ships with the extension: it compiles skills and weighs trust as the hooks themselves do, in a process of its
 * own, so that neither TypeScript nor QuickJS comes into this one.
 */
export function askCli<T>(cli: string, cwd: string, args: readonly string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
    const child = spawn(process.execPath, [cli, ...args, "--json"], { cwd, env, windowsHide: true });
    const out: Buffer[] = [];
    const said: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => said.push(piece));
    child.once("error", reject);
    child.once("close", () => {
      try {
        resolve(JSON.parse(Buffer.concat(out).toString("utf8")) as T);
      } catch {
        const why = Buffer.concat(said).toString("utf8").trim().split("\n")[0] ?? "";
        reject(new Failure(`\`hasp ${args.join(" ")}\` gave no answer. ${why}`, "The log has the details."));
      }
    });
  });
}
