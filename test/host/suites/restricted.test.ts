import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { FailuresResult } from "../../../src/extension/failures/result.ts";
import {
  activated,
  codeOf,
  eventually,
  open,
  pause,
  pf,
  places,
  root,
  settled,
  skillMd,
  writeSkill,
} from "./support.ts";

/** Every file that one of our commands could write. */
async function listed(): Promise<string[]> {
  const files = await vscode.workspace.findFiles("{.hasp/**,skills/**}");
  return files.map(({ path }) => path).sort();
}

/** Calls commands one after the other: each is refused, and none asks anything. A question waits for a person, and would not end. */
async function refusedAtOnce(calls: readonly (readonly [command: string, argument: unknown])[]) {
  for (const [command, argument] of calls) {
    const answer = await Promise.race([
      vscode.commands.executeCommand(command, argument),
      pause(5_000).then(() => "it asks"),
    ]);
    equal(answer, undefined, command);
  }
}

describe("An untrusted workspace [restricted]", () => {
  before(activated);

  it("still has its skills read and type-checked", async () => {
    const folder = await writeSkill("typed-untrusted", {
      "SKILL.md": skillMd("typed-untrusted"),
      "pf.ts": pf(`ctx.searchCount > "two"`),
    });
    const editor = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    const found = await eventually("a type error", () => {
      const list = places(editor.document.uri);
      return list.length > 0 && list;
    });
    ok(
      found.some((place) => place.endsWith(" 2365")),
      found.join(" and "),
    );
  });

  it("runs no case and no backtest", async () => {
    const folder = await writeSkill("cases-untrusted", {
      "SKILL.md": skillMd("cases-untrusted"),
      "pf.ts": pf(`actionType === "READ" && arg.length > ctx.maxSteps`),
      "cases.yaml": `cases:
  - name: would fail if it ran
    context: { question: "Who?", stepCount: 0, maxSteps: 8 }
    proposed: { type: SEARCH, arg: "who" }
    expect: { fires: true }
`,
    });
    const cases = vscode.Uri.joinPath(folder, "cases.yaml");
    await open(cases);
    await settled();
    deepEqual(vscode.languages.getDiagnostics(cases).map(codeOf), []);
    equal(await vscode.commands.executeCommand("hasp.backtestSkill", { skills: [folder] }), undefined);
  });

  it("has its skills read for assistants, and nothing run for them", async () => {
    const invoke = async (name: string, input: object): Promise<string> => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return content
        .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
        .join("\n");
    };
    const marker = vscode.Uri.joinPath(root(), "ran-for-assistant.txt");
    const source = pf(
      `require("node:fs").writeFileSync(${JSON.stringify(marker.fsPath)}, "ran") === undefined`,
    );
    await writeSkill("assist-untrusted", { "SKILL.md": skillMd("assist-untrusted"), "pf.ts": source });
    await eventually("the skill", async () =>
      (await invoke("hasp_list_skills", {})).includes("assist_untrusted"),
    );
    match(await invoke("hasp_validate_skill", { skill: "assist_untrusted" }), /HASP207/);
    const step = { run: ".hasp/runs/first-look", episode: "1", step: 1 };
    for (const [name, input] of [
      ["hasp_backtest_skill", { skill: "repeated_query" }],
      ["hasp_explain_step", { skill: "repeated_query", ...step }],
    ] as const)
      match(
        await invoke(name, input),
        /^Nothing was run: .* Ask the person to say so: Workspaces: Manage Workspace Trust\./,
      );
    await rejects(async () => vscode.workspace.fs.stat(marker));
  });

  it("has no questions run and no skill reviewed, and no model is asked", async () => {
    const plan = {
      root: root(),
      questions: vscode.Uri.joinPath(root(), "questions.jsonl"),
      policy: "recorded:.hasp/runs/first-look",
    };
    equal(await vscode.commands.executeCommand("hasp.runQuestions", plan), undefined);
    equal(await vscode.commands.executeCommand("hasp.resumeRun"), undefined);
    const skill = vscode.Uri.joinPath(root(), "skills", "web-search", "repeated-query");
    equal(await vscode.commands.executeCommand("hasp.teacherReview", skill), undefined);
  });

  it("has nothing written into it", async () => {
    equal(await vscode.commands.executeCommand("hasp.initializeWorkspace", root()), undefined);
    const skill = { domain: "web-search", name: "not-written", description: "Never there.", kind: "inject" };
    equal(await vscode.commands.executeCommand("hasp.newSkill", skill), undefined);
    const folder = vscode.Uri.joinPath(root(), "skills", "web-search", "not-written");
    await rejects(async () => vscode.workspace.fs.stat(folder));
  });

  it("has no job submitted, for the first time or again", async () => {
    const job = vscode.Uri.joinPath(root(), ".hasp", "jobs", "left");
    const command = { program: "hasp", args: ["--version"], about: "Say the version" };
    const fields = { id: "left", title: "Left", cwd: "../../..", commands: [command], env: {}, passEnv: [] };
    const text = JSON.stringify({ schema: "hasp.job/1", ...fields });
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(job, "job.json"), Buffer.from(text));
    const before = await listed();
    await refusedAtOnce([
      ["hasp.submitTrainingJob", { args: ["run", "--questions", "questions.jsonl", "-o", "runs/x"] }],
      ["hasp.submitJobAgain", job],
    ]);
    deepEqual(await listed(), before);
  });

  it("has no step debugged, branched, judged again, made a skill or a case, and none labelled", async () => {
    const step = { run: ".hasp/runs/first-look", episode: 0, t: 1 };
    const marker = vscode.Uri.joinPath(root(), "ran.txt");
    const source = pf(
      `require("node:fs").writeFileSync(${JSON.stringify(marker.fsPath)}, "ran") === undefined`,
    );
    await writeSkill("runs-untrusted", { "SKILL.md": skillMd("runs-untrusted"), "pf.ts": source });
    const before = await listed();
    const policy = { policy: "recorded:.hasp/runs/first-look", corpus: "corpus/passages.jsonl" };
    await refusedAtOnce([
      ["hasp.debugPf", { ...step, skillId: "runs_untrusted" }],
      ["hasp.branchFromHere", { ...step, ...policy }],
      ["hasp.judgeWithRunSkills", { ...step, allowed: true }],
      ["hasp.judgeAnswers", { run: vscode.Uri.joinPath(root(), step.run, "episodes.jsonl"), judge: "f1" }],
      [
        "hasp.buildTrainingData",
        { runs: [vscode.Uri.joinPath(root(), step.run, "episodes.jsonl")], output: "written" },
      ],
      ["hasp.newSkillFromStep", { ...step, kind: "inject", name: "from-untrusted" }],
      ["hasp.addStepAsCase", { ...step, skillId: "runs_untrusted", fires: true }],
      ["hasp.labelStep", { ...step, kind: "good" }],
      ["hasp.labelEpisode", { ...step, kind: "good" }],
      ["hasp.removeLabel", { ...step, id: "none" }],
    ]);
    deepEqual(await listed(), before);
    await rejects(async () => vscode.workspace.fs.stat(marker));
    equal(vscode.debug.activeDebugSession, undefined);
  });

  it("has its failures analysed without a model, and no skill made of them", async () => {
    const runs = [vscode.Uri.joinPath(root(), ".hasp", "runs", "first-look", "episodes.jsonl")];
    const before = await listed();
    const result = await vscode.commands.executeCommand<FailuresResult | undefined>("hasp.analyseFailures", {
      runs,
    });
    const cluster = result?.report.clusters[0]?.id;
    ok(cluster, "there is a cluster");
    equal(await vscode.commands.executeCommand("hasp.analyseFailures", { runs, teacher: true }), undefined);
    const skill = { cluster, kind: "inject" };
    equal(await vscode.commands.executeCommand("hasp.newSkillFromCluster", skill), undefined);
    deepEqual(await listed(), before);
  });

  it("shows recorded runs all the same", async () => {
    await vscode.commands.executeCommand(
      "hasp.openRun",
      vscode.Uri.joinPath(root(), ".hasp", "runs", "first-look"),
    );
    await eventually("the run editor", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.viewType === "hasp.run";
    });
  });
});
