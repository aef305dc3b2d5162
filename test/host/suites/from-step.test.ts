import { REGISTERED } from "../../../src/domains/registered.ts";
import { deepEqual, equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { BranchOutcome } from "../../../src/extension/branch/command.ts";
import { findPatterns } from "../../../src/analysis/failure-patterns.ts";
import type { AddedCase } from "../../../src/extension/from-step/add-case.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import {
  activated,
  asInSamples,
  codeOf,
  eventually,
  open,
  ours,
  retype,
  root,
  settled,
  skillMd,
  writeSkill,
} from "./support.ts";

const RUN = [".hasp", "runs", "first-look"] as const;

const runFolder = (): vscode.Uri => vscode.Uri.joinPath(root(), ...RUN);

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function episodes(): Promise<Episode[]> {
  const text = await read(vscode.Uri.joinPath(runFolder(), "episodes.jsonl"));
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Episode);
}

/** The first step of the run that proposes such an action. */
async function stepThat(proposes: string): Promise<{ run: vscode.Uri; episode: number; t: number }> {
  for (const [episode, { steps }] of (await episodes()).entries()) {
    const t = steps.findIndex(({ proposals }) => proposals[0]?.action.type === proposes);
    if (t >= 0) return { run: runFolder(), episode, t };
  }
  throw new Error(`No step of the sample proposes ${proposes}`);
}

const problemsIn = (folder: vscode.Uri): string[] =>
  ["SKILL.md", "pf.ts", "cases.yaml"].flatMap((name) =>
    ours(vscode.Uri.joinPath(folder, name)).map((found) => `${codeOf(found)} ${found.message}`),
  );

/** A PF that steps in on answers, and one that never does. */
const pfThat = (
  fires: boolean,
  text = "Answer only if you are sure of it.",
): string => `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class SuitePf extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ${fires ? "ctx.stepCount < 99" : "ctx.stepCount > 99"};
  }
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(${JSON.stringify(`${text} `)} + arg, "the suite says so");
  }
}
`;

describe("HASP: New Skill from This Step", () => {
  before(activated);
  before(asInSamples);

  for (const [kind, when] of [
    ["inject", ""],
    ["rewrite", " [thorough]"],
  ] as const) {
    it(`makes a skill of kind "${kind}" whose first case is the step, and holds${when}`, async () => {
      const step = await stepThat("FINAL");
      const name = `suite-from-step-${kind}`;
      const folder = await vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.newSkillFromStep", {
        ...step,
        kind,
        name,
      });
      ok(folder, "the command gives the new folder");
      const cases = await read(vscode.Uri.joinPath(folder, "cases.yaml"));
      match(cases, /name: .*step \d+ of/);
      for (const file of ["SKILL.md", "pf.ts", "cases.yaml"]) await open(vscode.Uri.joinPath(folder, file));
      await settled();
      deepEqual(
        problemsIn(folder).filter((problem) => !problem.startsWith("HASP431")),
        [],
      );
      // It is the step that fires: a PF that leaves it alone breaks the case.
      await retype(await open(vscode.Uri.joinPath(folder, "pf.ts")), pfThat(false));
      await eventually("the case to fail", () =>
        problemsIn(folder).some((text) => /expected fires/.test(text)),
      );
      await vscode.commands.executeCommand("workbench.action.files.revert");
    });
  }

  it("takes the step that the run editor shows, and opens pf.ts beside it", async () => {
    const step = await stepThat("FINAL");
    const file = vscode.Uri.joinPath(step.run, "episodes.jsonl");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("hasp.revealStep", file, { index: step.episode, t: step.t });
    const folder = await eventually("the step that is shown", async () =>
      vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.newSkillFromStep", {
        kind: "inject",
        name: `suite-shown-${Date.now()}`,
      }),
    );
    const cases = await read(vscode.Uri.joinPath(folder, "cases.yaml"));
    match(cases, new RegExp(`step ${step.t + 1} of`));
    const groups = vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ input }) => input));
    ok(groups.some((inputs) => inputs.some((input) => input instanceof vscode.TabInputCustom)));
    ok(groups.length > 1, "pf.ts stands in a group of its own");
  });
});

