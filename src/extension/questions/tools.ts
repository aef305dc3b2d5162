import * as vscode from "vscode";
import type { WorkspaceConfig } from "../../app/run/settings.ts";
import type { Domain } from "../../domains/domain.ts";
import type { ToolOrder } from "../../domains/environment.ts";
import { RESULTS, type RetrieverKind } from "../../domains/passages/retriever-kinds.ts";
import { SERPAPI_ORIGIN } from "../../domains/passages/retrievers/serpapi.ts";
import { askYes } from "../ask-yes.ts";
import type { SecretKeys } from "../models/secret-keys.ts";

/** The tools that a `hasp.yaml` names for runs of a domain, without an address: a workspace sets none. The usual ones where nothing is searched. */
export function toolsIn(
  { tools }: WorkspaceConfig,
  { needsPassages }: Pick<Domain, "needsPassages">,
): ToolOrder {
  const { retriever = "corpus", topK = RESULTS } = needsPassages === undefined ? {} : tools;
  return { retriever, topK, url: undefined, language: "en", concurrency: 0 };
}

const SERVICES: Readonly<Partial<Record<RetrieverKind, string>>> = {
  wikipedia: "Wikipedia (en.wikipedia.org)",
  serpapi: `Google through SerpAPI (${SERPAPI_ORIGIN})`,
};

/** The address of the person's own retriever; undefined when they leave. */
async function askAddress(title: string): Promise<string | undefined> {
  const prompt = "Address of the retriever that hasp.yaml calls http; every search of the run is sent there";
  const placeHolder = "http://127.0.0.1:8000/retrieve";
  const text = await vscode.window.showInputBox({ title, prompt, placeHolder, ignoreFocusOut: true });
  return text?.trim() === "" ? undefined : text?.trim();
}

/** A key for the retriever's origin is stored, or given now. False when the person leaves. */
async function hasKey(title: string, origin: string, keys: SecretKeys): Promise<boolean> {
  if ((await keys.keyFor(origin)) !== undefined) return true;
  const prompt = `Key for ${origin}; it is kept in the secret storage and sent there alone`;
  const key = await vscode.window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
  if (key === undefined || key.trim() === "") return false;
  await keys.give(origin, key.trim());
  return true;
}

/**
 * The tools with the person's yes to everything that leaves this machine: a file of the workspace may name a remote retriever, and
 * only a person sends searches there. Undefined when they leave.
 */
export async function allowedTools(
  tools: ToolOrder,
  title: string,
  keys: SecretKeys,
): Promise<ToolOrder | undefined> {
  const { retriever, url } = tools;
  if (retriever === "corpus" || retriever === "teacher-snippet") return tools;
  if (retriever === "http" && url === undefined) {
    const asked = await askAddress(title);
    return asked === undefined ? undefined : { ...tools, url: asked };
  }
  const service = url ?? SERVICES[retriever as RetrieverKind];
  if (service === undefined) return tools;
  const question = `The run sends each search to ${service}`;
  if (!(await askYes({ title, question, yes: "Send the searches" }))) return undefined;
  if (retriever !== "serpapi") return tools;
  const origin = url === undefined || !URL.canParse(url) ? SERPAPI_ORIGIN : new URL(url).origin;
  const isOwn = /^http:\/\/(localhost|127\.|\[::1\])/.test(origin);
  return isOwn || (await hasKey(title, origin, keys)) ? tools : undefined;
}
