import path from "node:path";
import type { BacktestRun } from "../../../src/app/backtest.ts";
import type { Judging } from "../../../src/app/ports.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { ROOT, type openCore } from "../../support/core.ts";

/** The services of a use case, and how many of the sandboxes that it started are open. */
export function judgingWith({ compiler, startHost, openContainment }: ReturnType<typeof openCore>): {
  readonly judging: Judging;
  readonly open: () => number;
} {
  let open = 0;
  const counted = (): PfHost => {
    open += 1;
    return { ...startHost(), close: async () => void (open -= 1) };
  };
  return { judging: { files: nodeFiles(), compiler, startHost: counted, openContainment }, open: () => open };
}

export async function namedRun(run: string): Promise<BacktestRun> {
  const { folder, index, diagnostics } = await openRun(nodeFiles(), path.join(ROOT, run));
  return { run, folder, index, diagnostics };
}