describe("HASP: New Skill from This Pattern", () => {
  before(asInSamples);

  it("makes a skill of one episode with the pattern, and cases of the others", async () => {
    const all = await episodes();
    const shown = all.filter((one) => findPatterns(one).some(({ name }) => name === "no_read_before_final"));
    ok(shown.length > 1, "several episodes of the sample show the pattern");
    const episode = all.findLastIndex((one) => shown.includes(one));
    const argument = { run: runFolder(), pattern: "no_read_before_final", episode };
    const folder = await vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.newSkillFromPattern", {
      ...argument,
      kind: "inject",
      name: "suite-from-pattern",
    });
    ok(folder, "the command gives the new folder");
    const cases = await read(vscode.Uri.joinPath(folder, "cases.yaml"));
    const first = all[episode];
    match(cases, new RegExp(`name: .*step ${first?.steps.length} of`));
    const names = [...cases.matchAll(/name: .*episode (\d+), step/g)].map(
      ([, position]) => Number(position) - 1,
    );
    deepEqual(
      names.toSorted((a, b) => a - b),
      shown.filter((one) => one !== first).map((one) => all.indexOf(one)),
    );
    await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    const { value, diagnostics } = parseCases(cases, "cases.yaml", REGISTERED);
    deepEqual(diagnostics, []);
    equal(value?.length, shown.length + 1, "one of each episode, and the near miss");
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });
});

describe("HASP: Add Step as Case", () => {
  before(asInSamples);

  it("adds the step to the skill's cases, with what it decides today, by one edit that can be undone", async () => {
    const step = await stepThat("FINAL");
    const folder = await writeSkill("suite-case", {
      "SKILL.md": skillMd("suite-case", "answer"),
      "pf.ts": pfThat(true),
    });
    const argument = { ...step, skillId: "suite_case", fires: true };
    const add = async (): Promise<AddedCase | undefined> =>
      vscode.commands.executeCommand<AddedCase | undefined>("hasp.addStepAsCase", argument);
    const first = await eventually("the first case", add);
    equal(first.file.path, `${folder.path}/cases.yaml`);
    await (await vscode.workspace.openTextDocument(first.file)).save();
    const second = await eventually("a second case", add);
    equal(second.name, `${first.name} (2)`);
    const editor = vscode.window.activeTextEditor;
    equal(editor?.document.uri.path, first.file.path);
    const text = editor.document.getText();
    match(text, /type: INJECT_CONTEXT/);
    match(text, /contextContains: .*Answer only if you are sure of it/);
    equal(text.match(/- name:/g)?.length, 2);
    await settled();
    // Both cases are of a step where it fires: that is said, and nothing else.
    deepEqual(
      problemsIn(folder).map((problem) => problem.slice(0, 7)),
      ["HASP311"],
    );
    await vscode.commands.executeCommand("undo");
    equal(editor.document.getText().match(/- name:/g)?.length, 1);
    await editor.document.save();
  });

  it("keeps a case that does not hold yet, and says so at its place [thorough]", async () => {
    const step = await stepThat("FINAL");
    const folder = await writeSkill("suite-not-yet", {
      "SKILL.md": skillMd("suite-not-yet", "answer"),
      "pf.ts": pfThat(true),
    });
    const argument = { ...step, skillId: "suite_not_yet", fires: false };
    const added = await eventually("the case", async () =>
      vscode.commands.executeCommand<AddedCase | undefined>("hasp.addStepAsCase", argument),
    );
    const problem = await eventually("the case to fail", () => ours(added.file)[0]);
    match(problem.message, /expected does not fire/);
    equal(problemsIn(folder).length, 1);
  });
});

describe("HASP: Add Step as Case, on a built-in skill", () => {
  before(activated);

  it("copies the skill into the workspace by a yes, and adds the case there", async () => {
    const step = await stepThat("FINAL");
    const argument = { ...step, skillId: "reasoning_error", fires: true };
    let added: AddedCase | undefined;
    void vscode.commands
      .executeCommand<AddedCase | undefined>("hasp.addStepAsCase", argument)
      .then((value) => (added = value));
    const made = await eventually("the case", async () => {
      await vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return added;
    });
    const copy = vscode.Uri.joinPath(root(), "skills", "web-search", "reasoning-error");
    equal(made.file.path, `${copy.path}/cases.yaml`);
    match(await read(vscode.Uri.joinPath(copy, "SKILL.md")), /skill_id: reasoning_error/);
    match(
      (await vscode.workspace.openTextDocument(made.file)).getText(),
      new RegExp(`name: .*step ${step.t + 1} of`),
    );
    await (await vscode.workspace.openTextDocument(made.file)).save();
    await vscode.workspace.fs.delete(copy, { recursive: true });
  });
});

