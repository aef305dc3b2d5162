import { projectCheckSchema, worldSchema } from "../../model/coding-context.ts";
import { readJson } from "../../model/read-json.ts";
import { documentSchema } from "../../model/episode.ts";
import { z } from "../../model/zod.ts";
import { didYouMean } from "../../skill/suggest.ts";
import { firstIssue } from "../../trace/episode-head.ts";

/** Changes with every change that an older client would stumble over (docs/serve.md). */
export const PROTOCOL = "hasp.serve/1";

/** A request is not larger: an observation with its documents has room, a stream without end has not. */
export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

export type ErrorCode =
  | "bad_json"
  | "bad_request"
  | "too_large"
  | "unknown_method"
  | "bad_params"
  | "unknown_episode"
  | "episode_exists"
  | "episode_ended"
  | "wrong_order"
  | "too_many_episodes"
  | "stopping"
  | "internal"
  | "unauthorised"
  | "forbidden"
  | "not_found";

/** A request that cannot be answered: what is wrong with it, and what the client does next. */
export class ServeError extends Error {
  readonly code: ErrorCode;
  readonly next: string;
  constructor(code: ErrorCode, message: string, next: string) {
    super(message);
    this.name = "ServeError";
    this.code = code;
    this.next = next;
  }
}

/** Real actions that an action space has no name for, and text that is none (model/action.ts): always allowed. */
export const NAMELESS: readonly string[] = ["other", "invalid"];

const episode = z.string();
const usage = z.strictObject({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  cost: z.number().nonnegative().optional(),
  latency_ms: z.number().nonnegative().optional(),
});

/** One message that the agent's model read. */
const message = z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() });
const completion = z.strictObject({ text: z.string(), finish: z.enum(["stop", "length", "other"]) });

/** The methods and what each takes. */
export const PARAMS = {
  ping: z.strictObject({}),
  library: z.strictObject({}),
  open: z.strictObject({
    question: z.string().trim().min(1),
    episode_id: z.string().trim().min(1).max(200).optional(),
    question_id: z.string().trim().min(1).max(200).optional(),
    sample: z.number().int().min(1).optional(),
    action_types: z.array(z.string().min(1)).min(1).max(100).optional(),
    search_returns_text: z.boolean().optional(),
    max_steps: z.number().int().min(1).max(10_000).optional(),
    gold: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
    cwd: z.string().min(1).optional(),
    project: z.array(projectCheckSchema).max(100).optional(),
    notation: z.string().trim().min(1).max(2_000).optional(),
  }),
  step: z.strictObject({
    episode,
    thought: z.string().default(""),
    action: z.strictObject({ type: z.string().min(1), arg: z.string(), raw: z.string().optional() }),
    usage: usage.optional(),
    completion: completion.optional(),
    messages: z.array(message).min(1).optional(),
    prompts: z.array(z.string()).max(100).optional(),
    world: worldSchema.optional(),
  }),
  observe: z.strictObject({
    episode,
    observation: z.string(),
    documents: z.array(documentSchema).optional(),
    result: z.strictObject({ exit_code: z.number().int().optional(), ok: z.boolean().optional() }).optional(),
  }),
  close: z.strictObject({
    episode,
    answer: z.string().optional(),
    stop_reason: z.string().trim().min(1).max(100).optional(),
  }),
} as const;

export type Method = keyof typeof PARAMS;
export type Params<M extends Method> = z.infer<(typeof PARAMS)[M]>;
export type Request = { readonly [M in Method]: { readonly method: M; readonly params: Params<M> } }[Method];

/** A request's name for itself, which its reply repeats; null where none could be read. */
export type RequestId = string | number | null;

export type Parsed =
  | { readonly id: RequestId; readonly request: Request }
  | { readonly id: RequestId; readonly error: ServeError };

const METHODS = Object.keys(PARAMS) as Method[];
const LOOK = "docs/serve.md lists the methods and what they take.";

/** What is wrong with an object; a key that nobody knows is most likely a slip. */
function problemOf(error: z.ZodError, known: readonly string[]): { message: string; next: string } {
  const [issue] = error.issues;
  const message = `${firstIssue(error)}.`;
  if (issue?.code !== "unrecognized_keys" || issue.path.length > 0) return { message, next: LOOK };
  return { message, next: didYouMean(issue.keys[0] ?? "", known) };
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(PARAMS, method);
}

const envelope = z.strictObject({
  id: z.union([z.string().max(200), z.number()]),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

function valueOf(bytes: Uint8Array): unknown {
  const badJson = (why: string): ServeError =>
    new ServeError("bad_json", `The request is no JSON: ${why}.`, "Send one JSON object, in UTF-8.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badJson("the bytes are not UTF-8");
  }
  const { value, problem } = readJson(text);
  if (problem === undefined) return value;
  if (problem.kind === "syntax") throw badJson(problem.engine ?? problem.why);
  const next = "Send a shorter observation, or leave out its documents.";
  throw new ServeError("too_large", `The request is not read: ${problem.why}.`, next);
}

/** The id of whatever came, for the reply to be found by. */
function idOf(value: unknown): RequestId {
  const given = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof given === "string" || typeof given === "number" ? given : null;
}

function requestOf(value: unknown): Request {
  const outer = envelope.safeParse(value);
  if (!outer.success) {
    const { message, next } = problemOf(outer.error, Object.keys(envelope.shape));
    throw new ServeError("bad_request", `The request is not {id, method, params}: ${message}`, next);
  }
  const { method, params } = outer.data;
  if (!isMethod(method)) {
    throw new ServeError(
      "unknown_method",
      `There is no method "${method.slice(0, 60)}".`,
      didYouMean(method, METHODS),
    );
  }
  const inner = PARAMS[method].safeParse(params);
  if (inner.success) return { method, params: inner.data } as Request;
  const { message, next } = problemOf(inner.error, Object.keys(PARAMS[method].shape));
  throw new ServeError("bad_params", `The params of ${method} do not fit: ${message}`, next);
}

/** Reads one request. Never throws: what is wrong with it is its value. */
export function parseRequest(bytes: Uint8Array): Parsed {
  let id: RequestId = null;
  try {
    const value = valueOf(bytes);
    id = idOf(value);
    return { id, request: requestOf(value) };
  } catch (error) {
    if (error instanceof ServeError) return { id, error };
    throw error;
  }
}

export function resultReply(id: RequestId, result: unknown): string {
  return JSON.stringify({ id, result });
}

export function errorReply(id: RequestId, { code, message, next }: ServeError): string {
  return JSON.stringify({ id, error: { code, message, next } });
}

export function tooLarge(): ServeError {
  return new ServeError(
    "too_large",
    `A request has at most ${MAX_REQUEST_BYTES / 1024 / 1024} MiB.`,
    "Send a shorter observation, or leave out its documents.",
  );
}
