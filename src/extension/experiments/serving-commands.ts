import * as vscode from "vscode";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import type { RunBundles } from "../questions/order.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { requireTrust } from "../workspace/trust.ts";
import { rootOf } from "./experiments.ts";
import { uriIn } from "./rows.ts";
import { serveAsPolicy, stopAndRestore, studentOf } from "./serve-adapter.ts";
import type { Student } from "./served-policy.ts";
import { installTrainer, requireTrainer } from "./trainer.ts";
import { experimentWords } from "./words.ts";

/** Adapters of the workspace's experiments, newest first. */
async function knownAdapters({ editorServices: { experiments } }: RunBundles) {
  return (await experiments.list()).flatMap(({ folder, name, report: { value }, work }) => {
    if (value?.adapter === undefined) return [];
    const adapter = uriIn(rootOf(folder), value.adapter);
    return [{ label: name, description: experimentWords(value, work), folder, value: adapter }];
  });
}

/** The student that an argument names: a kept one, an adapter's folder, an experiment, or the one that a person chooses. */
async function asked(bundles: RunBundles, argument: unknown): Promise<Student | undefined> {
  const { served } = bundles.modelServices;
  const kept = served.chosen();
  if (kept !== undefined && fieldsOf(argument)["student"] === kept.name) return kept;
  const subject = subjectOf(argument);
  const known = await knownAdapters(bundles);
  const ofExperiment = known.find(({ folder }) => folder.path === subject?.path)?.value;
  if (subject !== undefined) return studentOf(bundles, ofExperiment ?? subject);
  if (known.length === 0)
    throw new Unmet(
      "No experiment of this workspace has an adapter.",
      "Run one first.",
      wayTo(COMMANDS.runExperiment),
    );
  const chosen = await choose(
    `HASP: ${COMMANDS.useAdapter.title}`,
    "Experiment whose adapter is to be the policy",
    known,
  );
  return chosen === undefined ? undefined : studentOf(bundles, chosen);
}

/** `HASP: Use Adapter as Policy`, `HASP: Stop Serving` and `HASP: Install Trainer`. */
export function registerServing(bundles: RunBundles): vscode.Disposable {
  const { log, context } = bundles.editorServices;
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.useAdapter, async (argument?: unknown) => {
      requireTrust("Serving an adapter of this workspace");
      requireTrainer();
      const student = await asked(bundles, argument);
      return student && serveAsPolicy(bundles, student);
    }),
    registerCommand(log, COMMANDS.stopServing, () => stopAndRestore(bundles)),
    registerCommand(log, COMMANDS.installTrainer, () => installTrainer(context)),
  );
}
