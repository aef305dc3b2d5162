import { connect } from "../protocol/connection.ts";
import { createChecker } from "../skill/checker.ts";
import { instrument } from "../skill/instrument.ts";
import { checkPf } from "../skill/pf-rules.ts";
import { transpile } from "../skill/transpile.ts";
import { channelToParent } from "./worker-channel.ts";
import type { CompilerWorkerContract, NoContract } from "./worker-contract.ts";

/** The worker's side of worker-compiler.ts. The compiler warms up once nothing else waits. */
export function serveCompiler(): void {
  const checker = createChecker();
  const connection = connect<NoContract, CompilerWorkerContract>(channelToParent());
  connection.handle("check", async ({ file, source }) => checkPf(checker, file, source));
  connection.handle("transpile", async ({ file, source }) => transpile(source, file));
  connection.handle("instrument", async ({ file, source }) => instrument(source, file));
}
