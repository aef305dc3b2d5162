import { deepEqual, equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { BacktestResult } from "../../../src/extension/backtest/results-tree.ts";
import { sessionFolders } from "../../../src/platform/session-folders.ts";
import { workspaceOf } from "../../../src/platform/hook-workspace.ts";
import { activated, asInSamples, eventually, open, root, skillMd, writeSkill } from "./support.ts";

const RUN = [".hasp", "runs", "first-look"] as const;

/** The run editor in front, once it shows the file whose path ends so. */
async function openRunTab(path: string): Promise<vscode.TabInputCustom> {
  return eventually(`the run editor on ${path}`, () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputCustom && input.uri.path.endsWith(path) && input;
  });
}

describe("Recorded runs", () => {
  before(activated);

  it("open in the run editor from their folder", async () => {
    await vscode.commands.executeCommand("hasp.openRun", vscode.Uri.joinPath(root(), ...RUN));
    equal((await openRunTab("first-look/episodes.jsonl")).viewType, "hasp.run");
  });

  it("are those of the sample where the workspace is a copy of it", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("hasp.openSample");
    const { uri } = await openRunTab("first-look/episodes.jsonl");
    equal(uri.toString(), vscode.Uri.joinPath(root(), ...RUN, "episodes.jsonl").toString());
  });

  it("are those of a new copy of the sample in a folder that was named", async () => {
    const parent = vscode.Uri.joinPath(root(), "..", "chosen");
    await vscode.workspace.fs.createDirectory(parent);
    await vscode.commands.executeCommand("hasp.openSample", { folder: parent });
    const { uri } = await openRunTab("chosen/.hasp/runs/first-look/episodes.jsonl");
    const names = (await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name);
    ok(
      ["skills", "questions.jsonl", "hasp.yaml"].every((name) => names.includes(name)),
      names.join(),
    );
    await vscode.commands.executeCommand("hasp.openSample", { folder: parent });
    equal((await openRunTab("first-look/episodes.jsonl")).uri.toString(), uri.toString());
  });

  it("have their name in the tab, and are renamed in run.json", async () => {
    const folder = vscode.Uri.joinPath(root(), ...RUN);
    const runJson = vscode.Uri.joinPath(folder, "run.json");
    const read = async (): Promise<{ title: string; id: string }> =>
      JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(runJson))) as never;
    const run = vscode.Uri.joinPath(folder, "episodes.jsonl");
    const { title, id } = await read();
    const tabNamed = (name: string) =>
      eventually(
        `a tab named ${name}`,
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === name,
      );
    await vscode.commands.executeCommand("hasp.openRun", folder);
    await tabNamed(title);
    await vscode.commands.executeCommand("hasp.renameRun", { run, title: "Renamed" });
    await tabNamed("Renamed");
    deepEqual({ title: (await read()).title, id: (await read()).id }, { title: "Renamed", id });
    await vscode.commands.executeCommand("hasp.renameRun", { run, title });
    await tabNamed(title);
  });

  it("are found where a workspace could not hold the sessions of its agents: with the user", async () => {
    const state = vscode.Uri.joinPath(root(), "..", "user-state").fsPath;
    const before = process.env["XDG_STATE_HOME"];
    process.env["XDG_STATE_HOME"] = state;
    try {
      const [, { folder, title }] = sessionFolders(workspaceOf(root().fsPath));
      const line = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root(), ...RUN, "episodes.jsonl"));
      await vscode.workspace.fs.writeFile(vscode.Uri.file(`${folder}/episodes.jsonl`), line);
      // The newest stands first among the runs to open.
      const run = {
        schema: "hasp.run/1",
        id: "agent-sessions",
        title,
        domain: "coding-agent",
        createdAt: "2999-01-01T00:00:00.000Z",
        source: "hasp",
      };
      await vscode.workspace.fs.writeFile(
        vscode.Uri.file(`${folder}/run.json`),
        new TextEncoder().encode(JSON.stringify(run)),
      );
      void vscode.commands.executeCommand("hasp.openRun");
      await eventually("the run of the user's folder, chosen from the list", async () => {
        await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputCustom && input.uri.fsPath === `${folder}/episodes.jsonl`;
      });
    } finally {
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
    }
  });

  it("come from another program's trajectories", async () => {
    const line = {
      source: "reflexion",
      question: "Which river runs through Prague?",
      gold: "Vltava",
      pred: "Elbe",
      status: "incorrect",
      steps: [
        {
          n: 1,
          thought: "Search.",
          action: "Search",
          arg: "Prague river",
          action_raw: "Search[Prague river]",
          observation: "Prague lies on a river.",
        },
        {
          n: 2,
          thought: "Answer.",
          action: "Finish",
          arg: "Elbe",
          action_raw: "Finish[Elbe]",
          observation: "Answer is INCORRECT",
        },
      ],
    };
    const source = vscode.Uri.joinPath(root(), "trajectories.jsonl");
    await vscode.workspace.fs.writeFile(source, new TextEncoder().encode(`${JSON.stringify(line)}\n`));
    const file = await vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.importEpisodes", {
      format: "reflexion",
      source,
    });
    ok(file, "the command gives the imported file");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    ok(text.includes(`"outcome":"wrong"`));
    ok(!text.includes("INCORRECT"), "the verdict is nowhere but in the outcome");
    await openRunTab(file.path);
  });

  it("come from recorded answers, with the domain and the questions that a person chooses by keys", async () => {
    const encoded = (row: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(row)}\n`);
    const source = vscode.Uri.joinPath(root(), "answers.jsonl");
    const questions = vscode.Uri.joinPath(root(), "a-questions.jsonl");
    const solution = "Thought: Easy.\nAction: FINAL[Vltava]";
    await vscode.workspace.fs.writeFile(source, encoded({ question_id: "q1", solution, correct: true }));
    await vscode.workspace.fs.writeFile(questions, encoded({ id: "q1", question: "Which river?" }));
    let file: vscode.Uri | undefined;
    void vscode.commands
      .executeCommand<vscode.Uri | undefined>("hasp.importEpisodes", { source })
      .then((made) => (file = made));
    await eventually("the imported file, after Enter in both lists", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return file;
    });
    ok(file, "the command gives the imported file");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    ok(text.includes(`"outcome":"correct"`) && text.includes(`"question":"Which river?"`));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const made of [vscode.Uri.joinPath(file, ".."), source, questions])
      await vscode.workspace.fs.delete(made, { recursive: true });
  });

  it("are imported while the extension host answers [thorough]", async () => {
    const turns = Array.from({ length: 200_000 }, (_, i) => ({
      role: i % 2 === 0 ? "user" : "assistant",
      content: "x",
    }));
    const source = vscode.Uri.joinPath(root(), "long-conversation.json");
    await vscode.workspace.fs.writeFile(
      source,
      new TextEncoder().encode(JSON.stringify({ messages: turns })),
    );
    const importing = Promise.resolve(
      vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.importEpisodes", {
        format: "openai",
        source,
      }),
    );
    const ended = importing.then(() => true);
    let answers = 0;
    while (!(await Promise.race([ended, vscode.commands.getCommands(true).then(() => false)]))) answers++;
    const file = await importing;
    ok(file, "the command gives the imported file");
    // Its 100,000 steps would be judged with every backtest of the suites below.
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, ".."), { recursive: true });
    ok(answers > 3, `the extension host answered ${answers} times during the import`);
  });
});

describe("HASP: Backtest Skill", () => {
  before(activated);
  before(asInSamples);

  it("says on which recorded steps a skill would have acted, in right and in wrong episodes", async () => {
    const pf = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";
export default class OnFinal extends ProgramFunction {
  shouldActivate(_ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "FINAL";
  }
  intervene(): Intervention {
    return injectContext("Are you sure?", "every FINAL");
  }
}
`;
    const folder = await writeSkill("on-final", { "SKILL.md": skillMd("on-final", "answer"), "pf.ts": pf });
    const result = await eventually("a backtest of the new skill", async () => {
      return vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
        skills: [folder],
      });
    });
    const [skill] = result.report.skills;
    equal(skill?.skillId, "on_final");
    ok((skill?.counts.wrong.fired ?? 0) > 0, "it fired in a wrong episode of the sample run");
    ok(skill?.hits.every((hit) => hit.run.endsWith("episodes.jsonl") && hit.t >= 0));
  });

  it("says what the changes of a skill were worth, in the result and above its class", async () => {
    const folder = vscode.Uri.joinPath(root(), "skills", "web-search", "on-final");
    const result = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
      skills: [folder],
    });
    const [skill] = result?.report.skills ?? [];
    ok((skill?.worth?.counts.wrong.answer.could_help ?? 0) > 0, "a wrong answer did not end its episode");
    ok(skill?.worth?.separation.answer !== undefined, "answers are separated");
    const { document } = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    const title = await eventually("the worth above the class", async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        document.uri,
        20,
      );
      const all = lenses.map((lens) => ({ title: lens.command?.title ?? "", line: lens.range.start.line }));
      const line = document
        .getText()
        .split("\n")
        .findIndex((text) => text.startsWith("export default class"));
      return all.find((lens) => lens.line === line && lens.title.includes("fires in"))?.title;
    });
    match(title, /fires in .* · could help \d+/);
    const hit = skill?.hits.find(({ worth }) => worth?.value === "could_help");
    ok(hit !== undefined, "a step of the result says it");
    const place = { index: hit.index, t: hit.t };
    await vscode.commands.executeCommand("hasp.revealStep", vscode.Uri.parse(hit.run, true), place);
    await openRunTab("/episodes.jsonl");
  });

  it("says that searches of a run are not measured where the corpus of its run.json is not there [thorough]", async () => {
    const from = vscode.Uri.joinPath(root(), ...RUN);
    const folder = vscode.Uri.joinPath(from, "..", "without-corpus");
    const runJson = vscode.Uri.joinPath(folder, "run.json");
    await vscode.workspace.fs.copy(from, folder);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(runJson));
    const run = JSON.parse(text) as { readonly settings: object };
    const corpus = { file: "corpus/none.jsonl", hash: "0", passages: 1 };
    const changed = { ...run, settings: { ...run.settings, corpus } };
    await vscode.workspace.fs.writeFile(runJson, new TextEncoder().encode(JSON.stringify(changed)));
    const skills = [vscode.Uri.joinPath(root(), "skills", "web-search", "on-final")];
    const found = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
      skills,
    });
    await vscode.workspace.fs.delete(folder, { recursive: true });
    match(found?.notes.join() ?? "", /The corpus of 1 run \(corpus\/none\.jsonl\) is not searched/);
  });

  it("says of a library what its PFs do together, and which of them can modify an action", async () => {
    const names = ["retrieval-failure", "insufficient-exploration"];
    const builtIn = vscode.extensions.getExtension("hasp-studio.hasp-studio")?.extensionUri ?? root();
    const skills = names.map((name) => vscode.Uri.joinPath(builtIn, "skills", "paper", "web-search", name));
    const own = vscode.Uri.joinPath(root(), "skills", "web-search", "on-final");
    const result = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
      skills: [...skills, own],
    });
    equal(result?.report.library.skillIds.length, 3);
    deepEqual(result.report.modifiers.skillIds.toSorted(), ["insufficient_exploration", "retrieval_failure"]);
    ok(result.report.library.fired.wrong >= result.report.modifiers.fired.wrong);
  });

  it("opens a step of the result in the run editor", async () => {
    const file = vscode.Uri.joinPath(root(), ...RUN, "episodes.jsonl");
    await vscode.commands.executeCommand("hasp.revealStep", file, { index: 0, t: 1 });
    await openRunTab(file.path);
  });
});
