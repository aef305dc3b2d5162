import { parseJson } from "../model/read-json.ts";
import { saysLoading } from "./loading.ts";
import { type HttpGet, idsIn, READ_HEADERS, textOf } from "./list-models.ts";

/** A program that serves models; known by its own answers, not by its port. */
export type ServerKind = "Ollama" | "LM Studio" | "llama.cpp" | "vLLM" | "OpenAI-compatible server";

/** A server on this machine. */
export interface LocalServer {
  readonly kind: ServerKind;
  /** `http://127.0.0.1:11434/v1` */
  readonly baseUrl: string;
  /** `loading`: it answers that its model is not there yet. `locked`: it asks for a key. */
  readonly state: "ready" | "loading" | "locked";
  /** Sorted by name, without those that only embed; empty where it has none, or does not say. */
  readonly models: readonly string[];
}

/** The ports that Ollama, LM Studio, llama.cpp and vLLM listen on by default. */
export const USUAL_PORTS: readonly number[] = [11434, 1234, 8080, 8000];

/** As text in a sentence. */
export const SERVER_NAMES = "Ollama, LM Studio, llama.cpp and vLLM";

/** Milliseconds for the list of a port's models. A refused connection takes Windows two seconds. */
const LOOK_MS = 800;
/** Milliseconds for its kind, of a server that has given a list: a busy one is worth the wait. */
const KIND_MS = 2_500;
/** A list of some hundred models, with all that Ollama says of each. */
const MOST_CHARACTERS = 1024 * 1024;
/** More rows of one server than a person reads. */
const MOST_MODELS = 100;
/** Some servers listen on one of the two alone. */
const HOSTS = ["127.0.0.1", "[::1]"];

/** `OLLAMA_HOST` as Ollama reads it: where it names this machine, its port is one more to look at. */
export function localPorts(ollamaHost: string | undefined): readonly number[] {
  const [, host = "", port] =
    /^(?:https?:\/\/)?(\[[\da-f:]*\]|[^:/]*)(?::(\d{1,5}))?\/?$/i.exec(ollamaHost?.trim() ?? "") ?? [];
  const isHere = /^(|localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(host);
  const own = Number(port);
  return isHere && own > 0 && own < 65_536 ? [...new Set([own, ...USUAL_PORTS])] : USUAL_PORTS;
}

interface Said {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly value: unknown;
}

/** Asks one address, and waits so many milliseconds at most. */
type Ask = (path: string, ms: number) => Promise<Said | undefined>;

/** Asks without a key. Undefined where nothing came that can be read, for whatever reason. */
const asking =
  (origin: string, get: HttpGet, stop: AbortSignal): Ask =>
  async (path, ms) => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(ms)]);
      const response = await get({ url: `${origin}${path}`, headers: READ_HEADERS, signal });
      return { status: response.status, value: parseJson(await textOf(response, MOST_CHARACTERS)) };
    } catch {
      return undefined;
    }
  };

const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value) as object, name);

function rowsOf(said: Said | undefined, name: string): readonly unknown[] | undefined {
  const rows = said?.status === 200 ? fieldOf(said.value, name) : undefined;
  return Array.isArray(rows) ? rows : undefined;
}

const textIn = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
};

/** Answers of a server at the addresses that only one kind of server has. */
interface Signs {
  readonly owners: ReadonlySet<string>;
  /** Ollama's own list; llama.cpp imitates it. */
  readonly tags: readonly unknown[] | undefined;
  /** LM Studio's own list. */
  readonly studio: readonly unknown[] | undefined;
  readonly props: Said | undefined;
  readonly version: Said | undefined;
  readonly isLocked: boolean;
}

async function signsOf(ask: Ask, listed: Said): Promise<Signs> {
  const [tags, studio, props, version] = await Promise.all([
    ask("/api/tags", KIND_MS),
    ask("/api/v0/models", KIND_MS),
    ask("/props", KIND_MS),
    ask("/version", KIND_MS),
  ]);
  const owners = (rowsOf(listed, "data") ?? []).map((model) => textIn(model, "owned_by"));
  return {
    owners: new Set(owners),
    tags: rowsOf(tags, "models"),
    studio: rowsOf(studio, "data"),
    props,
    version,
    isLocked: isLockedOut(listed),
  };
}

