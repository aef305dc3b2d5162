import type * as vscode from "vscode";
import type { DescribedQuestions } from "../../app/split-data.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { filesBelow } from "../../platform/files-below.ts";
import type { ExperimentOrder } from "../../training/order.ts";
import { fieldsOf } from "../commands.ts";
import type { RunBundles } from "../questions/order.ts";
import type { EditorServices } from "../services.ts";
import { readRunConfig } from "../questions/run-config.ts";
import { rootOf } from "./experiments.ts";
import { describeQuestions } from "./means-steps.ts";
import { experimentOrder } from "./order.ts";
import type { ExperimentPlan, KnownAdapter, Preview, WizardServices } from "./plan.ts";
import { uriIn } from "./rows.ts";
import { plainLine, STAGE_SENTENCES } from "./words.ts";

/** The models that a job asks, in words. */
function askedWords(
  stage: keyof typeof STAGE_SENTENCES,
  { config, teacher, author }: ExperimentOrder,
): string {
  const teaches = teacher === undefined ? [] : [`the teacher ${teacher}`];
  switch (stage) {
    case "rollout":
      return [`the student, ${counted(config.rollout.samples, "episode")} a question`, ...teaches].join(", ");
    case "evolve":
      return [author === undefined ? "the student as the author" : `the author ${author}`, ...teaches].join(
        ", ",
      );
    case "evaluate":
      return ["the student", ...teaches].join(", ");
    case "data":
    case "train":
      return "";
  }
}

/** The jobs of a plan, and why it cannot be started; a person sees both before anything runs. */
async function preview(bundles: RunBundles, plan: ExperimentPlan): Promise<Preview> {
  const { files } = bundles.editorServices;
  const { root } = plan;
  const config = await readRunConfig(files, root);
  const order = await experimentOrder(files, plan, config);
  const { planExperiment } = await import("../../training/plan.ts");
  const { checkExperiment } = await import("../../training/check-order.ts");
  const { checked } = await import("../../app/refusal.ts");
  const { jobs } = planExperiment(order, { id: "00000000", cwd: root.fsPath });
  const found = await checked(() => checkExperiment(filesBelow(root.fsPath, files), order));
  const problem: Diagnostic | undefined = found.value === undefined ? found.diagnostics.at(-1) : undefined;
  return {
    problem,
    jobs: jobs.map(({ stage, title }) => ({
      title,
      words: STAGE_SENTENCES[stage],
      asked: askedWords(stage, order),
    })),
  };
}

/** The split of a run's questions, as its `run.json` has it. */
const splitOf = (settings: unknown): unknown => fieldsOf(settings)["split"];

/** Adapters that experiments and jobs have brought here, each once. */
function knownAdapters(
  experiments: Awaited<ReturnType<EditorServices["experiments"]["list"]>>,
  jobs: Awaited<ReturnType<EditorServices["jobs"]["list"]>>,
): readonly KnownAdapter[] {
  const ofExperiments = experiments.flatMap(({ folder, name, report: { value } }) =>
    value?.adapter === undefined
      ? []
      : [{ title: name, folder: uriIn(rootOf(folder), value.adapter).fsPath }],
  );
  const ofJobs = jobs.flatMap(({ report: { value } }) =>
    (value?.adapters ?? []).map((folder) => ({ title: plainLine(value?.spec.title ?? ""), folder })),
  );
  return [...new Map([...ofJobs, ...ofExperiments].map((one) => [one.folder, one])).values()];
}

/** All that the wizard asks of the workspace. */
export async function wizardServices(
  bundles: RunBundles,
  root: vscode.Uri,
  title: string,
): Promise<WizardServices> {
  const { files, runs, experiments, jobs } = bundles.editorServices;
  const config = await readRunConfig(files, root);
  const there = await experiments.list();
  // Rows come from the train split alone, also those of recorded runs.
  const found = (await runs.list()).filter(
    ({ index, file, run }) =>
      index.entries.length > 0 && file.path.startsWith(`${root.path}/`) && splitOf(run?.settings) === "train",
  );
  return {
    questions: { files, runs, config, title },
    title,
    taken: new Set(there.map(({ name }) => name.toLowerCase())),
    found,
    adapters: knownAdapters(there, await jobs.list()),
    async shipped(name) {
      const { shippedConfig } = await import("../../training/shipped-configs.ts");
      return shippedConfig(name);
    },
    async read(name, file) {
      const { readExperimentConfig } = await import("../../training/read-config.ts");
      return readExperimentConfig({ name, file: file.fsPath }, files);
    },
    describe: (questions, domain): Promise<DescribedQuestions> => describeQuestions(files, questions, domain),
    preview: (plan) => preview(bundles, plan),
  };
}
