import * as vscode from "vscode";
import { createRedactor } from "../llm/redact.ts";
import { systemClock } from "../platform/clock.ts";
import { nodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { latePfHost } from "../platform/late-pf-host.ts";
import { startSearcher } from "../platform/worker-search.ts";
import { cachedCompiler } from "../skill/cached-compiler.ts";
import { keepLatestBacktest } from "./backtest/latest.ts";
import type { SkillCheck } from "./diagnostics/check-skill.ts";
import { type CheckSkill, startLiveDiagnostics } from "./diagnostics/live.ts";
import { createPublisher } from "./diagnostics/publisher.ts";
import { showRecordedHints } from "./diagnostics/recorded.ts";
import { redactedLog } from "./models/log.ts";
import { modelOpener } from "./models/open-model.ts";
import { secretKeys } from "./models/secret-keys.ts";
import { openNotes } from "./notes/store.ts";
import { registerRunEditor } from "./replay/editor.ts";
import { openReviews } from "./review/reviews.ts";
import { watchRuns } from "./runs/find-runs.ts";
import { registerRunsTree } from "./runs/runs-tree.ts";
import type { EditorJudging, EditorServices, ModelServices, Services, SkillFindings } from "./services.ts";
import { createStatus } from "./status.ts";
import { watchConfigs } from "./workspace/config.ts";
import { editorFiles } from "./workspace/editor-files.ts";
import { openLibrarySource } from "./workspace/library.ts";
import { openSkillFacts } from "./workspace/skill-facts.ts";
import { watchSkillFolders } from "./workspace/skill-folders.ts";

/** A bundle with all that ends with it. */
interface Opened<Bundle> {
  readonly bundle: Bundle;
  readonly held: readonly vscode.Disposable[];
}

const workerFileOf = ({ extensionUri }: vscode.ExtensionContext): string =>
  vscode.Uri.joinPath(extensionUri, "dist", "worker.js").fsPath;

/** No worker starts before it is first asked. */
function openJudging(context: vscode.ExtensionContext): Opened<EditorJudging> {
  const workerFile = workerFileOf(context);
  const compiler = cachedCompiler(startCompiler({ workerFile }));
  const bundle = { files: nodeFiles(), compiler, startHost: () => latePfHost(workerFile) };
  return { bundle, held: [{ dispose: () => compiler.close() }] };
}

function openEditor(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  { compiler, startHost }: EditorJudging,
  publisher: SkillFindings["publisher"],
): Opened<EditorServices> {
  const workerFile = workerFileOf(context);
  const searcher = startSearcher({ workerFile });
  const clock = systemClock;
  const files = nodeFiles();
  const shownFiles = editorFiles(files);
  const folders = watchSkillFolders(log);
  const runs = watchRuns(files, log);
  const configs = watchConfigs(shownFiles, publisher, log);
  const builtIn = vscode.Uri.joinPath(context.extensionUri, "skills");
  const library = openLibrarySource({ files: shownFiles, disk: files, compiler, folders, configs, builtIn });
  const notes = openNotes({ files, clock, runs });
  const session = { files, runs, library, compiler, startHost, log, notes, searcher };
  const editor = registerRunEditor({
    context,
    log,
    startSession: async (file) => (await import("./replay/session.ts")).startRunSession(file, session),
  });
  const runsTree = registerRunsTree(runs);
  const status = createStatus();
  const memory = context.workspaceState;
  const shown = { editor, runsTree, status };
  const bundle = { context, log, memory, clock, files, shownFiles, folders, library, runs, notes, builtIn };
  const held = [folders, runs, configs, library, notes, ...Object.values(shown)];
  return {
    bundle: { ...bundle, ...shown, workerFile },
    held: [...held, { dispose: () => searcher.close() }],
  };
}

function openFindings(
  { log, files, shownFiles, folders, library }: EditorServices,
  { compiler, startHost }: EditorJudging,
  publisher: SkillFindings["publisher"],
): Opened<SkillFindings> {
  let created: Promise<SkillCheck> | undefined;
  const create = async (): Promise<SkillCheck> =>
    (await import("./diagnostics/check-skill.ts")).createCheckSkill({
      files: shownFiles,
      compiler,
      startHost,
    });
  const check: CheckSkill = async (folder) => (await (created ??= create())).check(folder);
  const bundle = {
    publisher,
    live: startLiveDiagnostics({ folders, publisher, log, check }),
    facts: openSkillFacts({ files: shownFiles, compiler, log }),
    latest: keepLatestBacktest(),
    recorded: showRecordedHints({ files: shownFiles, library, publisher, log }),
    reviews: openReviews(files, shownFiles),
  };
  return {
    bundle,
    held: [...Object.values(bundle), { dispose: () => void created?.then((checks) => checks.dispose()) }],
  };
}

function openModels(
  { context, log, files }: EditorServices,
  redactor: ModelServices["redactor"],
): Opened<ModelServices> {
  const http = httpClient();
  const keys = secretKeys(context.secrets);
  const models = modelOpener({ log, files, keys, post: http.post, redactor });
  return { bundle: { models, keys, get: http.get, redactor }, held: [{ dispose: () => http.close() }] };
}

/** The log of the extension and the redactor that keeps keys out of it. */
export interface SafeLog {
  readonly log: vscode.LogOutputChannel;
  readonly redactor: ModelServices["redactor"];
}

export function openLog(): SafeLog {
  const redactor = createRedactor();
  return { log: redactedLog(vscode.window.createOutputChannel("HASP", { log: true }), redactor), redactor };
}

/** Builds the bundles that the features share; all that they hold ends with the extension. */
export function openServices(context: vscode.ExtensionContext, { log, redactor }: SafeLog): Services {
  const publisher = createPublisher();
  const judging = openJudging(context);
  const editor = openEditor(context, log, judging.bundle, publisher);
  const findings = openFindings(editor.bundle, judging.bundle, publisher);
  const models = openModels(editor.bundle, redactor);
  for (const { held } of [editor, findings, models, judging]) context.subscriptions.push(...held);
  return {
    editorServices: editor.bundle,
    findings: findings.bundle,
    judging: judging.bundle,
    modelServices: models.bundle,
  };
}
