/** A server on this machine that speaks as much of OpenAI's chat completions as `hasp run` asks for. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly seed?: number;
  readonly stream?: boolean;
}

export interface Loopback {
  /** With `/v1`; a model spec is this with `#` and a name. */
  readonly url: string;
  close(): Promise<void>;
}

/** Answers each request with the text that `reply` gives. Port 0: a free one. Rejects where the port is taken. */
export async function serveReplies(reply: (request: ChatRequest) => string, wanted = 0): Promise<Loopback> {
  const server = createServer((request, response) => {
    answer(request, response, reply).catch(() => response.destroy());
  });
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  reply: (request: ChatRequest) => string,
): Promise<void> {
  let body = "";
  for await (const piece of incoming.setEncoding("utf8")) body += String(piece);
  const request = JSON.parse(body) as ChatRequest;
  const content = reply(request);
  const read = request.messages.reduce((sum, message) => sum + message.content.length, 0);
  const usage = { prompt_tokens: Math.ceil(read / 4), completion_tokens: Math.ceil(content.length / 4) };
  const head = { id: "chatcmpl-rule", created: 0, model: request.model };
  if (request.stream !== true) {
    const message = { role: "assistant", content };
    response.writeHead(200, { "content-type": "application/json" });
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: readonly object[], more: object = {}): void =>
    void response.write(
      `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`,
    );
  chunk([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason: "stop" }]);
  chunk([], { usage });
  response.end("data: [DONE]\n\n");
}
