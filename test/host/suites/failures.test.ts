import { deepEqual, equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { FailuresResult } from "../../../src/extension/failures/result.ts";
import type { FailureCluster } from "../../../src/model/failure.ts";
import { activated, codeOf, eventually, open, ours, root, settled } from "./support.ts";

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);

const RUN = [".hasp", "runs", "first-look", "episodes.jsonl"] as const;

const analyse = (argument?: unknown): Thenable<FailuresResult | undefined> =>
  vscode.commands.executeCommand<FailuresResult | undefined>("hasp.analyseFailures", argument);

async function text(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** The skill that a command made. */
const made = (command: string, argument: unknown): Thenable<vscode.Uri | undefined> =>
  vscode.commands.executeCommand<vscode.Uri | undefined>(command, argument);

/** The accepted answers of the episodes of a cluster. */
async function goldOf({ examples }: FailureCluster): Promise<string[]> {
  const lines = (await text(at(...RUN))).trim().split("\n");
  return examples.flatMap(
    ({ index }) => (JSON.parse(lines[index] ?? "{}") as { gold?: readonly string[] }).gold ?? [],
  );
}

/** Distinct questions among the examples, as cases take them. */
const questionsOf = ({ examples }: FailureCluster): number =>
  new Set(examples.map(({ questionId }) => questionId)).size;

describe("HASP: Analyse Failures", () => {
  const folders: vscode.Uri[] = [];
  let cluster: FailureCluster;
  before(activated);
  after(async () => {
    await vscode.commands.executeCommand("hasp.clearFailures");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const folder of folders) await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it("has nothing to refresh, copy or make a skill of before an analysis", async () => {
    equal(await vscode.commands.executeCommand("hasp.refreshFailures"), undefined);
    equal(await made("hasp.newSkillFromCluster", { kind: "inject" }), undefined);
  });

  it("shows the clusters of a run, their examples and the shares of the detectors", async () => {
    const result = await analyse({ runs: [at(...RUN)] });
    ok(result);
    deepEqual(result.report.episodes, { wrong: 5, halted: 1, correct: 6, unjudged: 0 });
    deepEqual([...result.titles.keys()], [at(...RUN).toString()]);
    const [first] = result.report.clusters;
    ok(first, "the sample has a cluster");
    cluster = first;
    ok(first.examples.length >= 3);
  });

  it("asks for the runs, with the run that the person means ticked", async () => {
    let result: FailuresResult | undefined;
    void analyse().then((answer) => (result = answer));
    const analysed = await eventually("the analysis", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return result;
    });
    equal(analysed.plan.runs.length, 1);
    equal(analysed.plan.teacher, false);
  });

  it("analyses the run of a row without a question", async () => {
    const result = await analyse(at(...RUN));
    deepEqual(result?.plan.runs.map(String), [at(...RUN).toString()]);
  });

  it("opens an example at the step that shows the failure", async () => {
    const example = cluster.examples.at(-1);
    ok(example);
    const [t = 0] = example.steps;
    const place = { index: example.index, t };
    await vscode.commands.executeCommand("hasp.revealStep", vscode.Uri.parse(example.run, true), place);
    const cases = await eventually("the step in the replay", async () => {
      // A skill that names no step is of the one that the replay shows.
      const folder = await made("hasp.newSkillFromStep", {
        kind: "inject",
        name: `suite-shown-${Date.now()}`,
      });
      if (folder === undefined) return undefined;
      folders.push(folder);
      const found = await text(vscode.Uri.joinPath(folder, "cases.yaml"));
      return found.includes(`step ${t + 1} of “`) ? found : undefined;
    });
    ok(cases.includes(example.question.slice(0, 20)), cases);
  });

  it("makes a skill of a cluster whose first case holds, without a gold answer", async () => {
    const folder = await made("hasp.newSkillFromCluster", { cluster: cluster.id, kind: "inject" });
    ok(folder, "the command gives the new folder");
    folders.push(folder);
    match(folder.path, new RegExp(`/skills/web-search/${cluster.category.replaceAll("_", "-")}$`));
    const skillMd = await text(vscode.Uri.joinPath(folder, "SKILL.md"));
    ok(skillMd.includes(cluster.trigger) && skillMd.includes(cluster.hint), skillMd);
    const cases = await text(vscode.Uri.joinPath(folder, "cases.yaml"));
    const [first] = cluster.examples;
    ok(cases.includes(first?.question.slice(0, 20) ?? "no example"), cases);
    equal(cases.match(/name: .*episode \d+, step/g)?.length, questionsOf(cluster) - 1);
    const golds = await goldOf(cluster);
    ok(golds.length > 0, "the episodes have accepted answers");
    for (const gold of golds) equal(skillMd.includes(gold), false, gold);
    await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    await settled();
    const problems = ["SKILL.md", "pf.ts", "cases.yaml"].flatMap((name) =>
      ours(vscode.Uri.joinPath(folder, name)).filter((found) => codeOf(found) !== "HASP431"),
    );
    // Steps of other episodes may not fire yet; the first case and the near miss hold.
    const failing = problems.map(({ message }) => message);
    ok(
      failing.every((message) => /episode \d+, step/.test(message)),
      failing.join(" and "),
    );
  });

  it("asks for the cluster and the skill, with name, description and kind filled in [thorough]", async () => {
    let folder: vscode.Uri | undefined;
    void made("hasp.newSkillFromCluster", undefined).then((answer) => (folder = answer));
    const written = await eventually("the skill", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return folder;
    });
    folders.push(written);
    match(written.path, new RegExp(`/${cluster.category.replaceAll("_", "-")}-2$`));
    match(await text(vscode.Uri.joinPath(written, "SKILL.md")), /description: "Use when /);
  });

  it("copies a cluster as Markdown", async () => {
    await vscode.commands.executeCommand("hasp.copyCluster", { cluster: cluster.id });
    const copied = await vscode.env.clipboard.readText();
    match(copied, /^## \w+/);
    ok(copied.includes("- Trigger: "), copied);
    equal(copied.match(/, episode \d+, step \d+\)/g)?.length, cluster.examples.length);
  });

  it("analyses the same runs again", async () => {
    const result = await vscode.commands.executeCommand<FailuresResult | undefined>("hasp.refreshFailures");
    deepEqual(result?.plan.runs.map(String), [at(...RUN).toString()]);
    ok(result?.report.clusters.some(({ id }) => id === cluster.id));
  });

  it("asks about a teacher only where one is configured, who then describes each failure [thorough]", async () => {
    const configuration = vscode.workspace.getConfiguration();
    const { Global } = vscode.ConfigurationTarget;
    const script = at("failures-teacher.json");
    const reply = {
      category: "stale_evidence",
      abstraction: "An old source decides.",
      trigger: "Two sources differ in their year.",
      intervention_hint: "Remind the agent to compare the years.",
    };
    const entry = { when: ["intervention_hint"], text: JSON.stringify(reply) };
    await vscode.workspace.fs.writeFile(script, new TextEncoder().encode(JSON.stringify([entry])));
    await configuration.update("hasp.models.teacher", "scripted:failures-teacher.json", Global);
    try {
      let asked: FailuresResult | undefined;
      void analyse(at(...RUN)).then((answer) => (asked = answer));
      const alone = await eventually("the question to be accepted", async () => {
        await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
        return asked;
      });
      equal(alone.plan.teacher, false, "the first answer asks no model");
      const result = await analyse({ runs: [at(...RUN)], teacher: true });
      deepEqual(result?.lacks, []);
      equal(result?.report.summaries.made, 6);
      const told = result?.report.clusters.find(({ source }) => source === "model");
      equal(told?.category, "stale_evidence");
      equal(told?.examples.length, 6);
      const folder = await made("hasp.newSkillFromCluster", { cluster: told?.id, kind: "inject" });
      ok(folder);
      folders.push(folder);
      match(
        await text(vscode.Uri.joinPath(folder, "SKILL.md")),
        /description: "Use when an old source decides\."/,
      );
    } finally {
      await configuration.update("hasp.models.teacher", undefined, Global);
      await vscode.workspace.fs.delete(script);
    }
  });

  it("has no teacher to ask where none is configured", async () => {
    equal(await analyse({ runs: [at(...RUN)], teacher: true }), undefined);
  });

  it("is empty once it is cleared", async () => {
    await vscode.commands.executeCommand("hasp.clearFailures");
    equal(await vscode.commands.executeCommand("hasp.refreshFailures"), undefined);
  });
});
