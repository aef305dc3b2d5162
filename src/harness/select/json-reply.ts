import { parseJson } from "../../model/read-json.ts";

/** Characters of a teacher's reply that are looked at. */
const LOOKED_AT = 20_000;
/** Closing braces that are tried as the end of the object, from the last. */
const MOST_TRIES = 50;

/**
 * The first JSON object in a reply, whatever stands around it: a code fence, a preface, an afterword. Undefined where there is none, so
 * that the site takes its code path.
 */
export function jsonIn(reply: string): Readonly<Record<string, unknown>> | undefined {
  const text = reply.slice(0, LOOKED_AT);
  const start = text.indexOf("{");
  if (start === -1) return undefined;
  let end = text.lastIndexOf("}");
  for (let tries = 0; tries < MOST_TRIES && end > start; tries++) {
    const value = parsed(text.slice(start, end + 1));
    if (value !== undefined) return value;
    end = text.lastIndexOf("}", end - 1);
  }
  return undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** What a person reads where the teacher gave no usable answer. */
export function whyUnusable(call: { readonly error?: string | undefined }, wanted: string): string {
  return call.error === undefined
    ? `the teacher's reply holds no ${wanted}`
    : `the teacher gave no answer (${call.error})`;
}
