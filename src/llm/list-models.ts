import { parseJson } from "../model/read-json.ts";
import type { Endpoint } from "./endpoint.ts";

/** One GET. Rejects when no answer comes; redirects and error statuses are answers. `src/platform/http-fetch.ts` implements it. */
export type HttpGet = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}) => Promise<Response>;

/** A list of a thousand models has some 200 KB. */
const MOST_BYTES = 4 * 1024 * 1024;
/** More than a person reads. */
const MOST_MODELS = 1_000;
/**
 * An id as it can stand in a spec and in a row of a list: letters of any script, and blanks between them, because llama.cpp names a
 * model by the path of its file; no control character, no mark of direction, nothing unseen.
 */
const ID = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;

/** Headers of a request that only reads. */
export const READ_HEADERS = { accept: "application/json", "user-agent": "hasp-studio" };

/** The text of an answer. Rejects, and ends the connection, where it is longer than `most` characters. */
export async function textOf({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > most) throw new Error("its answer is too large");
  }
  return text;
}

/** The usable ids of a list of models, each once, in the order of the list; undefined where the value is no such list. */
export function idsIn(value: unknown): readonly string[] | undefined {
  const { data } = Object(value) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const ids = data.map((model: unknown) => (Object(model) as { id?: unknown }).id);
  return [...new Set(ids.filter((id): id is string => typeof id === "string" && ID.test(id)))];
}

/**
 * The models that an endpoint names at `/models`, sorted by name. The key goes to that endpoint alone; redirects are not followed. Rejects with
 * the reason as a clause: `it answered with status 404`.
 */
export async function listModels(
  { baseUrl }: Pick<Endpoint, "baseUrl">,
  key: string | undefined,
  get: HttpGet,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const headers = {
    ...READ_HEADERS,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const response = await get({ url: `${baseUrl}/models`, headers, signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answered with status ${response.status}`);
  }
  const ids = idsIn(parseJson(await textOf(response, MOST_BYTES)));
  if (ids === undefined) throw new Error("its answer does not list models");
  if (ids.length === 0) throw new Error("its list is empty");
  return ids.toSorted((a, b) => a.localeCompare(b)).slice(0, MOST_MODELS);
}
