import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { Overridden } from "../../../src/evolve/override-candidate.ts";
import type { EvolutionOutcome } from "../../../src/extension/evolve/execute.ts";
import { watchEvolutions } from "../../../src/extension/evolve/evolutions.ts";
import type { EvolvePlan } from "../../../src/extension/evolve/plan.ts";
import { evolutionRows } from "../../../src/extension/evolve/rows.ts";
import type { Row } from "../../../src/extension/tree.ts";
import type { EvolvedCandidate } from "../../../src/model/evolution.ts";
import type { HistoryEntry } from "../../../src/model/library-history.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { AUTHOR, AUTHOR_SCRIPT, FAILING_RUN, writeEvolvable } from "../../support/evolution.ts";
import { activated, eventually, root } from "./support.ts";

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);
const folderOf = (name: string): vscode.Uri => at(".hasp", "evolutions", name);
const generated = (): vscode.Uri => at("skills", "web-search", "generated");

async function text(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

function planOf(name: string, more: Partial<EvolvePlan> = {}): EvolvePlan {
  return {
    root: root(),
    source: { kind: "recorded", runs: [at(".hasp", "runs", FAILING_RUN, "episodes.jsonl")] },
    author: AUTHOR,
    teacher: undefined,
    mode: "full",
    gate: "exec-only",
    worth: false,
    epochs: 1,
    maxDollars: undefined,
    name,
    ...more,
  };
}

const evolve = (plan: EvolvePlan): Thenable<EvolutionOutcome | undefined> =>
  vscode.commands.executeCommand<EvolutionOutcome | undefined>("hasp.evolveLibrary", plan);

/** A row as a person reads it: `label | description`. */
const shown = ({ item: { label, description } }: Row): string =>
  [label, description].filter((part) => typeof part === "string").join(" | ");

async function below(rows: readonly Row[], ...path: readonly string[]): Promise<readonly Row[]> {
  let found = rows;
  for (const label of path)
    found = (await found.find(({ item }) => item.label === label)?.children?.()) ?? [];
  return found;
}

/** The rows of the view, read by a watcher of its own. */
async function rowsNow(): Promise<readonly Row[]> {
  const log = vscode.window.createOutputChannel("suite", { log: true });
  const evolutions = watchEvolutions(nodeFiles(), log);
  try {
    return await evolutionRows(evolutions);
  } finally {
    evolutions.dispose();
    log.dispose();
  }
}

async function candidates(name: string): Promise<readonly EvolvedCandidate[]> {
  const lines = (await text(vscode.Uri.joinPath(folderOf(name), "epoch_1", "candidates.jsonl")))
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as EvolvedCandidate);
}

async function history(): Promise<readonly HistoryEntry[]> {
  const file = vscode.Uri.joinPath(generated(), "library_history.json");
  return (JSON.parse(await text(file)) as { entries: readonly HistoryEntry[] }).entries;
}

