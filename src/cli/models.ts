import process from "node:process";
import { openModel, type ModelServices } from "../app/run/models.ts";
import type { Budget } from "../llm/budget.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { parsePrice } from "../llm/price.ts";
import { createRedactor } from "../llm/redact.ts";
import { environmentKeys } from "../platform/env-keys.ts";
import type { NodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { plainHttpOrigins } from "../platform/plain-http.ts";
import { fileReplyCache } from "../platform/reply-cache.ts";
import { systemTiming } from "../platform/timing.ts";
import { need } from "./checked.ts";

/** Folder of the replies of models, below the current one: `hasp gc` cleans it. */
export const REPLY_CACHE = ".hasp/cache/replies";

/** Opens the models of one command. */
export interface ModelDesk {
  readonly services: ModelServices;
  /** The chat model of a spec, cached and under the budget. CliError where the spec names none. */
  open(spec: string, options?: ModelOptions): Promise<ChatModel>;
  close(): void;
}

export interface ModelOptions {
  /** `2.50/10`: dollars for a million tokens, in and out. Without it, the list price where one is known. */
  readonly price?: string;
}

export interface DeskOptions {
  readonly files: NodeFiles;
  readonly budget?: Budget;
  /** Receives, once, that the cache cannot be used. */
  readonly onTrouble: (message: string) => void;
}

/** A model as a command line names it; nothing where it names none. */
export function modelOrder(spec: string, price: string | undefined) {
  return { spec, ...(price !== undefined && { price: need(parsePrice(price)) }) };
}

function onceIn(onTrouble: (message: string) => void): (error: unknown) => void {
  let troubled = false;
  return (error) => {
    const why = error instanceof Error ? error.message : String(error);
    if (!troubled) onTrouble(`Replies are not kept in ${REPLY_CACHE}: ${why}`);
    troubled = true;
  };
}

/** Opens models with keys from the environment, each for one origin and sent only there. */
export function openModelDesk({ files, budget, onTrouble }: DeskOptions): ModelDesk {
  const http = httpClient();
  const plainHttp = plainHttpOrigins();
  const services: ModelServices = {
    files,
    keys: environmentKeys(process.env),
    post: http.post,
    redactor: createRedactor(),
    timing: systemTiming,
    replyCache: fileReplyCache(REPLY_CACHE),
    onCacheTrouble: onceIn(onTrouble),
    isPlainHttpAllowed: (origin) => plainHttp.has(origin),
    pathOf: (name) => name,
    openEditorModel: undefined,
  };
  return {
    services,
    open: async (spec, { price } = {}) => need(await openModel(services, modelOrder(spec, price), budget)),
    close: () => http.close(),
  };
}
