import type { TextEncodingName } from "../model/text-encoding.ts";

/** Bytes in UTF-16, as PowerShell pipes the output of programs into files, in UTF-8 and without their mark. */
export async function* inUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncodingName,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
