import { deepEqual, equal, match, ok } from "node:assert/strict";

import { after, afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { DebugRecorder, evaluate, resume, topFrame } from "./debug-recorder.ts";
import { activated, eventually, open, retype, root, skillMd, within, writeSkill } from "./support.ts";

const PF = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class SuiteCases extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "SEARCH" && ctx.searchCount > 0;
  }
  intervene(): Intervention {
    return injectContext("Look again.", "the suite says so");
  }
}
`;
/** 0-based line of the return. */
const RETURN_LINE = 4;

const CASES = `cases:
  - name: it holds
    context: { searchCount: 2 }
    proposed: { type: SEARCH, arg: a }
    expect: { fires: true, type: INJECT_CONTEXT }
  - name: it should fire and does not
    proposed: { type: SEARCH, arg: a }
    expect: { fires: true, type: INJECT_CONTEXT, contextContains: Look }
`;

interface CaseRun {
  readonly name: string;
  readonly outcome: string;
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
}

async function run(folder: vscode.Uri): Promise<readonly CaseRun[]> {
  return eventually("the cases to be found", async () =>
    vscode.commands.executeCommand<readonly CaseRun[] | undefined>("hasp.runCases", folder),
  );
}

describe("Cases in the Test Explorer", () => {
  let folder: vscode.Uri;
  let recorder: DebugRecorder;
  before(async () => {
    await activated();
    recorder = new DebugRecorder();
    const files = { "SKILL.md": skillMd("suite-cases"), "pf.ts": PF, "cases.yaml": CASES };
    folder = await writeSkill("suite-cases", files);
  });
  afterEach(() => vscode.debug.removeBreakpoints(vscode.debug.breakpoints));
  after(async () => {
    await vscode.debug.stopDebugging();
    recorder.dispose();
  });

  it("run in the sandbox; one that does not hold shows both decisions and what decided", async () => {
    const [held, failed] = await run(folder);
    deepEqual(held, { skillId: "suite_cases", name: "it holds", outcome: "passed" });
    equal(failed?.outcome, "failed");
    equal(failed?.expected, 'fires: true\ntype: INJECT_CONTEXT\ncontextContains: "Look"');
    equal(failed?.actual, "fires: false");
    match(failed?.message ?? "", /Because ctx\.searchCount is 0/);
  });

  it("are not said to hold while their file cannot be read", async () => {
    const editor = await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    await retype(editor, CASES.replace("cases:", "cases: ["));
    const runs = await run(folder);
    deepEqual(
      runs.map(({ name, outcome }) => [name, outcome]),
      [["suite_cases", "errored"]],
    );
    match(runs[0]?.message ?? "", /YAML/);
    await retype(editor, CASES);
    equal((await run(folder)).length, 2);
  });

  it("are those of the text in the editor, saved or not", async () => {
    const editor = await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    await retype(editor, CASES.replace("  - name: it should fire and does not", "  - name: renamed"));
    deepEqual(
      (await run(folder)).map(({ name }) => name),
      ["it holds", "renamed"],
    );
    await retype(editor, CASES);
    const { document } = editor;
    // VS Code may give up a save beside another one, such as its own after a pause in typing, and says no more than false.
    await eventually("cases.yaml to be saved", async () => document.save());
    const saved = await vscode.workspace.fs.readFile(document.uri);
    equal(new TextDecoder().decode(saved), CASES);
    ok(!document.isDirty, "nothing is left to save");
  });

  it("stand in the Test Explorer at their lines", async () => {
    const file = vscode.Uri.joinPath(folder, "cases.yaml");
    await open(file);
    const found = await within(20_000, async () => {
      const tests = await vscode.commands.executeCommand("vscode.testing.getTestsInFile", file);
      return Array.isArray(tests) && tests.length >= 2 && JSON.stringify(tests);
    });
    ok(found, "VS Code finds the tests of the file");
  });

  it("stop under the debugger at a breakpoint of pf.ts, with the context of the case [thorough]", async () => {
    const pf = vscode.Uri.joinPath(folder, "pf.ts");
    const at = new vscode.SourceBreakpoint(new vscode.Location(pf, new vscode.Position(RETURN_LINE, 0)));
    vscode.debug.addBreakpoints([at]);
    const editor = await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    editor.selection = new vscode.Selection(1, 12, 1, 12);
    void vscode.commands.executeCommand("testing.debugAtCursor");
    const stop = await eventually("a stop", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return recorder.stops.shift();
    });
    const frame = await topFrame(stop);
    equal(frame.line, RETURN_LINE + 1);
    match(await evaluate(stop, frame, "ctx.searchCount + ' ' + actionType"), /2 SEARCH/);
    await resume(stop);
    await recorder.allEnded();
  });
});

describe("Cases in a workspace that nobody trusts [restricted]", () => {
  it("are not run, neither on request nor after a save", async () => {
    await activated();
    const folder = vscode.Uri.joinPath(root(), "skills", "web-search", "late-read");
    equal(vscode.workspace.isTrusted, false);
    equal(await vscode.commands.executeCommand("hasp.runCases", folder), undefined);
    equal(await vscode.commands.executeCommand("hasp.disableSkill", folder), undefined);
  });
});

describe("HASP: Disable Skill", () => {
  let folder: vscode.Uri;
  const config = (): vscode.Uri => vscode.Uri.joinPath(root(), "hasp.yaml");
  const text = async (): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(config()));
  let untouched: string;

  async function backtested(): Promise<readonly string[]> {
    const skills = [folder, vscode.Uri.joinPath(root(), "skills", "web-search", "suite-other")];
    const result = await vscode.commands.executeCommand<
      { report: { skills: { skillId: string }[] } } | undefined
    >("hasp.backtestSkill", { skills });
    return result?.report.skills.map(({ skillId }) => skillId) ?? [];
  }

  before(async () => {
    await activated();
    untouched = await text();
    folder = await writeSkill("suite-switched", { "SKILL.md": skillMd("suite-switched"), "pf.ts": PF });
    await writeSkill("suite-other", { "SKILL.md": skillMd("suite-other"), "pf.ts": PF });
  });
  after(async () => {
    await vscode.workspace.fs.writeFile(config(), new TextEncoder().encode(untouched));
  });

  it("keeps a skill out of a backtest until it is enabled again, and the file as it was [thorough]", async () => {
    await eventually("both to judge", async () => (await backtested()).length === 2);
    equal(await vscode.commands.executeCommand("hasp.disableSkill", folder), true);
    match(await text(), /^disabled_skills: \[suite_switched\]$/m);
    await eventually("one to judge", async () => (await backtested()).join() === "suite_other");
    equal(await vscode.commands.executeCommand("hasp.enableSkill", folder), true);
    equal(await text(), untouched);
    await eventually("both to judge again", async () => (await backtested()).length === 2);
  });
});
