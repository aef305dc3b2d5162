import * as vscode from "vscode";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { plainLine } from "../experiments/words.ts";
import { inform, offer, warn } from "../notification.ts";
import { wayTo } from "../unmet.ts";
import { requireTrust } from "../workspace/trust.ts";
import type { JobBundles } from "./backends.ts";
import { type CheckedTarget, checkTarget, probeFacts, waysFor, whyOf } from "./check-target.ts";
import { chooseTarget, requireAllowed } from "./targets.ts";

/** Tells of a target that works, with what is there. */
export function sayWorks(
  log: vscode.LogOutputChannel,
  named: NamedTarget,
  { probe, remark }: CheckedTarget,
  before = "",
): void {
  const facts = probeFacts(probe).join(", ");
  const text = `${before}${named.name} works: ${facts}.`;
  log.info(text);
  if (remark === undefined) return inform(text, wayTo(COMMANDS.submitTrainingJob));
  log.warn(remark.message);
  warn(`${text} Nothing can be trained there yet: ${remark.message} ${remark.next ?? ""}`.trim());
}

/** `HASP: Test Target`: looks at it, and at what SLURM would say to a job. Undefined where the test fails or the person leaves. */
export async function testTarget(bundles: JobBundles, argument: unknown): Promise<CheckedTarget | undefined> {
  const { files, log } = bundles.editorServices;
  const asked = typeof argument === "string" ? argument : fieldsOf(argument)["target"];
  const named = await chooseTarget({ files, log }, COMMANDS.testTarget, asked);
  if (named === undefined) return undefined;
  if (named.from === "workspace") requireTrust("A target of this workspace");
  if (!(await requireAllowed(named, `HASP: ${COMMANDS.testTarget.title}`))) return undefined;
  const found = await checkTarget(bundles, named);
  if (found.value !== undefined) {
    sayWorks(log, named, found.value);
    return found.value;
  }
  const why = whyOf(found);
  log.error(`The test of ${named.name} (${hostOf(named.target)}) failed`, `${why.code} ${why.message}`);
  const text = plainLine(`${named.name}: ${why.message} ${why.next ?? ""}`);
  void offer(vscode.window.showErrorMessage, text, waysFor(named, why));
  return undefined;
}
