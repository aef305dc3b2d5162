import { encodingOf } from "../model/text-encoding.ts";

/** Text in UTF-8 or UTF-16, as programs pipe it, without its byte-order marks: PowerShell writes one, and JSON knows none. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes).replace(/^\uFEFF+/, "");
}
