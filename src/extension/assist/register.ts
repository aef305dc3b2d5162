import * as vscode from "vscode";
import { mayRunFor, trustRuns } from "../../platform/trust.ts";
import { ASSIST_TOOL_NAMES, MCP_PROVIDER } from "../contributions.ts";
import type { AssistServices } from "./world.ts";
import type { Services } from "../services.ts";

/** The tools of VS Code's language models. Their code is loaded with the first call. */
function registerTools(services: AssistServices): vscode.Disposable {
  const load = () => import("./tools.ts");
  const register = (name: string): vscode.Disposable =>
    vscode.lm.registerTool<object>(name, {
      prepareInvocation: async ({ input }) => (await load()).prepareTool(name, input),
      invoke: async ({ input }, token) => (await load()).invokeTool(name, input, token, services),
    });
  return vscode.Disposable.from(...ASSIST_TOOL_NAMES.map(register));
}

/** One server for each folder of a trusted workspace, started by VS Code's own Node as soon as an assistant wants it. */
function servers(extension: vscode.Extension<unknown>): vscode.McpStdioServerDefinition[] {
  if (!vscode.workspace.isTrusted) return [];
  const cli = vscode.Uri.joinPath(extension.extensionUri, "dist", "hasp.cjs").fsPath;
  const { version } = extension.packageJSON as { version: string };
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ name, uri }) => {
    const label = folders.length === 1 ? "HASP" : `HASP (${name})`;
    const args = [cli, "mcp", "--root", uri.fsPath];
    // On the desktop the extension host's own program is Electron.
    const env = { ELECTRON_RUN_AS_NODE: "1" };
    const server = new vscode.McpStdioServerDefinition(label, process.execPath, args, env, version);
    server.cwd = uri;
    return server;
  });
}

function registerServers(extension: vscode.Extension<unknown>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => servers(extension),
      // It is about to be started: the person trusts the workspace here, and the server asks for its own yes.
      resolveMcpServerDefinition(server) {
        const root = "cwd" in server ? server.cwd?.fsPath : undefined;
        if (root !== undefined && !mayRunFor(root)) trustRuns(root, new Date().toISOString());
        return server;
      },
    }),
  );
}

/** Registers the tools and the server for assistants. Editors that are built on VS Code may lack either, and do without it. */
export function registerAssist({
  editorServices,
  judging,
}: Pick<Services, "editorServices" | "judging">): vscode.Disposable {
  const { context, log } = editorServices;
  const services = { ...judging, ...editorServices };
  const offered: vscode.Disposable[] = [];
  for (const register of [() => registerTools(services), () => registerServers(context.extension)]) {
    try {
      offered.push(register());
    } catch (error) {
      log.warn("Assistants of this editor are not offered HASP's tools", String(error));
    }
  }
  return vscode.Disposable.from(...offered);
}
