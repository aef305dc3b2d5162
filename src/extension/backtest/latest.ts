import * as vscode from "vscode";
import type { SkillBacktest } from "../../app/backtest.ts";
import type { BacktestResult } from "./results-tree.ts";

export type LatestBacktest = ReturnType<typeof keepLatestBacktest>;

/** The results of the latest backtest by skill; cleared with its view. */
export function keepLatestBacktest() {
  const changed = new vscode.EventEmitter<void>();
  let known: ReadonlyMap<string, SkillBacktest> = new Map();
  return {
    of: (skillId: string) => known.get(skillId),
    set(result: BacktestResult | undefined): void {
      known = new Map(result?.report.skills.map((one) => [one.skillId, one]));
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: (): void => changed.dispose(),
  };
}
