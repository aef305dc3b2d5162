import { encodingOf } from "../model/text-encoding.ts";

/** A way in which the bytes of a text file differ from plain UTF-8, which every reader takes. */
export type OddBytes =
  /** It begins with a byte order mark of UTF-8. */
  | { readonly kind: "mark" }
  | { readonly kind: "utf-16" }
  /** `at`: offset in the text of the first byte that UTF-8 cannot have. `asWindows`: the text in Windows-1252, if it can be that. */
  | {
      readonly kind: "not-utf-8";
      readonly at: number;
      readonly byte: number;
      readonly asWindows: string | undefined;
    }
  /** Its first line ends with a carriage return alone. */
  | { readonly kind: "carriage-return" };

/** A text, and what is odd about the bytes that it was read from. */
export interface ReadBytes {
  /** Without a byte order mark, and with line breaks as in the bytes. */
  readonly text: string;
  readonly odd: readonly OddBytes[];
}

/** Length of the longest beginning without a byte that UTF-8 cannot have there. */
function validLength(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return low;
}

const startsWithMark = ([a, b, c]: Uint8Array): boolean => a === 0xef && b === 0xbb && c === 0xbf;

function notUtf8(bytes: Uint8Array, text: string): OddBytes | undefined {
  if (!text.includes("\uFFFD")) return undefined;
  const valid = new TextDecoder().decode(bytes.subarray(0, validLength(bytes)), { stream: true });
  const byte = bytes[(startsWithMark(bytes) ? 3 : 0) + new TextEncoder().encode(valid).length];
  // A text may hold U+FFFD as a character of its own.
  if (byte === undefined) return undefined;
  const isSingleBytes = /^[\0-\x7F\uFFFD]*$/.test(text);
  const asWindows = isSingleBytes ? new TextDecoder("windows-1252").decode(bytes) : undefined;
  return { kind: "not-utf-8", at: valid.length, byte, asWindows };
}

/** Reads the bytes of a text file in the encoding that they have. Never throws. */
export function readBytes(bytes: Uint8Array): ReadBytes {
  const encoding = encodingOf(bytes);
  const decoded = new TextDecoder(encoding).decode(bytes);
  const text = decoded.replace(/^\uFEFF+/, "");
  const hasMark = encoding === "utf-8" && (startsWithMark(bytes) || decoded !== text);
  const wrong = encoding === "utf-8" ? notUtf8(bytes, decoded) : undefined;
  const odd: OddBytes[] = [
    ...(encoding === "utf-8" ? [] : [{ kind: "utf-16" } as const]),
    ...(hasMark ? [{ kind: "mark" } as const] : []),
    ...(wrong === undefined ? [] : [wrong]),
    ...(/^[^\r\n]*\r(?!\n)/.test(text) ? [{ kind: "carriage-return" } as const] : []),
  ];
  return { text, odd };
}

/** The text without carriage returns alone, which some readers do not take for line breaks. */
export const withLineFeeds = (text: string): string => text.replaceAll(/\r(?!\n)/g, "\n");
