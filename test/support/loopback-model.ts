/**
 * A server on this machine that speaks OpenAI's chat completions, counts its calls and fails on demand. Tests start it in
 * their own process; kill tests as a child, `node test/support/loopback-model.ts --log <file>`, which prints its port.
 */
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { parseArgs } from "node:util";
import { parseScript } from "../../src/llm/parse-script.ts";

export interface LoopbackRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly temperature: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stop?: readonly string[];
  readonly response_format?: object;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

export interface LoopbackCall {
  /** 0 for the first. */
  readonly index: number;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly request: LoopbackRequest;
}

/** The answer to one call. */
export type Behaviour =
  /** In as many pieces as asked, `everyMs` apart; the first byte comes after `until` and `wait`, the model's thinking in milliseconds. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly pieces?: number;
      readonly everyMs?: number;
      readonly wait?: number;
      readonly until?: Promise<void> | undefined;
    }
  /** As a whole, whatever was asked. */
  | { readonly kind: "whole"; readonly text: string }
  | { readonly kind: "text-without-usage"; readonly text: string }
  /** Ends without a finish reason: with the mark `[DONE]`, or without. */
  | { readonly kind: "no-finish"; readonly text: string; readonly mark: boolean }
  | { readonly kind: "finish"; readonly text: string; readonly reason: string }
  /** Any answer, word for word. */
  | {
      readonly kind: "raw";
      readonly status?: number;
      readonly type?: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: "no-choice" }
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "error-in-stream"; readonly message: string }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Record<string, string>;
    }
  /** The connection is destroyed, before or after the first piece. */
  | { readonly kind: "drop"; readonly midway?: boolean }
  /** Nothing more comes, before or after the first piece. */
  | { readonly kind: "stall"; readonly midway?: boolean }
  /** The reply is complete, and then the stream stays open. */
  | { readonly kind: "open-end"; readonly text: string }
  /** Never ends. */
  | { readonly kind: "endless" };

export interface LoopbackModel {
  /** With `/v1`, as a model spec wants it. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly calls: readonly LoopbackCall[];
  close(): Promise<void>;
}

export interface LoopbackOptions {
  /** Fields of a request that are refused with 400, as strict servers do. */
  readonly refuses?: readonly ("stream_options" | "max_tokens" | "stop" | "response_format")[];
  /** Told when a call has arrived, and when its answer has been handed over or the connection was lost. */
  readonly onEvent?: (event: "begin" | "end" | "lost", call: LoopbackCall) => void;
  readonly port?: number;
}

