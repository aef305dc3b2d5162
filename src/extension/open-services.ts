import process from "node:process";
import * as vscode from "vscode";
import { environmentSecrets } from "../llm/env-secrets.ts";
import { withStudent } from "../llm/keys.ts";
import { createRedactor } from "../llm/redact.ts";
import { systemClock } from "../platform/clock.ts";
import { nodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { latePfHost } from "../platform/late-pf-host.ts";
import { pfHosts } from "../platform/pf-hosts.ts";
import { startSearcher } from "../platform/worker-search.ts";
import { cachedCompiler } from "../skill/cached-compiler.ts";
import { keepLatestBacktest } from "./backtest/latest.ts";
import type { SkillCheck } from "./diagnostics/check-skill.ts";
import { type CheckSkill, startLiveDiagnostics } from "./diagnostics/live.ts";
import { createPublisher } from "./diagnostics/publisher.ts";
import { showRecordedHints } from "./diagnostics/recorded.ts";
import { watchEvolutions } from "./evolve/evolutions.ts";
import { watchExperiments } from "./experiments/experiments.ts";
import { keepServedPolicy } from "./experiments/served-policy.ts";
import { watchJobs } from "./jobs/jobs.ts";
import { redactedLog } from "./models/log.ts";
import { modelOpener } from "./models/open-model.ts";
import { secretKeys } from "./models/secret-keys.ts";
import { openNotes } from "./notes/store.ts";
import { registerRunEditor } from "./replay/editor.ts";
import { keepRunSkillChoices } from "./replay/run-skill-choices.ts";
import { openReviews } from "./review/reviews.ts";
import { watchDeadHooks } from "./runs/dead-hooks.ts";
import { watchRuns } from "./runs/find-runs.ts";
import { registerRunsTree } from "./runs/runs-tree.ts";
import type { EditorJudging, EditorServices, ModelServices, Services, SkillFindings } from "./services.ts";
import { createStatus } from "./status.ts";
import { watchConfigs } from "./workspace/config.ts";
import { editorFiles } from "./workspace/editor-files.ts";
import { openLibrarySource } from "./workspace/library.ts";
import { openSkillFacts } from "./workspace/skill-facts.ts";
import { shippedGuards } from "./workspace/shipped-guards.ts";
import { watchSkillFolders } from "./workspace/skill-folders.ts";

/** Keeps what ends with the extension, and gives it back. */
type Own = <T extends vscode.Disposable>(held: T) => T;

/** Loaded with the first judge that runs programs. */
const openContainment: EditorJudging["openContainment"] = async (places) => {
  const late = await import("../platform/containment/open-containment.ts");
  return late.openContainment(places);
};

/** No worker starts before it is first asked. */
function openJudging(workerFile: string, own: Own): EditorJudging {
  const compiler = cachedCompiler(startCompiler({ workerFile }));
  own({ dispose: () => compiler.close() });
  const startHost: EditorJudging["startHost"] = () => pfHosts(() => latePfHost(workerFile));
  return { files: nodeFiles(), compiler, startHost, openContainment };
}

function openEditor(
  { context, log, workerFile }: Pick<EditorServices, "context" | "log" | "workerFile">,
  { compiler, startHost }: EditorJudging,
  publisher: SkillFindings["publisher"],
  own: Own,
): EditorServices {
  const searcher = startSearcher({ workerFile });
  own({ dispose: () => searcher.close() });
  const clock = systemClock;
  const files = nodeFiles();
  const shownFiles = editorFiles(files);
  const folders = own(watchSkillFolders(log));
  const runs = own(watchRuns(files, log));
  const evolutions = own(watchEvolutions(files, log));
  const experiments = own(watchExperiments(files, log));
  const jobs = own(watchJobs(files, log));
  const configs = own(watchConfigs(shownFiles, publisher, log));
  const builtIn = vscode.Uri.joinPath(context.extensionUri, "skills");
  const library = own(
    openLibrarySource({ files: shownFiles, disk: files, compiler, folders, configs, builtIn }),
  );
  const notes = own(openNotes({ files, clock, runs }));
  const runSkillChoices = own(keepRunSkillChoices(context.workspaceState));
  const judging = { compiler, startHost, runSkillChoices };
  const session = { ...judging, files, runs, library, log, notes, searcher };
  const startSession = async (file: vscode.Uri) =>
    (await import("./replay/session.ts")).startRunSession(file, session);
  const editor = own(registerRunEditor({ context, log, startSession }));
  const runsTree = own(registerRunsTree(runs, own(watchDeadHooks(files, log))));
  const status = own(createStatus());
  const memory = context.workspaceState;
  const workspace = { folders, library, runs, evolutions, experiments, jobs, notes, builtIn };
  return {
    context,
    log,
    workerFile,
    memory,
    clock,
    files,
    shownFiles,
    ...workspace,
    editor,
    runSkillChoices,
    runsTree,
    status,
  };
}

function openFindings(
  { log, files, shownFiles, folders, library, builtIn }: EditorServices,
  judging: EditorJudging,
  publisher: SkillFindings["publisher"],
  own: Own,
): SkillFindings {
  let created: Promise<SkillCheck> | undefined;
  const create = async (): Promise<SkillCheck> =>
    (await import("./diagnostics/check-skill.ts")).createCheckSkill({
      ...judging,
      files: shownFiles,
      guards: shippedGuards({ files, builtIn }),
    });
  const check: CheckSkill = async (folder) => (await (created ??= create())).check(folder);
  own({ dispose: () => void created?.then((checks) => checks.dispose()) });
  return {
    publisher,
    live: own(startLiveDiagnostics({ folders, publisher, log, check })),
    facts: own(openSkillFacts({ files: shownFiles, compiler: judging.compiler, log })),
    latest: own(keepLatestBacktest()),
    recorded: own(showRecordedHints({ files: shownFiles, library, publisher, log })),
    reviews: own(openReviews(files, shownFiles)),
  };
}

function openModels(
  { context, log, files }: EditorServices,
  redactor: ModelServices["redactor"],
  own: Own,
): ModelServices {
  const http = httpClient();
  own({ dispose: () => http.close() });
  const keys = secretKeys(context.secrets);
  const served = own(keepServedPolicy(context.globalState));
  const address = (): string | undefined => served.answering()?.address;
  const withServed = withStudent(keys, () => served.answering());
  const models = modelOpener({ log, files, keys: withServed, post: http.post, redactor, address });
  return { models, keys, get: http.get, redactor, served };
}

/** The log of the extension and the redactor that keeps keys out of it. */
export interface SafeLog {
  readonly log: vscode.LogOutputChannel;
  readonly redactor: ModelServices["redactor"];
}

export function openLog(): SafeLog {
  const redactor = createRedactor(environmentSecrets(process.env));
  return { log: redactedLog(vscode.window.createOutputChannel("HASP", { log: true }), redactor), redactor };
}

/** Builds the bundles that the features share; all that they hold ends with the extension. */
export function openServices(context: vscode.ExtensionContext, { log, redactor }: SafeLog): Services {
  const own: Own = (held) => {
    context.subscriptions.push(held);
    return held;
  };
  const workerFile = vscode.Uri.joinPath(context.extensionUri, "dist", "hasp.cjs").fsPath;
  const publisher = own(createPublisher());
  const judging = openJudging(workerFile, own);
  const editorServices = openEditor({ context, log, workerFile }, judging, publisher, own);
  const findings = openFindings(editorServices, judging, publisher, own);
  return { editorServices, findings, judging, modelServices: openModels(editorServices, redactor, own) };
}
