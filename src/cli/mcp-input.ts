import { Transform, type Readable, type Writable } from "node:stream";
import { lineSplitter, type Line } from "../agents/serve/lines.ts";
import { readJson } from "../model/read-json.ts";

/** A call of ours has a few hundred characters. In bytes. */
export const MOST_INPUT = 1_000_000;

/** Codes of JSON-RPC. */
const NO_JSON = -32700;
const BAD_REQUEST = -32600;

/** Why a message is not handed on; undefined where it is. */
function refusalOf(line: Line): { readonly code: number; readonly message: string } | undefined {
  if (line.kind === "too-large")
    return { code: BAD_REQUEST, message: `A message has at most ${MOST_INPUT} bytes. Send a shorter one.` };
  const { problem } = readJson(new TextDecoder().decode(line.bytes));
  if (problem === undefined) return undefined;
  const code = problem.kind === "syntax" ? NO_JSON : BAD_REQUEST;
  return { code, message: `The message is not read: ${problem.why}. Send one JSON-RPC message a line.` };
}

/**
 * The lines of `input` that are JSON within our limits. For any other one an error goes to `output`, without an id since none is read: the
 * SDK would close the connection for a long one, and answer nothing to a broken one.
 */
export function readableMessages(input: Readable, output: Writable): Readable {
  const splitter = lineSplitter(MOST_INPUT);
  function take(stream: Transform, lines: readonly Line[]): void {
    for (const line of lines) {
      const error = refusalOf(line);
      if (error !== undefined) output.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
      else if (line.kind === "line") stream.push(Buffer.concat([line.bytes, Buffer.from("\n")]));
    }
  }
  const messages = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      take(this, splitter.push(piece));
      done();
    },
    flush(done) {
      take(this, splitter.end());
      done();
    },
  });
  return input.pipe(messages);
}