describe("HASP: Evolve Library", () => {
  before(async () => {
    await activated();
    writeEvolvable(root().fsPath);
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const made = [
      at(".hasp", "runs", FAILING_RUN),
      at(".hasp", "evolutions"),
      generated(),
      at(AUTHOR_SCRIPT),
    ];
    for (const one of made) if (await exists(one)) await vscode.workspace.fs.delete(one, { recursive: true });
  });

  it("evolves the library from a recorded run, and the view shows phases and decisions", async () => {
    const outcome = await evolve(planOf("whole"));
    equal(outcome?.epochs, 1);
    equal(outcome.endedBy, undefined);
    const rows = await below(await rowsNow(), "whole", "Epoch 1");
    deepEqual(
      rows.map(({ item }) => item.label),
      [
        "A Roll out the seed questions",
        "B Analyse failures",
        "C Propose skills",
        "D Check candidates",
        "E Review candidates",
        "F Admit to the library",
        "G Assign credit",
        "H Build training data",
        "Failures",
        "Candidates",
      ],
    );
    equal(
      shown(rows[0] as Row).split(";")[0],
      "A Roll out the seed questions | 24 recorded episodes, 18 failed",
    );
    const decided = await below(await rowsNow(), "whole", "Epoch 1", "Candidates");
    deepEqual(
      decided.slice(0, 2).map((one) => shown(one).split(" · ")[0]),
      ["unread_answer v1 | admitted", "hasty_answer v1 | rejected"],
    );
    ok(await exists(vscode.Uri.joinPath(generated(), "unread_answer__v1", "unread-answer", "pf.ts")));
  });

  it("names its files as hasp evolve does, relative to the workspace folder", async () => {
    const order = JSON.parse(await text(vscode.Uri.joinPath(folderOf("whole"), "evolution.json"))) as {
      generated: string;
      rollouts: { runs: { run: string }[] };
    };
    equal(order.generated, "skills/web-search/generated");
    deepEqual(
      order.rollouts.runs.map(({ run }) => run),
      [`.hasp/runs/${FAILING_RUN}`],
    );
  });

  it("opens a candidate's code beside its SKILL.md: from the library, or as it was proposed", async () => {
    const open = (id: string): Thenable<readonly vscode.Uri[] | undefined> =>
      vscode.commands.executeCommand("hasp.openCandidate", folderOf("whole").with({ fragment: id }));
    const admitted = await open("e1-c1");
    equal(admitted?.[0]?.scheme, "file");
    ok(admitted[0].path.includes("/generated/unread_answer__v1/"), admitted[0].path);
    const rejected = await open("e1-c2");
    equal(rejected?.[0]?.scheme, "hasp-skill");
    ok((await vscode.workspace.openTextDocument(rejected[0])).getText().includes("ProgramFunction"));
    const tabs = vscode.window.tabGroups.all.map(({ activeTab }) => activeTab?.label.replace(/ .*/, ""));
    deepEqual(tabs.slice(0, 2), ["pf.ts", "SKILL.md"]);
  });

  it("lets a person accept a rejected candidate, with the reason in the history", async () => {
    const subject = folderOf("whole").with({ fragment: "e1-c2" });
    const reason = "It is for another kind of answer.";
    const done = await vscode.commands.executeCommand<Overridden | undefined>("hasp.acceptCandidate", {
      subject,
      reason,
    });
    equal(done?.folder, "skills/web-search/generated/hasty_answer__v1/hasty-answer");
    ok(await exists(vscode.Uri.joinPath(generated(), "hasty_answer__v1", "hasty-answer", "SKILL.md")));
    const last = (await history()).at(-1);
    deepEqual(
      [last?.kind, last?.accepted, last?.by, last?.reason, last?.candidate],
      ["override", true, "person", reason, "e1-c2"],
    );
    const own = (await candidates("whole")).find(({ id }) => id === "e1-c2");
    deepEqual(own?.decision, { admitted: true, reason, by: "person" });
    const decided = await below(await rowsNow(), "whole", "Epoch 1", "Candidates");
    equal(shown(decided[1] as Row), `hasty_answer v1 | admitted by a person · ${reason}`);
  });

  it("lets a person reject an admitted candidate: it leaves the library, and its files are kept", async () => {
    const subject = folderOf("whole").with({ fragment: "e1-c1" });
    const order = { subject, reason: "Too broad." };
    const done = await vscode.commands.executeCommand<Overridden | undefined>("hasp.rejectCandidate", order);
    equal(done?.folder, undefined);
    equal(done?.candidate.decision.admitted, false);
    equal(await exists(vscode.Uri.joinPath(generated(), "unread_answer__v1")), false);
    ok(await exists(vscode.Uri.joinPath(generated(), ".retired", "unread_answer__v1")));
  });

  it("shows a report whose texts are plain", async () => {
    const page = await vscode.commands.executeCommand<vscode.Uri | undefined>(
      "hasp.showEvolutionReport",
      folderOf("whole"),
    );
    ok(page);
    const shownText = (await vscode.workspace.openTextDocument(page)).getText();
    ok(shownText.startsWith("# Evolution whole\n"), shownText);
    ok(shownText.includes("| 1 |"), shownText);
    ok(shownText.includes("## Final reading"), shownText);
  });

  it("stops after the running phase, and Resume Evolution finishes it [thorough]", async () => {
    const folder = folderOf("halves");
    const running = evolve(planOf("halves", { epochs: 2 }));
    await eventually("the evolution to begin", () => exists(vscode.Uri.joinPath(folder, "evolution.json")));
    ok(await vscode.commands.executeCommand("hasp.stopEvolution", folder), "it was running");
    const first = await running;
    equal(first?.endedBy, "stopped");
    const unfinished = (await rowsNow()).find(({ item }) => item.label === "halves");
    equal(unfinished?.item.contextValue, "hasp.evolution.unfinished");
    const resumed = await vscode.commands.executeCommand<EvolutionOutcome | undefined>(
      "hasp.resumeEvolution",
      folder,
    );
    equal(resumed?.endedBy, undefined);
    equal(resumed?.epochs, 2);
    const done = (await rowsNow()).find(({ item }) => item.label === "halves");
    equal(done?.item.contextValue, "hasp.evolution.done");
    deepEqual(
      (await below(await rowsNow(), "halves")).map(({ item }) => item.label),
      ["Epoch 1", "Epoch 2", "Final reading"],
    );
  });

  it("evolves from live rollouts, and resumes them with the corpus that was chosen [thorough]", async () => {
    const folder = folderOf("live");
    const source = {
      kind: "live",
      rollouts: {
        questions: at("questions.jsonl"),
        domain: "web-search",
        corpus: at("corpus", "passages.jsonl"),
        policy: "recorded:.hasp/runs/first-look",
        setting: "full",
        limit: 4,
      },
    } as const;
    const running = evolve(planOf("live", { source, mode: "lite" }));
    await eventually("the evolution to begin", () => exists(vscode.Uri.joinPath(folder, "evolution.json")));
    ok(await vscode.commands.executeCommand("hasp.stopEvolution", folder), "it was running");
    equal((await running)?.endedBy, "stopped");
    ok(await exists(vscode.Uri.joinPath(folder, "epoch_1", "rollout", "episodes.jsonl")));
    const resumed = await vscode.commands.executeCommand<EvolutionOutcome | undefined>(
      "hasp.resumeEvolution",
      folder,
    );
    deepEqual([resumed?.endedBy, resumed?.epochs], [undefined, 1]);
  });

  it("is cancelled at once, and what is done stays", async () => {
    const folder = folderOf("cut");
    const running = evolve(planOf("cut"));
    await eventually("the evolution to begin", () => exists(vscode.Uri.joinPath(folder, "evolution.json")));
    ok(await vscode.commands.executeCommand("hasp.cancelEvolution", folder), "it was running");
    equal((await running)?.endedBy, "cancelled");
    const row = (await rowsNow()).find(({ item }) => item.label === "cut");
    equal(row?.item.contextValue, "hasp.evolution.unfinished");
  });

  it("does not mix an evolution with another one of the same name", async () => {
    equal(await evolve(planOf("whole", { gate: "none" })), undefined);
    equal((await candidates("whole")).length > 0, true);
  });
});
