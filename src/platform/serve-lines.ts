import type { Readable, Writable } from "node:stream";
import { lineSplitter, type Line } from "../agents/serve/lines.ts";
import { errorReply, MAX_REQUEST_BYTES, tooLarge } from "../agents/serve/protocol.ts";
import type { ServeClient, ServeServer } from "../agents/serve/server.ts";

/** Requests of one connection under way at once; the next waits in its pipe. */
const MAX_PENDING = 256;

/** Resolves when the bytes are taken, or the stream is broken: then its reader has gone, which the other direction tells as well. */
function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(`${text}\n`, () => resolve());
  });
}

function answerTo(line: Line, client: ServeClient): Promise<string> {
  return line.kind === "line" ? client.answer(line.bytes) : Promise.resolve(errorReply(null, tooLarge()));
}

async function* linesOf(input: Readable): AsyncGenerator<Line> {
  const splitter = lineSplitter(MAX_REQUEST_BYTES);
  // Leaves a socket's other direction open: a client may close its own after the last request and wait for the replies.
  const pieces = input.iterator({ destroyOnReturn: false });
  for await (const piece of pieces) yield* splitter.push(piece as Uint8Array);
  yield* splitter.end();
}

/**
 * One client on a pair of streams, a request a line and a reply a line. Replies come as they are ready. Resolves when the input has
 * ended or broken, or `signal` aborts: every request that came whole is answered, and what the client left open has ended.
 */
export async function serveLines(
  server: ServeServer,
  input: Readable,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const client = server.connect();
  const pending = new Set<Promise<void>>();
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  output.on("error", stop);
  try {
    for await (const line of linesOf(input)) {
      const reply = answerTo(line, client).then((text) => write(output, text));
      const done = reply.finally(() => pending.delete(done));
      pending.add(done);
      if (pending.size >= MAX_PENDING) await Promise.race(pending);
    }
  } catch {
    // A broken connection says no more than one that has ended: the client has gone.
  }
  signal.removeEventListener("abort", stop);
  // An interrupt does not wait for the teacher: `close` of the server cuts its calls off.
  if (!signal.aborted) await Promise.all(pending);
  await client.leave();
}
