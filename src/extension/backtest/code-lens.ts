import type * as vscode from "vscode";
import { firedParts, OUTCOMES } from "../../model/outcomes.ts";
import { revisionWords } from "../../model/revisions.ts";
import { totalWorth, worthWords } from "../../model/worth.ts";
import { COMMANDS } from "../contributions.ts";
import { eventsUri } from "../language/events-uri.ts";
import type { Counted, Fires } from "../language/fires.ts";
import { registerPfLenses } from "../language/pf-lens.ts";

/** Nothing where there is nothing to count on. While the first count runs, its place is kept: what stands beside it does not jump. */
function firesLens(found: Counted | undefined): vscode.Command[] {
  if (found === "no runs") return [];
  if (found === undefined) return [{ title: "$(pulse) counting fires", command: "" }];
  if (found === "template") return [{ title: "$(pulse) fires nowhere: still the template", command: "" }];
  const steps = OUTCOMES.reduce((sum, outcome) => sum + found.counts[outcome].steps, 0);
  const worth = found.worth === undefined ? "" : worthWords(totalWorth(found.worth));
  const revised = revisionWords(found.revisions);
  const command = {
    command: "vscode.open",
    title: `$(pulse) fires in ${firedParts(found).join(" · ")}${[worth, revised].map((words) => (words === "" ? "" : ` · ${words}`)).join("")}`,
    tooltip: `Episodes of this workspace's runs in which today's code fires, on ${steps} steps in all. List the recorded steps`,
    arguments: [eventsUri(found.skillId)],
  };
  return [command];
}

/** Above the class of a PF: how often it fires, "Backtest" and "Debug". */
export function registerBacktestLens(fires: Fires): vscode.Disposable {
  return registerPfLenses(fires.onDidChange, async (folder) => {
    const backtest = {
      command: COMMANDS.backtestSkill.id,
      title: "$(beaker) Backtest",
      tooltip: "Find the recorded steps on which this Program Function would act",
      arguments: [folder],
    };
    const debug = {
      command: COMMANDS.debugPf.id,
      title: "$(debug-alt) Debug",
      tooltip: "Debug this Program Function on the step that the replay shows",
    };
    return [...firesLens(fires.of(folder)), backtest, debug];
  });
}