/** Answers each call as `behave` says; a list is taken in order, its last entry again and again. */
export async function loopbackModel(
  behave: readonly Behaviour[] | ((call: LoopbackCall) => Behaviour),
  options: LoopbackOptions = {},
): Promise<LoopbackModel> {
  const calls: LoopbackCall[] = [];
  const choose =
    typeof behave === "function"
      ? behave
      : ({ index }: LoopbackCall) => behave[Math.min(index, behave.length - 1)];
  const server = createServer((incoming, response) => {
    void readCall(incoming, calls).then((call) => {
      options.onEvent?.("begin", call);
      response.once("close", () => options.onEvent?.(response.writableFinished ? "end" : "lost", call));
      return answer(
        response,
        call,
        refused(call, options.refuses ?? []) ?? choose(call) ?? { kind: "no-choice" },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { url: `${origin}/v1`, origin, port, calls, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

async function readCall(incoming: IncomingMessage, calls: LoopbackCall[]): Promise<LoopbackCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const request = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as LoopbackRequest;
  const call = { index: calls.length, url: incoming.url ?? "", headers: incoming.headers, request };
  calls.push(call);
  return call;
}

function refused({ request }: LoopbackCall, fields: readonly string[]): Behaviour | undefined {
  const field = fields.find((name) => Object.hasOwn(request, name));
  if (field === undefined) return undefined;
  const instead = field === "max_tokens" ? " Use 'max_completion_tokens' instead." : "";
  return { kind: "status", status: 400, message: `Unsupported parameter: '${field}'.${instead}` };
}

async function answer(response: ServerResponse, call: LoopbackCall, behaviour: Behaviour): Promise<void> {
  switch (behaviour.kind) {
    case "text":
      await behaviour.until;
      if (behaviour.wait !== undefined) await pause(behaviour.wait);
      return sendText(response, call, behaviour.text, behaviour);
    case "whole":
      return sendWhole(response, call, { content: behaviour.text }, "stop");
    case "text-without-usage":
      return sendText(response, call, behaviour.text, { usage: false });
    case "no-finish":
      beginStream(response);
      response.write(chunk(call, { content: behaviour.text }));
      return void response.end(behaviour.mark ? DONE : "");
    case "finish":
      return sendText(response, call, behaviour.text, { reason: behaviour.reason });
    case "raw":
      response.writeHead(behaviour.status ?? 200, {
        "content-type": behaviour.type ?? "text/html",
        ...behaviour.headers,
      });
      return void response.end(behaviour.body);
    case "no-choice":
      beginStream(response);
      return void response.end(event({ ...about(call), choices: [], usage: usageOf(call, "") }) + DONE);
    case "refusal":
      return sendWhole(response, call, { content: null, refusal: behaviour.text }, "stop");
    case "error-in-stream":
      beginStream(response);
      response.write(chunk(call, { content: "half " }));
      return void response.end(event({ error: { message: behaviour.message, type: "server_error" } }));
    case "status":
      return sendStatus(response, behaviour);
    case "drop":
    case "stall":
      return breakOff(response, call, behaviour);
    case "open-end":
      beginStream(response);
      return void response.write(chunk(call, { content: behaviour.text }, "stop"));
    case "endless":
      beginStream(response);
      return pour(response, call);
  }
}

const DONE = "data: [DONE]\n\n";

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function about({ index, request }: LoopbackCall): object {
  return { id: `call-${index}`, object: "chat.completion.chunk", created: 0, model: request.model };
}

function chunk(call: LoopbackCall, delta: object, finish: string | null = null): string {
  return event({ ...about(call), choices: [{ index: 0, delta, finish_reason: finish }] });
}

/** A token is a word here, so that tests can count. */
function usageOf({ request }: LoopbackCall, text: string): object {
  const words = (s: string): number => s.split(/\s+/).filter((w) => w !== "").length;
  const input = request.messages.reduce((sum, { content }) => sum + words(content), 0);
  return { prompt_tokens: input, completion_tokens: words(text), total_tokens: input + words(text) };
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
}

interface TextOptions {
  readonly pieces?: number;
  readonly everyMs?: number;
  readonly usage?: boolean;
  readonly reason?: string;
}

async function sendText(
  response: ServerResponse,
  call: LoopbackCall,
  text: string,
  options: TextOptions,
): Promise<void> {
  const { request } = call;
  if (request.stream !== true) return sendWhole(response, call, { content: text }, options.reason ?? "stop");
  beginStream(response);
  const size = Math.max(1, Math.ceil(text.length / (options.pieces ?? 2)));
  for (let at = 0; at < text.length && !response.destroyed; at += size) {
    response.write(chunk(call, { content: text.slice(at, at + size) }));
    if (options.everyMs !== undefined) await pause(options.everyMs);
  }
  response.write(chunk(call, {}, options.reason ?? "stop"));
  const wanted = request.stream_options?.include_usage === true && options.usage !== false;
  if (wanted) response.write(event({ ...about(call), choices: [], usage: usageOf(call, text) }));
  response.end(DONE);
}

function sendWhole(
  response: ServerResponse,
  call: LoopbackCall,
  message: { content: string | null; refusal?: string },
  reason: string,
): void {
  const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: reason };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      ...about(call),
      object: "chat.completion",
      choices: [choice],
      usage: usageOf(call, message.content ?? ""),
    }),
  );
}

function sendStatus(response: ServerResponse, behaviour: Behaviour & { kind: "status" }): void {
  const { status, message = `Status ${status}`, code } = behaviour;
  response.writeHead(status, { "content-type": "application/json", ...behaviour.headers });
  response.end(JSON.stringify({ error: { message, type: "error", param: null, code: code ?? null } }));
}

function breakOff(
  response: ServerResponse,
  call: LoopbackCall,
  behaviour: { kind: "drop" | "stall"; midway?: boolean },
): void {
  const drop = (): void => void (behaviour.kind === "drop" && response.destroy());
  if (behaviour.midway !== true) return drop();
  beginStream(response);
  response.write(chunk(call, { content: "half a " }), drop);
}

async function pour(response: ServerResponse, call: LoopbackCall): Promise<void> {
  const much = chunk(call, { content: "x".repeat(1 << 20) });
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  while (!response.destroyed) {
    if (response.write(much)) continue;
    const drained = new AbortController();
    await Promise.race([once(response, "drain", { signal: drained.signal }).catch(() => undefined), closed]);
    drained.abort();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/**
 * The child: `--script <file>` (as for `scripted:`) or `--text <reply>`, `--delay <ms>` before each answer, `--fail <status>`
 * for every `--every <n>`th call. The log has a line a call when it begins and one when it ends or is lost.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      log: { type: "string" },
      script: { type: "string" },
      text: { type: "string", default: "Action: FINAL[yes]" },
      delay: { type: "string", default: "0" },
      fail: { type: "string" },
      every: { type: "string", default: "2" },
      port: { type: "string", default: "0" },
    },
  });
  const script =
    values.script === undefined
      ? undefined
      : parseScript(readFileSync(values.script, "utf8"), values.script).value;
  const { fail, log } = values;
  const server = await loopbackModel(
    (call) => {
      if (fail !== undefined && (call.index + 1) % Number(values.every) === 0) {
        return { kind: "status", status: Number(fail) };
      }
      const { messages, temperature, max_tokens: maxTokens = 0 } = call.request;
      const reply = script?.({ messages, temperature, maxTokens }, call.index) ?? values.text;
      if (typeof reply === "object" && "error" in reply)
        return { kind: "status", status: 500, message: reply.error };
      const text = typeof reply === "string" ? reply : reply.text;
      return { kind: "text", text, wait: Number(values.delay) };
    },
    {
      port: Number(values.port),
      onEvent: (kind, { index, request }) => {
        if (log !== undefined) appendFileSync(log, `${JSON.stringify({ event: kind, index, request })}\n`);
      },
    },
  );
  process.once("SIGTERM", () => void server.close());
  process.stdout.write(`${server.port}\n`);
}

if (import.meta.main) await main();
