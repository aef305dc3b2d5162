import * as vscode from "vscode";
import type { SkillBacktest } from "../../app/backtest.ts";
import type { BacktestResult } from "./results-tree.ts";

/** What the latest backtest said of each skill; cleared with its results. */
export interface LatestBacktest extends vscode.Disposable {
  of(skillId: string): SkillBacktest | undefined;
  set(result: BacktestResult | undefined): void;
  readonly onDidChange: vscode.Event<void>;
}

export function keepLatestBacktest(): LatestBacktest {
  const changed = new vscode.EventEmitter<void>();
  let known: ReadonlyMap<string, SkillBacktest> = new Map();
  return {
    of: (skillId) => known.get(skillId),
    set(result) {
      known = new Map(result?.report.skills.map((one) => [one.skillId, one]));
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
