import { connect } from "../protocol/connection.ts";
import { createSandbox } from "../sandbox/quickjs-host.ts";
import type { RealmStart } from "../sandbox/realm-image.ts";
import { threadCpuNow } from "./cpu-clock.ts";
import { channelToParent } from "./worker-channel.ts";
import type { NoContract, PfWorkerContract } from "./worker-contract.ts";

/** The worker's side of worker-pf-host.ts. */
export function servePfs(start: RealmStart = {}): void {
  const sandbox = createSandbox(threadCpuNow, start);
  const connection = connect<NoContract, PfWorkerContract>(channelToParent());
  connection.handle("setPrograms", async (programs) => {
    await sandbox.setPrograms(programs);
    return null;
  });
  connection.handle("load", (job) => sandbox.load(job));
  connection.handle("judge", (job) => sandbox.judge(job));
  connection.handle("probe", (job) => sandbox.probe(job));
}
