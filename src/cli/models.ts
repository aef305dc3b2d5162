import process from "node:process";
import type { AgentPrompt } from "../domains/domain.ts";
import { modelPolicy, type Sampling } from "../harness/model-policy.ts";
import type { Policy } from "../harness/policy.ts";
import { collectRecordings, recordedPolicy } from "../harness/recorded-policy.ts";
import { budgetedModel } from "../llm/budgeted-model.ts";
import type { Budget } from "../llm/budget.ts";
import { cachedModel } from "../llm/cached-model.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { parseModelSpec, type Endpoint, type ModelSpec } from "../llm/endpoint.ts";
import { openAiModel } from "../llm/openai-model.ts";
import { parseScript } from "../llm/parse-script.ts";
import { listPrice, parsePrice, type Price } from "../llm/price.ts";
import { createRedactor } from "../llm/redact.ts";
import { scriptedModel } from "../llm/scripted-model.ts";
import type { Episode } from "../model/episode.ts";
import { environmentKeys } from "../platform/env-keys.ts";
import type { NodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { plainHttpOrigins } from "../platform/plain-http.ts";
import { fileReplyCache } from "../platform/reply-cache.ts";
import { systemTiming } from "../platform/timing.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import { need } from "./checked.ts";
import { openRunAt } from "./runs.ts";
import { CliError } from "./terminal.ts";

/** Where replies of models are kept, below the current folder: `hasp gc` cleans it. */
export const REPLY_CACHE = ".hasp/cache/replies";
const SCRIPT_BYTES = 16 * 1024 * 1024;

/** What the models of one command share. */
export interface ModelDesk {
  /** The chat model of a spec, cached and under the budget. CliError where the spec names none. */
  open(spec: string, options?: ModelOptions): Promise<ChatModel>;
  /** The policy of a spec: `recorded:<run>[#trial]`, or a chat model with the domain's prompt. */
  openPolicy(spec: string, options: ModelOptions & PolicyOptions): Promise<Policy>;
  close(): void;
}

export interface ModelOptions {
  /** `2.50/10`: dollars for a million tokens, in and out. Without it, the list price where one is known. */
  readonly price?: string;
}

interface PolicyOptions {
  readonly prompt: AgentPrompt;
  readonly sampling: Sampling;
}

export interface DeskOptions {
  readonly files: NodeFiles;
  readonly budget: Budget;
  /** The cache could not be used; told once. */
  readonly onTrouble: (message: string) => void;
}

function priceOf(endpoint: Endpoint, given: string | undefined): Price | undefined {
  return given === undefined ? listPrice(endpoint) : need(parsePrice(given));
}

async function openScript(file: string, files: NodeFiles): Promise<ChatModel> {
  const found = await files.readText(file, SCRIPT_BYTES);
  if (found.kind !== "text")
    throw new CliError(`There is no script ${file}.`, "Check the path after `scripted:`.");
  return scriptedModel(need(parseScript(found.text, file)), `scripted:${file}`);
}

async function* readable(folder: string, files: NodeFiles): AsyncGenerator<Episode> {
  const { index } = await openRunAt(folder, files);
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) yield value;
}

type RecordedSpec = Extract<ModelSpec, { kind: "recorded" }>;

async function openRecorded(spec: string, { run, trial }: RecordedSpec, files: NodeFiles): Promise<Policy> {
  const recordings = await collectRecordings(readable(run, files), trial);
  if (recordings.count > 0) return recordedPolicy(spec, recordings);
  throw new CliError(
    `The run ${run} has no episodes${trial === undefined ? "" : ` of trial ${trial}`}.`,
    "Name a run with episodes, e.g. one made by `hasp import`; leave out #trial for the lowest.",
  );
}

/** Opens models from their specs. The keys come from the environment, each for one origin, and are sent only there. */
export function openModelDesk({ files, budget, onTrouble }: DeskOptions): ModelDesk {
  const http = httpClient();
  const keys = environmentKeys(process.env);
  const plainHttp = plainHttpOrigins();
  const read = (spec: string): ModelSpec =>
    need(parseModelSpec(spec, { isPlainHttpAllowed: (origin) => plainHttp.has(origin) }));
  const redactor = createRedactor();
  const cache = fileReplyCache(REPLY_CACHE);
  let troubled = false;
  const tell = (error: unknown): void => {
    if (!troubled)
      onTrouble(
        `Replies are not kept in ${REPLY_CACHE}: ${error instanceof Error ? error.message : String(error)}`,
      );
    troubled = true;
  };

  function atEndpoint(endpoint: Endpoint, price: Price | undefined): ChatModel {
    const shared = { endpoint, keys, post: http.post, timing: systemTiming, redactor };
    const model = openAiModel({ ...shared, ...(price !== undefined && { price }) });
    return cachedModel(budgetedModel(model, budget, price), cache, { onTrouble: tell });
  }

  async function open(spec: string, options: ModelOptions = {}): Promise<ChatModel> {
    const named = read(spec);
    if (named.kind === "endpoint") return atEndpoint(named.endpoint, priceOf(named.endpoint, options.price));
    if (named.kind === "scripted") return openScript(named.file, files);
    throw new CliError(
      named.kind === "vscode"
        ? `${spec} is a model of the editor, and there is no editor here.`
        : `${spec} is no chat model.`,
      "Name a model as in `openai:gpt-4o-2024-11-20` or `http://127.0.0.1:8000/v1#qwen`.",
    );
  }

  return {
    open,
    async openPolicy(spec, options) {
      const named = read(spec);
      if (named.kind === "recorded") return openRecorded(spec, named, files);
      return modelPolicy(await open(spec, options), options.prompt, options.sampling);
    },
    close: () => http.close(),
  };
}
