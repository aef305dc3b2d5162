import type { AgentPrompt } from "../../domains/domain.ts";
import { modelPolicy } from "../../harness/model-policy.ts";
import type { Policy } from "../../harness/policy.ts";
import { collectRecordings, recordedPolicy } from "../../harness/recorded-policy.ts";
import type { Budget } from "../../llm/budget.ts";
import { budgetedModel } from "../../llm/budgeted-model.ts";
import { cachedModel, type ReplyCache } from "../../llm/cached-model.ts";
import type { ChatModel, ChatReply } from "../../llm/chat-model.ts";
import { parseModelSpec, type ModelSpec } from "../../llm/endpoint.ts";
import type { HttpPost } from "../../llm/guarded-fetch.ts";
import type { KeyStore } from "../../llm/keys.ts";
import { parseScript } from "../../llm/parse-script.ts";
import { listPrice, type Price } from "../../llm/price.ts";
import type { Redactor } from "../../llm/redact.ts";
import { scriptedModel } from "../../llm/scripted-model.ts";
import type { Timing } from "../../llm/timing.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import type { EpisodeIndex } from "../../trace/episode-index.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { openRunAt } from "../open-run.ts";
import { checked, need, refuse } from "../refusal.ts";

/** Common to the models of several runs. */
export interface ModelAccount {
  /** In place of a budget for each run. */
  readonly budget: Budget;
  /** Receives each reply that no cache gave, before anybody else does. */
  readonly onReply: (reply: ChatReply) => Promise<void>;
}

/** Everything that models are opened with. Nothing is sent before the first chat. */
export interface ModelServices {
  readonly files: SkillFiles & TraceFiles;
  /** Each key is sent to its own origin alone. */
  readonly keys: KeyStore;
  readonly post: HttpPost;
  readonly redactor: Redactor;
  readonly timing: Timing;
  /** Undefined: no reply is kept. */
  readonly replyCache: ReplyCache | undefined;
  /** Receives each failure to read or write the cache; the reply is used all the same. */
  readonly onCacheTrouble: (error: unknown) => void;
  /** Whether the person accepted plain http to this origin of their own network. */
  readonly isPlainHttpAllowed: (origin: string) => boolean;
  /** The path of a script or run that a spec names. */
  readonly pathOf: (name: string) => string;
  /** Models of the editor; undefined outside of one. */
  readonly openEditorModel: ((vendor: string, family: string) => Promise<ChatModel>) | undefined;
  /** The address of the student that the present job serves, as a model spec; undefined outside of such a job. */
  readonly served?: string | undefined;
  /** Receives, now and then, that a server is loading its model and is waited for. */
  readonly onLoading?: (message: string) => void;
  /** Undefined: each run has a budget of its own. */
  readonly account?: ModelAccount;
}

/** A model as a person names it. */
export interface ModelOrder {
  readonly spec: string;
  /** In place of the list price. */
  readonly price?: Price | undefined;
}

const SCRIPT_BYTES = 16 * 1024 * 1024;

async function openScript(file: string, { files, pathOf }: ModelServices): Promise<ChatModel> {
  const path = pathOf(file);
  const found = await files.readText(path, SCRIPT_BYTES);
  if (found.kind !== "text")
    refuse("HASP606", `There is no script ${path}.`, "Check the path after `scripted:`.", path);
  return scriptedModel(need(parseScript(found.text, path)), `scripted:${file}`);
}

function notHere(spec: string, kind: "vscode" | "recorded"): never {
  const why =
    kind === "vscode"
      ? `${spec} is a model of the editor, and there is no editor here.`
      : `${spec} is no chat model: it only repeats the proposals of a recorded run.`;
  return refuse(
    "HASP605",
    why,
    "Name a model as in `openai:gpt-4o-2024-11-20` or `http://127.0.0.1:8000/v1#qwen`.",
  );
}

/** The model, whose replies are heard of. */
function heard(model: ChatModel, onReply: ModelAccount["onReply"]): ChatModel {
  return {
    id: model.id,
    async chat(request, options) {
      const reply = await model.chat(request, options);
      await onReply(reply);
      return reply;
    },
  };
}

/** A model on one's own machine costs time alone. */
const SELF_SERVED: Price = { input: 0, output: 0 };

/**
 * US dollars for a million tokens of a model; undefined where nobody knows, and for a spec that cannot be read. Scripts and a served student
 * cost nothing.
 */
