/** Stands between a client and a server of OpenAI's chat completions: passes everything on and keeps each request with its reply. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoopbackRequest } from "./loopback-model.ts";

/** One call of the server, word for word. */
export interface Exchange {
  readonly request: LoopbackRequest & { readonly stop?: string | readonly string[] | null };
  /** The reply's text; empty where the server answered with an error. */
  readonly reply: string;
  readonly status: number;
  readonly seconds: number;
  readonly promptTokens: number;
  /** Of the prompt, those that the server had in its cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

export interface RecordingProxy {
  /** With `/v1`. */
  readonly url: string;
  /** In the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** `upstream`: the server's address, with `/v1`. */
export async function recordingProxy(upstream: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, response) => {
    void pass(incoming, response, upstream, exchanges).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}/v1`, exchanges, close };
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  upstream: string,
  exchanges: Exchange[],
): Promise<void> {
  const began = performance.now();
  const lost = new AbortController();
  response.once("close", () => lost.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const answer = await fetch(upstream + (incoming.url ?? "").replace(/^\/v1/, ""), {
    method: incoming.method ?? "GET",
    headers: { "content-type": "application/json" },
    signal: lost.signal,
    ...(body === "" ? {} : { body }),
  });
  const type = answer.headers.get("content-type") ?? "application/json";
  response.writeHead(answer.status, { "content-type": type });
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    response.write(piece);
  }
  response.end();
  if (body === "") return;
  const seconds = (performance.now() - began) / 1000;
  const request = JSON.parse(body) as Exchange["request"];
  exchanges.push({ request, status: answer.status, seconds, ...readReply(text) });
}

interface Part {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly message?: { readonly content?: string | null };
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
}

/** A stream of events or one object. */
function readReply(
  text: string,
): Pick<Exchange, "reply" | "promptTokens" | "cachedTokens" | "completionTokens"> {
  const data = text.trimStart().startsWith("{")
    ? [text]
    : text.split("\n").flatMap((line) => /^data: (\{.*)$/.exec(line)?.[1] ?? []);
  const parts = data.map((one) => JSON.parse(one) as Part);
  const said = parts.map(
    ({ choices }) => choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content ?? "",
  );
  const usage = parts.findLast((part) => part.usage !== undefined && part.usage !== null)?.usage;
  return {
    reply: said.join(""),
    promptTokens: usage?.prompt_tokens ?? 0,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
  };
}