/** Other skills of the suite inject another: of two alike only one is applied. */
const OWN = "Give an answer that you would swear to.";

/** Three edits, each told after its pause, a check and a fold of the episode. */
const ALL_TOLD_MS = 150_000;

const saveByItself = (when: "off" | undefined): Thenable<void> =>
  vscode.workspace.getConfiguration("files").update("autoSave", when, vscode.ConfigurationTarget.Workspace);

describe("What if", () => {
  before(asInSamples);
  // In a browser VS Code saves a second after the last key: on busy cores before the edit is judged, which then is a saved one.
  before(() => saveByItself("off"));
  after(() => saveByItself(undefined));

  it("tells, as pf.ts is typed and saved, on which steps of the shown episode the decision changes", async () => {
    const step = await stepThat("FINAL");
    const folder = await writeSkill("suite-what-if", {
      "SKILL.md": skillMd("suite-what-if", "answer"),
      "pf.ts": pfThat(false, OWN),
    });
    const pf = vscode.Uri.joinPath(folder, "pf.ts");
    const file = vscode.Uri.joinPath(step.run, "episodes.jsonl");
    await vscode.commands.executeCommand("hasp.revealStep", file, { index: step.episode, t: step.t });
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(pf), {
      viewColumn: vscode.ViewColumn.Beside,
    });
    const lens = async (words: RegExp): Promise<vscode.CodeLens | undefined> => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        pf,
      );
      return all.find(({ command }) => words.test(command?.title ?? ""));
    };
    await retype(editor, pfThat(true, OWN));
    // The episode may still be judged for the first time: the edit is told all the same.
    const typed = await eventually("the change, as it is typed", () =>
      lens(/With your change: .*(skipped|not there) → applied/),
    );
    match(typed.command?.title ?? "", new RegExp(`step ${step.t + 1}`));
    await editor.document.save();
    await eventually("the change, once it is saved", () => lens(/Saved: .*(skipped|not there) → applied/));
    await retype(editor, pfThat(false, OWN));
    await editor.document.save();
    await eventually("the way back", () => lens(/applied → skipped/));
  }).timeout(ALL_TOLD_MS);
});

describe("HASP: Branch from Here", () => {
  before(activated);

  it("goes on from the step with another policy, into a run of its own that says where it left", async () => {
    const [recorded] = await episodes();
    ok(recorded);
    const script = ["Thought: sure.\nAction: FINAL[Sam Walton]", "Thought: sure.\nAction: FINAL[Sam Walton]"];
    const file = vscode.Uri.joinPath(root(), "branch-script.json");
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(script)));
    const outcome = await vscode.commands.executeCommand<BranchOutcome | undefined>("hasp.branchFromHere", {
      run: runFolder(),
      episode: recorded.id,
      t: 2,
      policy: "scripted:branch-script.json",
      corpus: vscode.Uri.joinPath(root(), "corpus", "passages.jsonl"),
    });
    ok(outcome, "the command gives the branch");
    match(outcome.file.path, /\.hasp\/runs\/branch-[^/]+-3\/episodes\.jsonl$/);
    const made = JSON.parse(await read(outcome.file)) as Episode & { extra: { branchedFrom: unknown } };
    deepEqual(made.extra.branchedFrom, { run: RUN.join("/"), episode: recorded.id, t: 2 });
    equal(made.questionId, recorded.questionId);
    deepEqual(
      made.steps.slice(0, 2).map(({ proposals }) => proposals[0]?.action),
      recorded.steps.slice(0, 2).map(({ proposals }) => proposals[0]?.action),
    );
    equal(outcome.episode.answer, "Sam Walton");
    await eventually("the branch in the run editor", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.uri.path === outcome.file.path;
    });
  });

  it("goes on with a recorded run [thorough]", async () => {
    const outcome = await vscode.commands.executeCommand<BranchOutcome | undefined>("hasp.branchFromHere", {
      run: ".hasp/runs/first-look",
      episode: 0,
      t: 1,
      policy: "recorded:.hasp/runs/first-look",
      corpus: vscode.Uri.joinPath(root(), "corpus", "passages.jsonl"),
    });
    ok((outcome?.episode.length ?? 0) > 1);
  });
});
