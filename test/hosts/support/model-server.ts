import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

export type Raw = Readonly<Record<string, unknown>>;

/** A tool that the model calls, in the words of the host. */
export interface Call {
  readonly name: string;
  readonly input: Raw | string;
  /** Of a host whose tools have one: the group that the tool belongs to. */
  readonly namespace?: string;
}

/** What the model does when it is asked: it says something and stops, or calls tools. */
export type Turn = { readonly say: string } | { readonly calls: readonly Call[] };

/** What the model is to do with a request; `index` counts those of the agent's turns from 0. */
export type Script = (request: Raw, index: number) => Turn;

/** The turns one after the other, then `Done.`. */
export const turns =
  (...list: readonly Turn[]): Script =>
  (_request, index) =>
    list[index] ?? { say: "Done." };

/** The words of one vendor's API. */
export interface Api {
  /** Whether the request asks for a turn of the agent. Other requests get `otherwise`. */
  readonly isTurn: (url: string, body: Raw) => boolean;
  readonly otherwise: (url: string, body: Raw) => { readonly type: string; readonly text: string };
  /** The server-sent events of a turn. `index`: its number, for ids. */
  readonly events: (turn: Turn, index: number, body: Raw) => readonly Raw[];
}

export interface ModelServer {
  /** The socket file that it listens on: it can be reached from any network namespace. */
  readonly socket: string;
  /** All requests for turns so far. */
  readonly requests: readonly Raw[];
  readonly close: () => Promise<void>;
}

/** Starts a model that follows a script and keeps what it was asked. */
export async function startModel(api: Api, script: Script): Promise<ModelServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "hasp-model-"));
  const socket = path.join(folder, "model.sock");
  const requests: Raw[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = request.url ?? "";
      if (!api.isTurn(url, body)) return send(response, api.otherwise(url, body));
      const index = requests.push(body) - 1;
      const events = api.events(script(body, index), index, body);
      const text = events.map((data) => {
        const name = typeof data["type"] === "string" ? `event: ${data["type"]}\n` : "";
        return `${name}data: ${JSON.stringify(data)}\n\n`;
      });
      return send(response, { type: "text/event-stream", text: text.join("") });
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Raw> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Raw;
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { type, text }: { type: string; text: string }): void {
  response.writeHead(200, { "content-type": type });
  response.end(text);
}