export function priceOf(
  { spec, price }: ModelOrder,
  options: Pick<ModelServices, "isPlainHttpAllowed">,
): Price | undefined {
  if (price !== undefined) return price;
  const named = parseModelSpec(spec, options).value;
  if (named?.kind === "scripted" || named?.kind === "recorded" || named?.kind === "served")
    return SELF_SERVED;
  return named?.kind === "endpoint" ? listPrice(named.endpoint) : undefined;
}

/** The student under the name of its spec: whatever address it has this time, its runs can be resumed and its replies found. */
async function openServed(spec: string, services: ModelServices): Promise<ChatModel> {
  const at = services.served === undefined ? undefined : need(parseModelSpec(services.served, services));
  if (at?.kind !== "endpoint")
    return refuse(
      "HASP605",
      `${spec} is the student of an experiment, and nobody serves it here.`,
      "Resume the experiment, or serve the student and name its address as in `http://127.0.0.1:8000/v1#student`.",
    );
  const { openAiModel } = await import("../../llm/openai-model.ts");
  const { keys, post, timing, redactor, onLoading } = services;
  const client = { keys, post, timing, redactor, onLoading };
  const model = openAiModel({ endpoint: at.endpoint, ...client, price: SELF_SERVED });
  return { id: spec, chat: (request, options) => model.chat(request, options) };
}

async function open(
  services: ModelServices,
  { spec, price: given }: ModelOrder,
  budget: Budget | undefined,
): Promise<ChatModel> {
  const named = need(parseModelSpec(spec, services));
  const limited = (model: ChatModel, price = given): ChatModel => {
    const budgeted = budget === undefined ? model : budgetedModel(model, budget, price);
    const { replyCache, onCacheTrouble: onTrouble, account } = services;
    const within = account === undefined ? budgeted : heard(budgeted, account.onReply);
    return replyCache === undefined ? within : cachedModel(within, replyCache, { onTrouble });
  };
  switch (named.kind) {
    case "endpoint": {
      const { endpoint } = named;
      const price = given ?? listPrice(endpoint);
      // The client is large, and most sessions never ask a model: the first one loads it.
      const { openAiModel } = await import("../../llm/openai-model.ts");
      const { keys, post, timing, redactor, onLoading } = services;
      const client = { keys, post, timing, redactor, onLoading };
      const options = { endpoint, ...client, ...(price !== undefined && { price }) };
      return limited(openAiModel(options), price);
    }
    case "served":
      return limited(await openServed(spec, services), SELF_SERVED);
    case "scripted":
      return openScript(named.file, services);
    case "vscode":
      return services.openEditorModel === undefined
        ? notHere(spec, named.kind)
        : limited(await services.openEditorModel(named.vendor, named.family));
    case "recorded":
      return notHere(spec, named.kind);
  }
}

/** The chat model of a spec: cached, and under the budget where there is one. */
export function openModel(
  services: ModelServices,
  order: ModelOrder,
  budget?: Budget,
): Promise<Checked<ChatModel>> {
  return checked(() => open(services, order, budget));
}

async function* episodesIn(files: TraceFiles, index: EpisodeIndex): AsyncGenerator<Episode> {
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) yield value;
}

async function openRecorded(
  spec: string,
  { run, sample }: Extract<ModelSpec, { kind: "recorded" }>,
  { files, pathOf }: ModelServices,
): Promise<Policy> {
  const { index } = need(await openRunAt(files, pathOf(run)));
  const recordings = await collectRecordings(episodesIn(files, index), sample);
  if (recordings.count > 0) return recordedPolicy(spec, recordings);
  const of = sample === undefined ? "" : `, and none is sample ${sample}`;
  const next =
    "Name a run with episodes, e.g. one made by `hasp import`; leave out #n for the lowest sample.";
  return refuse("HASP607", `The run ${run} has no episodes to repeat${of}.`, next);
}

/** No model said what a script says: the loop records it in the form that the domain asks of models. */
function withoutCompletions(policy: Policy): Policy {
  return {
    ...policy,
    async propose(input, signal) {
      const proposed = await policy.propose(input, signal);
      if (proposed === undefined) return undefined;
      const { completion: _completion, ...rest } = proposed;
      return rest;
    },
  };
}

/** The policy of a spec: a recorded run's proposals, or a chat model that acts with the domain's prompt. */
export function openPolicy(
  services: ModelServices,
  order: ModelOrder & { readonly prompt: AgentPrompt },
  budget: Budget,
): Promise<Checked<Policy>> {
  const { spec, prompt } = order;
  return checked(async () => {
    const named = need(parseModelSpec(spec, services));
    if (named.kind === "recorded") return openRecorded(spec, named, services);
    const policy = modelPolicy(await open(services, order, budget), prompt);
    return named.kind === "scripted" ? withoutCompletions(policy) : policy;
  });
}
