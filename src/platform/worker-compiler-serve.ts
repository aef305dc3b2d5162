import { allDomains } from "../domains/registry.ts";
import { connect } from "../protocol/connection.ts";
import { createChecker } from "../skill/checker.ts";
import { instrument } from "../skill/instrument.ts";
import { parseCases } from "../skill/parse-cases.ts";
import { checkPf } from "../skill/pf-rules.ts";
import { promptEquivalence } from "../skill/prompt-equivalent.ts";
import { transpile } from "../skill/transpile.ts";
import { channelToParent } from "./worker-channel.ts";
import type { CompilerWorkerContract, NoContract } from "./worker-contract.ts";

/** Milliseconds without a request after which the compiler warms up: a CLI run is over by then, an editor is not. */
const IDLE_MS = 300;

/** Calls `work` once, when `busy` has not been called for IDLE_MS. Keeps no process alive. */
function onceIdle(work: () => void): { busy(): void } {
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  return {
    busy() {
      clearTimeout(timer);
      if (done) return;
      timer = setTimeout(() => {
        done = true;
        work();
      }, IDLE_MS).unref();
    },
  };
}

/** The worker's side of worker-compiler.ts. */
export function serveCompiler(): void {
  const checker = createChecker(allDomains());
  const idle = onceIdle(() => checker.warmUp());
  const connection = connect<NoContract, CompilerWorkerContract>(channelToParent());
  connection.handle("ready", async () => null);
  connection.handle("loadTypes", async () => {
    checker.loadTypes();
    return null;
  });
  connection.handle("check", async ({ file, source }) => {
    idle.busy();
    return checkPf(checker, file, source, allDomains());
  });
  connection.handle("transpile", async ({ file, source }) => {
    idle.busy();
    return transpile(source, file);
  });
  connection.handle("instrument", async ({ file, source }) => instrument(source, file));
  connection.handle("parseCases", async ({ file, source }) => parseCases(source, file, allDomains()));
  connection.handle("promptEquivalence", async ({ file, source }) => promptEquivalence(file, source));
}
