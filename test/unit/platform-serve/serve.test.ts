import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import http, { type OutgoingHttpHeaders } from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { MAX_REQUEST_BYTES } from "../../../src/agents/serve/protocol.ts";
import { openServer, type ServeServer } from "../../../src/agents/serve/server.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { serveHttp } from "../../../src/platform/serve-http.ts";
import { serveLines } from "../../../src/platform/serve-lines.ts";
import { serveSocket } from "../../../src/platform/serve-socket.ts";
import { hostOf, PLAIN_RUN, TEST_CONTROL } from "../../support/episodes.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-serve-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function serverOf(): ServeServer {
  const server = openServer({
    host: hostOf(),
    library: [],
    libraryRefs: [],
    domain: webSearch,
    judge: PLAIN_RUN.judge,
    control: TEST_CONTROL,
    settings: {},
    redact: PLAIN_RUN.redact,
    recording: undefined,
    maxEpisodes: 1000,
    idleSeconds: 300,
    onTrouble: () => undefined,
  });
  onTestFinished(() => server.close());
  return server;
}

const ping = (id: unknown): string => JSON.stringify({ id, method: "ping" });

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}

describe("over a pair of streams", () => {
  it("every request that came before the end is answered, one line each, also a last one without its line end", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const text = textOf(output);
    input.write(Buffer.concat([Buffer.from(`${ping(1)}\n\n`), Buffer.of(0xff, 10), Buffer.from(`oops\n`)]));
    input.end(ping(2));
    await serveLines(serverOf(), input, output, new AbortController().signal);
    output.end();
    const replies = (await text)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown });
    expect(replies).toHaveLength(4);
    expect(new Set(replies.map(({ id }) => id))).toEqual(new Set([1, 2, null]));
  });

  it("a line over the limit is refused and the next is answered", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const text = textOf(output);
    const done = serveLines(serverOf(), input, output, new AbortController().signal);
    const piece = Buffer.alloc(MAX_REQUEST_BYTES / 8, "x");
    for (let i = 0; i < 9; i++) input.write(piece);
    input.end(`\n${ping(1)}\n`);
    await done;
    output.end();
    expect(await text).toMatch(/"too_large"[^]*"id":1,"result"/);
  });

  it("ends with the reader of its replies, and on an abort", async () => {
    for (const how of ["broken", "aborted"]) {
      const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
      const done = serveLines(serverOf(), input, output, stop.signal);
      input.write(`${ping(1)}\n`);
      if (how === "broken") output.destroy(new Error("EPIPE"));
      else stop.abort();
      await done;
      expect(input.destroyed).toBe(true);
    }
  });
});

/** What comes back on a socket after these words and its own end. */
async function talk(socketPath: string, words: string): Promise<string> {
  const socket = net.connect({ path: socketPath, allowHalfOpen: true });
  socket.end(words);
  return textOf(socket);
}

describe.skipIf(process.platform === "win32")("over a socket", () => {
  const signal = new AbortController().signal;

  it("only its owner may connect, several at once, and it is gone afterwards", async () => {
    const at = path.join(place, "one.sock");
    const serving = await serveSocket(serverOf(), at, signal);
    expect(statSync(at).mode & 0o777).toBe(0o600);
    const replies = await Promise.all([talk(at, ping(1)), talk(at, `${ping(2)}\n`)]);
    expect(replies.map((reply) => (JSON.parse(reply) as { id: number }).id)).toEqual([1, 2]);
    await expect(serveSocket(serverOf(), at, signal)).rejects.toThrow("Another server listens");
    await serving.close();
    expect(existsSync(at)).toBe(false);
  });

  it("a socket that nobody answers makes room; a file does not", async () => {
    const at = path.join(place, "stale.sock");
    const dead = await new Promise<net.Server>((resolve) => {
      const server = net.createServer().listen(at, () => resolve(server));
    });
    // As after a kill: the name stays, nobody listens.
    const kept = path.join(place, "kept.sock");
    linkSync(at, kept);
    await new Promise((resolve) => dead.close(resolve));
    const serving = await serveSocket(serverOf(), kept, signal);
    expect(await talk(kept, ping(1))).toContain('"id":1');
    await serving.close();
    const file = path.join(place, "file");
    writeFileSync(file, "mine");
    await expect(serveSocket(serverOf(), file, signal)).rejects.toThrow("no socket");
    expect(existsSync(file)).toBe(true);
  });
});

const TOKEN = "a-token-of-some-length";

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

function ask(url: string, body: string, headers: OutgoingHttpHeaders = {}, method = "POST"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${TOKEN}`, ...headers };
    const request = http.request(url, { method, headers: all }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode, body: text }), reject);
    });
    request.once("error", reject).end(body);
  });
}

describe("over HTTP", () => {
  it("answers a program that knows the token, and nobody else", async () => {
    const serving = await serveHttp(serverOf(), { port: 0, token: TOKEN });
    onTestFinished(() => serving.close());
    const { url } = serving;
    expect(await ask(url, ping(1))).toMatchObject({
      status: 200,
      body: expect.stringContaining('"id":1') as string,
    });
    expect(await ask(url, "oops")).toMatchObject({
      status: 200,
      body: expect.stringContaining("bad_json") as string,
    });
    const { port } = new URL(url);
    const cases: [OutgoingHttpHeaders, number][] = [
      [{ authorization: "Bearer wrong" }, 401],
      [{ authorization: `Basic ${TOKEN}` }, 401],
      [{ authorization: "" }, 401],
      [{ host: "evil.example" }, 403],
      [{ host: `evil.example:${port}` }, 403],
      [{ host: `LOCALHOST:${port}` }, 200],
      [{ origin: "http://127.0.0.1" }, 403],
    ];
    for (const [headers, status] of cases)
      expect([headers, (await ask(url, ping(1), headers)).status]).toEqual([headers, status]);
    expect((await ask(url, "", {}, "GET")).status).toBe(404);
    expect((await ask(`${url}other`, ping(1))).status).toBe(404);
    expect((await ask(url, "", { origin: "http://evil.example" }, "OPTIONS")).body).not.toContain(
      "access-control",
    );
  });

  it("refuses a body over the limit before it has read it", async () => {
    const serving = await serveHttp(serverOf(), { port: 0, token: TOKEN });
    onTestFinished(() => serving.close());
    const claimed = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}`, "content-length": MAX_REQUEST_BYTES + 1 };
      const request = http.request(serving.url, { method: "POST", headers }, ({ statusCode }) => {
        resolve(statusCode);
        request.destroy();
      });
      request.once("error", reject).flushHeaders();
    });
    expect(claimed).toBe(413);
    expect((await ask(serving.url, ping(1))).status).toBe(200);
  });
});
