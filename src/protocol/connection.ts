/** One side of a message channel that copies plain data: a webview, a worker, a test. */
export interface Channel {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Params and result of each request, and the payload of each event, by name. */
export interface Contract {
  requests: Record<string, { params: unknown; result: unknown }>;
  events: Record<string, unknown>;
}

/** For a side that offers events only: nothing can be asked of it. */
export type NoRequests = Record<string, { params: never; result: never }>;

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

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "kind" in value;
}

/**
 * Requests, answers, cancellation and events over one channel. `Theirs` is what the other side offers, `Ours` what this
 * side offers. No timeout of its own: what it asks can be cancelled by the person who waits.
 */
export function connect<Theirs extends Contract, Ours extends Contract>(
  channel: Channel,
): Connection<Theirs, Ours> {
  let nextId = 1;
  const waiting = new Map<number, Waiting>();
  const running = new Map<number, AbortController>();
  const handlers = new Map<string, (params: unknown, signal: AbortSignal) => Promise<unknown>>();
  const listeners = new Map<string, ((payload: unknown) => void)[]>();
  const post = (message: Message): void => channel.post(message);

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const handler = handlers.get(method);
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (handler === undefined) throw new RequestError(`Nothing answers "${method}" here.`);
      const result = await handler(params, controller.signal);
      post({ kind: "result", id, result });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      post({ kind: "failure", id, message, next: nextOf(error) });
    } finally {
      running.delete(id);
    }
  }

  function settle(message: Extract<Message, { kind: "result" | "failure" }>): void {
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "result") entry?.resolve(message.result);
    else entry?.reject(new RequestError(message.message, message.next));
  }

  channel.onMessage((message) => {
    if (!isMessage(message)) return;
    if (message.kind === "request") void answer(message.id, message.method, message.params);
    else if (message.kind === "cancel") running.get(message.id)?.abort();
    else if (message.kind === "event") listeners.get(message.name)?.forEach((l) => l(message.payload));
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
    handle(method, handler) {
      handlers.set(method, handler);
    },
    send: (name, payload) => post({ kind: "event", name, payload }),
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (payload: unknown) => void]);
    },
  };
}