const isLockedOut = (said: Said | undefined): boolean => said?.status === 401 || said?.status === 403;

function kindOf({ owners, tags, studio, props, version, isLocked }: Signs): ServerKind | undefined {
  if (owners.has("llamacpp") || fieldOf(props?.value, "default_generation_settings") !== undefined)
    return "llama.cpp";
  if (owners.has("vllm")) return "vLLM";
  if (studio !== undefined && isOfStudio(studio, owners)) return "LM Studio";
  if (tags !== undefined) return "Ollama";
  // Its version is the one thing that vLLM says without the key.
  return isLocked && version?.status === 200 && textIn(version.value, "version") !== "" ? "vLLM" : undefined;
}

/** LM Studio tells the state of each model. It answers every unknown address with 200, so only the shape counts. */
const isOfStudio = (rows: readonly unknown[], owners: ReadonlySet<string>): boolean =>
  rows.length === 0 || rows.some((row) => textIn(row, "state") !== "") || owners.has("organization_owner");

/** Ids of models that answer no chat, as far as the server's own list says so. */
function embedders({ tags = [], studio = [] }: Signs): ReadonlySet<string> {
  const ofStudio = studio.filter((model) => textIn(model, "type") === "embeddings");
  const ofOllama = tags.filter((model) => /bert/i.test(textIn(fieldOf(model, "details"), "family")));
  return new Set([
    ...ofStudio.map((model) => textIn(model, "id")),
    ...ofOllama.map((model) => textIn(model, "name")),
  ]);
}

function isLoadingAnswer(said: Said): boolean {
  return said.status === 503 && saysLoading(textIn(fieldOf(said.value, "error"), "message"));
}

/** The server at an origin; undefined where none is, or nothing that serves models. */
async function serverAt(ask: Ask, origin: string): Promise<LocalServer | undefined> {
  const listed = await ask("/v1/models", LOOK_MS);
  if (listed === undefined) return undefined;
  const baseUrl = `${origin}/v1`;
  // Only llama.cpp listens while it loads, and says so at every address.
  if (isLoadingAnswer(listed)) return { kind: "llama.cpp", baseUrl, state: "loading", models: [] };
  const isList = listed.status === 200 && "data" in Object(listed.value);
  if (!isList && !isLockedOut(listed)) return undefined;
  const signs = await signsOf(ask, listed);
  const without = embedders(signs);
  const models = (idsIn(listed.value) ?? [])
    .filter((id) => !without.has(id))
    .toSorted((a, b) => a.localeCompare(b))
    .slice(0, MOST_MODELS);
  const kind = kindOf(signs) ?? (models.length > 0 ? "OpenAI-compatible server" : undefined);
  if (kind === undefined) return undefined;
  // llama.cpp lists its models to everybody, and asks for the key at all else.
  if (signs.isLocked || (kind === "llama.cpp" && isLockedOut(signs.props)))
    return { kind, baseUrl, state: "locked", models: [] };
  const isLoading = kind === "llama.cpp" && signs.props !== undefined && isLoadingAnswer(signs.props);
  return { kind, baseUrl, state: isLoading ? "loading" : "ready", models };
}

async function lookAt(port: number, get: HttpGet, signal: AbortSignal): Promise<LocalServer | undefined> {
  const found = await Promise.all(
    HOSTS.map((host) => {
      const origin = `http://${host}:${port}`;
      return serverAt(asking(origin, get, signal), origin);
    }),
  );
  // One server that listens on both is one.
  return found.find((server) => server !== undefined);
}

/**
 * The model servers of this machine at these ports, in their order. All ports are asked at once, for less than a second, and who answers for some more; no key is
 * sent, no redirect followed, and an answer that is too long is left. Resolves early, with less, once `signal` aborts; never rejects.
 */
export async function findLocalServers(
  get: HttpGet,
  signal: AbortSignal,
  ports: readonly number[] = USUAL_PORTS,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(ports.map((port) => lookAt(port, get, signal)));
  return found.filter((server) => server !== undefined);
}
