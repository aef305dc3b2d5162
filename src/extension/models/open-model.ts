import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import type { Budget } from "../../llm/budget.ts";
import { budgetedModel } from "../../llm/budgeted-model.ts";
import { cachedModel } from "../../llm/cached-model.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { ModelSpec } from "../../llm/endpoint.ts";
import type { HttpPost } from "../../llm/guarded-fetch.ts";
import type { KeyStore } from "../../llm/keys.ts";
import { parseScript } from "../../llm/parse-script.ts";
import { listPrice, type Price } from "../../llm/price.ts";
import type { Redactor } from "../../llm/redact.ts";
import { scriptedModel } from "../../llm/scripted-model.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { fileReplyCache } from "../../platform/reply-cache.ts";
import { systemTiming } from "../../platform/timing.ts";
import { Failure, Unmet } from "../failure.ts";
import { chosenPrice, CONFIGURE, readSpec } from "./chosen-model.ts";
import { editorModel } from "./vscode-model.ts";

/** How one model is used. */
export interface ModelUse {
  /** Shared by all models of a run. */
  readonly budget?: Budget;
  /** Folder of the replies that are kept. */
  readonly cache?: string;
  /** In place of the keys that are stored. */
  readonly keys?: KeyStore;
  /** In place of what settings and price list say. */
  readonly price?: Price;
}

/** Opens the models that a person chose. Nothing is sent before the first chat. */
export interface Models {
  open(spec: string, use?: ModelUse): Promise<ChatModel>;
}

interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly keys: KeyStore;
  readonly post: HttpPost;
  readonly redactor: Redactor;
}

const MAX_SCRIPT = 5_000_000;

function inWorkspace(file: string): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return isAbsolute(file) || folder === undefined ? file : join(folder.uri.fsPath, file);
}

async function openScript(files: NodeFiles, spec: string, file: string): Promise<ChatModel> {
  const path = inWorkspace(file);
  const found = await files.readText(path, MAX_SCRIPT);
  if (found.kind !== "text") {
    throw new Failure(`${path} holds no script that can be read.`, "Choose another model.", CONFIGURE);
  }
  const { value, diagnostics } = parseScript(found.text, path);
  if (value === undefined) {
    const [first] = diagnostics;
    throw new Failure(first?.message ?? `${path} is no script.`, first?.next ?? "Mend it.", CONFIGURE);
  }
  return scriptedModel(value, spec);
}

export function modelOpener(services: Services): Models {
  const { log, files, post, redactor } = services;

  async function bare(
    spec: string,
    parsed: ModelSpec,
    use: ModelUse,
    price: Price | undefined,
  ): Promise<ChatModel> {
    switch (parsed.kind) {
      case "endpoint": {
        // The client is large, and most windows never ask a model: it is loaded with the first one.
        const { openAiModel } = await import("../../llm/openai-model.ts");
        const keys = use.keys ?? services.keys;
        const shared = { keys, post, redactor, timing: systemTiming };
        return openAiModel({ ...shared, endpoint: parsed.endpoint, ...(price !== undefined && { price }) });
      }
      case "scripted":
        return openScript(files, spec, parsed.file);
      case "vscode":
        return editorModel(parsed.vendor, parsed.family);
      case "recorded": {
        const next = "A recorded run can only be the policy of another run; choose a model.";
        throw new Unmet(`${spec} answers no questions of its own.`, next, CONFIGURE);
      }
    }
  }

  return {
    async open(spec, use = {}) {
      const parsed = readSpec(spec);
      const price = use.price ?? chosenPrice(spec) ?? knownPrice(parsed);
      const model = await bare(spec, parsed, use, price);
      const within = use.budget === undefined ? model : budgetedModel(model, use.budget, price);
      if (use.cache === undefined || parsed.kind === "scripted") return within;
      const onTrouble = (error: unknown): void => log.warn(`The cache of replies failed: ${String(error)}`);
      return cachedModel(within, fileReplyCache(use.cache), { onTrouble });
    },
  };
}

/** What a model costs without anybody saying so: the list price, and nothing for a script. */
function knownPrice(spec: ModelSpec): Price | undefined {
  if (spec.kind === "scripted") return { input: 0, output: 0 };
  return spec.kind === "endpoint" ? listPrice(spec.endpoint) : undefined;
}
