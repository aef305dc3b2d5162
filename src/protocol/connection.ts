import type { ArrivalChecks } from "./check.ts";
import type { Contract } from "./contract.ts";

/** One side of a message channel that copies plain data: a webview, a worker, a test. */
export interface Channel {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

type Message =
  | { kind: "request"; id: number; method: string; params: unknown }
  | { kind: "cancel"; id: number }
  | { kind: "result"; id: number; result: unknown }
  | { kind: "failure"; id: number; message: string; next: string | undefined }
  | { kind: "event"; name: string; payload: unknown };

/** A failure that crossed the channel: what failed and why, and what to do next. */
export class RequestError extends Error {
  readonly next: string | undefined;
  constructor(message: string, next?: string) {
    super(message);
    this.name = "RequestError";
    this.next = next;
  }
}

/** A failure of another room may say what to do next, too. */
function nextOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "next" in error)) return undefined;
  return typeof error.next === "string" ? error.next : undefined;
}

export interface Connection<Theirs extends Contract, Ours extends Contract> {
  /** Asks the other side. Rejects with RequestError; with AbortError when `signal` aborts, which the other side is told. */
  request<M extends keyof Theirs["requests"] & string>(
    method: M,
    params: Theirs["requests"][M]["params"],
    signal?: AbortSignal,
  ): Promise<Theirs["requests"][M]["result"]>;
  /** Answers the other side's requests of this name. The signal aborts when the asker no longer wants the answer. */
  handle<M extends keyof Ours["requests"] & string>(
    method: M,
    handler: (
      params: Ours["requests"][M]["params"],
      signal: AbortSignal,
    ) => Promise<Ours["requests"][M]["result"]>,
  ): void;
  send<E extends keyof Ours["events"] & string>(name: E, payload: Ours["events"][E]): void;
  on<E extends keyof Theirs["events"] & string>(
    name: E,
    listener: (payload: Theirs["events"][E]) => void,
  ): void;
}

/** Checks of everything that arrives at one side, and a listener to what is refused. */
export interface Arrivals<Theirs extends Contract, Ours extends Contract> {
  readonly checks: ArrivalChecks<Theirs, Ours>;
  /** Told the method or event and the problem of each message that is dropped or answered with an error. */
  readonly onRefused: (problem: string) => void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The envelope alone; checks of the contract look at what is in it. */
function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "event") return "name" in value && typeof value.name === "string";
  if (!("id" in value) || !Number.isSafeInteger(value.id)) return false;
  return value.kind !== "request" || ("method" in value && typeof value.method === "string");
}

/** Characters of a name of the other side's choice that an error repeats. */
const MAX_NAME = 60;

type AnyCheck = (value: unknown, field: string) => string | undefined;

/** Undefined where what arrived fits, or where its name has no check: nothing listens to that name. */
function problemOf<Theirs extends Contract, Ours extends Contract>(
  checks: ArrivalChecks<Theirs, Ours> | undefined,
  kind: "requests" | "events",
  name: string,
  value: unknown,
): string | undefined {
  const known: Readonly<Record<string, AnyCheck>> | undefined = checks?.[kind];
  if (known === undefined || !Object.hasOwn(known, name)) return undefined;
  const problem = known[name]?.(value, kind === "requests" ? "the parameter" : "the payload");
  return problem === undefined ? undefined : `The view's message "${name}" is refused: ${problem}`;
}

/** Runs the handlers of this side for the other side's requests. */
interface Responder<Ours extends Contract> extends Pick<Connection<Contract, Ours>, "handle"> {
  /** Posts the handler's result or its failure. */
  answer(id: number, method: string, params: unknown): Promise<void>;
  /** Aborts the handler of a request that still runs. */
  cancel(id: number): void;
}

function createResponder<Theirs extends Contract, Ours extends Contract>(
  post: (message: Message) => void,
  arrivals: Arrivals<Theirs, Ours> | undefined,
): Responder<Ours> {
  const running = new Map<number, AbortController>();
  const handlers = new Map<string, (params: unknown, signal: AbortSignal) => Promise<unknown>>();
  return {
    async answer(id, method, params) {
      const handler = handlers.get(method);
      const controller = new AbortController();
      running.set(id, controller);
      try {
        if (handler === undefined)
          throw new RequestError(`Nothing answers "${method.slice(0, MAX_NAME)}" here.`);
        const problem = problemOf(arrivals?.checks, "requests", method, params);
        if (problem !== undefined) {
          arrivals?.onRefused(problem);
          throw new RequestError(problem, "Close this view and open it anew.");
        }
        const result = await handler(params, controller.signal);
        post({ kind: "result", id, result });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        post({ kind: "failure", id, message, next: nextOf(error) });
      } finally {
        running.delete(id);
      }
    },
    cancel: (id) => running.get(id)?.abort(),
    handle(method, handler) {
      handlers.set(method, handler);
    },
  };
}

/**
 * Requests, answers, cancellation and events over one channel. `Theirs` is what the other side offers, `Ours` what this
 * side offers. No timeout of its own: what it asks can be cancelled by the person who waits. With `arrivals`, a message that
 * does not fit the contract reaches no handler: a request is answered with the problem, an event is dropped.
 */
export function connect<Theirs extends Contract, Ours extends Contract>(
  channel: Channel,
  arrivals?: Arrivals<Theirs, Ours>,
): Connection<Theirs, Ours> {
  let nextId = 1;
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, ((payload: unknown) => void)[]>();
  const post = (message: Message): void => channel.post(message);
  const responder = createResponder(post, arrivals);

  function settle(message: Extract<Message, { kind: "result" | "failure" }>): void {
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "result") entry?.resolve(message.result);
    else entry?.reject(new RequestError(message.message, message.next));
  }

  function hear(name: string, payload: unknown): void {
    const problem = problemOf(arrivals?.checks, "events", name, payload);
    if (problem === undefined) listeners.get(name)?.forEach((listener) => listener(payload));
    else arrivals?.onRefused(problem);
  }

  channel.onMessage((message) => {
    if (!isMessage(message))
      return arrivals?.onRefused("A message of the view is refused: it has no such form.");
    if (message.kind === "request") void responder.answer(message.id, message.method, message.params);
    else if (message.kind === "cancel") responder.cancel(message.id);
    else if (message.kind === "event") hear(message.name, message.payload);
    else settle(message);
  });

  return {
    request(method, params, signal) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          waiting.delete(id);
          post({ kind: "cancel", id });
          reject(new DOMException("Cancelled", "AbortError"));
        };
        if (signal?.aborted === true) return reject(new DOMException("Cancelled", "AbortError"));
        signal?.addEventListener("abort", stop, { once: true });
        const release = (): void => signal?.removeEventListener("abort", stop);
        waiting.set(id, {
          resolve: (result) => (release(), resolve(result)),
          reject: (error) => (release(), reject(error)),
        });
        post({ kind: "request", id, method, params });
      });
    },
    handle: (method, handler) => responder.handle(method, handler),
    send: (name, payload) => post({ kind: "event", name, payload }),
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (payload: unknown) => void]);
    },
  };
}
