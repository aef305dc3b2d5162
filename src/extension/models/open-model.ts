import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import type { ModelOrder, ModelServices } from "../../app/run/models.ts";
import type { Budget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { KeyStore } from "../../llm/keys.ts";
import type { Price } from "../../llm/price.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { fileReplyCache } from "../../platform/reply-cache.ts";
import { systemTiming } from "../../platform/timing.ts";
import { plainLabel } from "../plain-label.ts";
import { usable } from "../usable.ts";
import { chosenPrice, CONFIGURE, isPlainHttpAllowed } from "./chosen-model.ts";

/** In place of the usual budget, keys, price and messages of a model. */
export interface ModelUse {
  readonly budget?: Budget;
  readonly keys?: KeyStore;
  readonly price?: Price;
  /** In place of the log and the status bar. */
  readonly onLoading?: (message: string) => void;
}

/** Opens the models that a person chose. Nothing is sent before the first chat. */
export interface Models {
  /** Keeps no replies. */
  open(spec: string, use?: ModelUse): Promise<ChatModel>;
  /** For runs of a workspace folder: replies are kept below it, where `hasp run` and `hasp gc` look for them. */
  servicesIn(root: vscode.Uri): ModelServices;
}

/** How long the status bar says that a model is waited for; it is said again until the model is there. Milliseconds. */
const SAID_MS = 12_000;

interface Services extends Pick<ModelServices, "keys" | "post" | "redactor"> {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  /** Of the student that this window serves. */
  readonly address: () => string | undefined;
}

/** A model with the price that the person gave for it. */
export function modelOrder(spec: string): ModelOrder {
  return { spec, price: chosenPrice(spec) };
}

export function modelOpener({ log, address, ...services }: Services): Models {
  const servicesAt = (root: vscode.Uri | undefined): ModelServices => ({
    ...services,
    timing: systemTiming,
    replyCache: undefined,
    onLoading: (message) => {
      log.info(message);
      vscode.window.setStatusBarMessage(`$(clock) ${plainLabel(message)}`, SAID_MS);
    },
    onCacheTrouble: (error) => log.warn(`The cache of replies failed: ${String(error)}`),
    isPlainHttpAllowed,
    served: address(),
    pathOf: (name) => (isAbsolute(name) || root === undefined ? name : join(root.fsPath, name)),
    // VS Code's own models are loaded with the first one that is chosen.
    openEditorModel: async (vendor, family) =>
      (await import("./vscode-model.ts")).editorModel(vendor, family),
  });
  return {
    async open(spec, { budget, keys = services.keys, price, onLoading } = {}) {
      const own = { keys, ...(onLoading && { onLoading }) };
      const shared = { ...servicesAt(vscode.workspace.workspaceFolders?.[0]?.uri), ...own };
      const order = price === undefined ? modelOrder(spec) : { spec, price };
      const { openModel } = await import("../../app/run/models.ts");
      return usable(await openModel(shared, order, budget), CONFIGURE);
    },
    servicesIn: (root) => ({
      ...servicesAt(root),
      replyCache: fileReplyCache(join(root.fsPath, ".hasp", "cache", "replies")),
    }),
  };
}
