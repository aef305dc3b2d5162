import { createHash, timingSafeEqual } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorReply, MAX_REQUEST_BYTES, ServeError, tooLarge } from "../agents/serve/protocol.ts";
import type { ServeClient, ServeServer } from "../agents/serve/server.ts";

const LOOPBACK = "127.0.0.1";
/** Time for one request to arrive; its answer may take longer. */
const REQUEST_MS = 60_000;
/** A model may think for minutes before the next request of a connection. */
const KEEP_ALIVE_MS = 3_600_000;

export interface HttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly token: string;
}

export interface HttpServing {
  /** `http://127.0.0.1:<port>/`. */
  readonly url: string;
  /** Takes no further request and closes the connections. */
  close(): Promise<void>;
}

/** A request that is not even looked into, with its status. */
class Refusal extends ServeError {
  readonly status: number;
  constructor(status: number, ...about: ConstructorParameters<typeof ServeError>) {
    super(...about);
    this.status = status;
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** In the same time whatever is wrong with it. */
function isAuthorised({ headers }: IncomingMessage, token: Buffer): boolean {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return timingSafeEqual(digest(given), token);
}

/** A page that a name server has pointed at this machine gives itself away by its host, any page by its origin. */
function refuseBrowsers({ headers }: IncomingMessage, port: number): void {
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  const next = `Send requests to http://${LOOPBACK}:${port}/ from a program.`;
  if (!hosts.includes((headers.host ?? "").toLowerCase()))
    throw new Refusal(403, "forbidden", "The Host header names another machine.", next);
  if (headers.origin !== undefined)
    throw new Refusal(403, "forbidden", "Requests of web pages are not answered.", next);
}

function refuseOthers(request: IncomingMessage, port: number, token: Buffer): void {
  refuseBrowsers(request, port);
  if (!isAuthorised(request, token)) {
    const next = "Send `Authorization: Bearer <token>` with the token that hasp serve uses.";
    throw new Refusal(401, "unauthorised", "The token is missing or wrong.", next);
  }
  if (request.method !== "POST" || request.url !== "/") {
    throw new Refusal(404, "not_found", "There is only POST /.", "Send the request as the body of POST /.");
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const refusal = new Refusal(413, "too_large", tooLarge().message, tooLarge().next);
  if (Number(request.headers["content-length"] ?? 0) > MAX_REQUEST_BYTES) throw refusal;
  const pieces: Uint8Array[] = [];
  let size = 0;
  // What is left of a body that is too long goes with the connection, after the reply.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Uint8Array);
    size += (piece as Uint8Array).length;
    if (size > MAX_REQUEST_BYTES) throw refusal;
  }
  return Buffer.concat(pieces, size);
}

function send(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status !== 200 && { connection: "close" }),
  });
  response.end(body);
}

/** Serves on this machine's own address, a request as the body of `POST /`, to programs that know the token. */
export async function serveHttp(server: ServeServer, options: HttpOptions): Promise<HttpServing> {
  const client: ServeClient = server.connect();
  const token = digest(options.token);
  let port = options.port;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      refuseOthers(request, port, token);
      send(response, 200, await client.answer(await bodyOf(request)));
    } catch (error) {
      if (error instanceof Refusal) send(response, error.status, errorReply(null, error));
      // The client broke off while it sent.
      else response.destroy();
    }
  };
  const listener = http.createServer(
    { requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void respond(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject).listen(port, LOOPBACK, resolve);
  });
  port = (listener.address() as AddressInfo).port;
  return {
    url: `http://${LOOPBACK}:${port}/`,
    async close() {
      await client.leave();
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      listener.closeAllConnections();
      await closed;
    },
  };
}
