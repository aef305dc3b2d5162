/** Finds the model that is measured, before anything is asked. */
import { parseModelSpec, type Endpoint } from "../../../src/llm/endpoint.ts";
import { listModels } from "../../../src/llm/list-models.ts";
import { printable } from "../../../src/model/printable.ts";
import { environmentKeys } from "../../../src/platform/env-keys.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";
import { plainHttpOrigins } from "../../../src/platform/plain-http.ts";
import type { PlainEndpoint } from "../plain-react.mts";
import { messageOf, stop } from "../report.mts";

/** Time for the list of models. */
const LIST_MS = 20_000;
const MOST_NAMES = 20;

function addressOf(url: string, model: string): Endpoint {
  const origins = plainHttpOrigins(process.env);
  const { value, diagnostics } = parseModelSpec(`${url}#${model}`, {
    isPlainHttpAllowed: (origin) => origins.has(origin),
  });
  if (value?.kind === "endpoint") return value.endpoint;
  const [problem] = diagnostics;
  throw stop(`--url: ${problem?.message ?? `${url} is no address.`} ${problem?.next ?? ""}`.trim());
}

/** The models of the endpoint; undefined where it answers and lists none. */
async function listed(endpoint: Endpoint, key: string | undefined, signal: AbortSignal) {
  const http = httpClient();
  try {
    return await listModels(endpoint, key, http.get, AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]));
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error);
    if (/status 40[13]/.test(why))
      throw stop(`${endpoint.baseUrl} wants a key: ${why}. ${keyHelp(endpoint)}`);
    if (/status 503/.test(why))
      throw stop(`${endpoint.baseUrl} is not ready: ${why}. Wait until it has loaded its model.`);
    if (/status|list/.test(why)) return undefined;
    throw stop(
      `No server answers at ${endpoint.baseUrl}: ${why}. Start it, or check --url; it usually ends with /v1.`,
    );
  } finally {
    http.close();
  }
}

const keyHelp = ({ origin }: Endpoint): string => environmentKeys(process.env).howToGive(origin);

/** The endpoint with its model and key. Stops with the next step where there is no such server or model. */
export async function findModel(
  url: string,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<PlainEndpoint> {
  const endpoint = addressOf(url, wanted ?? "any");
  const key = await environmentKeys(process.env).keyFor(endpoint.origin);
  const names = await listed(endpoint, key, signal);
  const choice = (names ?? [])
    .slice(0, MOST_NAMES)
    .map((name) => `  --model ${printable(name)}`)
    .join("\n");
  const { baseUrl } = endpoint;
  if (wanted === undefined) {
    if (names === undefined) throw stop(`${baseUrl} does not list its models: name one with --model.`);
    const [only, ...others] = names;
    if (only === undefined || others.length > 0)
      throw stop(`${baseUrl} has several models. Choose one:\n${choice}`);
    return { baseUrl, model: only, key };
  }
  // Ollama lists `qwen3:latest` and takes `qwen3`.
  if (names !== undefined && !names.some((name) => name === wanted || name === `${wanted}:latest`))
    throw stop(`${baseUrl} has no model ${JSON.stringify(wanted)}. It has:\n${choice}`);
  return { baseUrl, model: wanted, key };
}
