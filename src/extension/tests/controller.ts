import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS, SETTINGS } from "../contributions.ts";
import { showFailure } from "../failure.ts";
import { readSetting } from "../settings.ts";
import { isSkillFile, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { openCaseItems, type CaseItems } from "./items.ts";
import type { CaseRun, CaseRunner, RunControl } from "./run-cases.ts";
import { runCasesCommand } from "./run-command.ts";
import type { Services } from "../services.ts";

type CaseServices = Pick<Services, "editorServices" | "judging">;

const ID = "hasp.cases";

function isWithin(item: vscode.TestItem, asked: readonly vscode.TestItem[]): boolean {
  for (let at: vscode.TestItem | undefined = item; at !== undefined; at = at.parent)
    if (asked.includes(at)) return true;
  return false;
}

/** Cases that a request is about. */
async function leavesOf(
  request: vscode.TestRunRequest,
  items: CaseItems,
  all: vscode.TestItemCollection,
): Promise<readonly vscode.TestItem[]> {
  if (request.include === undefined) await items.refresh();
  const asked = request.include ?? [...all].map(([, item]) => item);
  const leaves = (await Promise.all(asked.map((item) => items.leaves(item)))).flat();
  const unwanted = request.exclude ?? [];
  return [...new Set(leaves)].filter((leaf) => !isWithin(leaf, unwanted));
}

/** Carries out requests of the Test Explorer. Loads the runner of cases with the first one. */
function openRequests(controller: vscode.TestController, items: CaseItems, services: CaseServices) {
  let runner: Promise<CaseRunner> | undefined;

  const loadRunner = (): Promise<CaseRunner> =>
    (runner ??= import("./run-cases.ts").then(({ createCaseRunner }) => createCaseRunner(services, items)));

  async function inRun<T>(
    request: vscode.TestRunRequest,
    work: (leaves: readonly vscode.TestItem[], run: vscode.TestRun) => Promise<T>,
  ): Promise<T> {
    const leaves = await leavesOf(request, items, controller.items);
    const current = controller.createTestRun(request);
    try {
      return await work(leaves, current);
    } finally {
      current.end();
    }
  }

  /** Runs cases in the sandbox. Rejects in an untrusted workspace. */
  async function run(request: vscode.TestRunRequest, control: RunControl = {}): Promise<readonly CaseRun[]> {
    requireTrust("Running cases");
    return inRun(request, async (leaves, current) => {
      if (current.token.isCancellationRequested || control.signal?.aborted === true) return [];
      return (await loadRunner()).run(leaves, current, control);
    });
  }

  /** Debugs cases in Node, each after a yes, and runs it in the sandbox for its result. Rejects in an untrusted workspace. */
  async function debug(request: vscode.TestRunRequest): Promise<void> {
    requireTrust("Debugging its code");
    const { debugCase } = await import("./debug-case.ts");
    const debugging = { ...services.editorServices, compiler: services.judging.compiler };
    await inRun(request, async (leaves, current) => {
      for (const leaf of leaves) {
        const place = items.caseOf(leaf);
        if (place === undefined || current.token.isCancellationRequested) continue;
        current.started(leaf);
        if (await debugCase(debugging, place, current)) await (await loadRunner()).run([leaf], current, {});
        else current.skipped(leaf);
      }
    });
  }

  return { run, debug, close: () => void runner?.then((started) => started.close()) };
}

/**
 * The cases of skills in VS Code's Test Explorer: found when somebody looks, run in the sandbox on request and after a save, debugged in
 * Node after a yes. In a workspace that nobody trusts they are shown, and nothing runs.
 */
export function registerCaseTests(services: CaseServices): vscode.Disposable {
  const { log, library, shownFiles: files } = services.editorServices;
  const controller = vscode.tests.createTestController(ID, "HASP cases");
  const items = openCaseItems({ controller, files, library });
  const requests = openRequests(controller, items, services);
  const continuous = new Set<vscode.TestRunRequest>();
  let profile: vscode.TestRunProfile | undefined;
  let isLookedAt = false;

  /** A failure is told once, and never to the Test Explorer, which would put it in a box of its own. */
  async function told(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => showFailure(log, "Running cases failed", error));
  }

  function follow(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    continuous.add(request);
    token.onCancellationRequested(() => continuous.delete(request));
  }

  function offer(): void {
    if (!vscode.workspace.isTrusted || profile !== undefined) return;
    const { Run, Debug } = vscode.TestRunProfileKind;
    const onRun = (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> | void =>
      request.continuous === true ? follow(request, token) : told(requests.run(request));
    profile = controller.createRunProfile("Run cases", Run, onRun, true, undefined, true);
    controller.createRunProfile("Debug cases", Debug, (request) => told(requests.debug(request)), true);
  }

  const isFollowed = (item: vscode.TestItem): boolean =>
    [...continuous].some(
      ({ include }) =>
        include === undefined || isWithin(item, include) || include.some((one) => isWithin(one, [item])),
    );

  async function runSaved(file: vscode.Uri): Promise<void> {
    if (!vscode.workspace.isTrusted || file.scheme !== "file" || !isSkillFile(file)) return;
    const item = await items.skillAt(parentOf(file));
    if (item === undefined || !(isFollowed(item) || readSetting(SETTINGS.runCases))) return;
    // In the manner of a continuous run: it opens nothing and takes no focus.
    await requests.run(new vscode.TestRunRequest([item], undefined, profile, true, true));
  }

  const runCommand = runCasesCommand(items, (asked, control) =>
    // The command says how they came out: the panel does not open by itself.
    requests.run(new vscode.TestRunRequest(asked, undefined, profile, false, true), control),
  );
  controller.resolveHandler = async (item) => {
    isLookedAt = true;
    await (item === undefined ? items.refresh() : items.resolve(item));
  };
  controller.refreshHandler = () => items.refresh();
  offer();
  return vscode.Disposable.from(
    controller,
    registerCommand(log, COMMANDS.runCases, runCommand),
    library.onDidChange(() => {
      if (isLookedAt) void told(items.refresh());
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(offer),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => void told(runSaved(uri))),
    { dispose: () => requests.close() },
  );
}
