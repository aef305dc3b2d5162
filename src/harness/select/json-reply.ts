import { emptyFields } from "../../llm/look-alike.ts";
import type { TeacherCall } from "../../model/intervention.ts";
import { parseJson } from "../../model/read-json.ts";

/** Characters of a teacher's reply that are looked at. */
const LOOKED_AT = 20_000;
/** Closing braces that are tried as the end of the object, from the last. */
const MOST_TRIES = 50;

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON object of a teacher's reply. Undefined where there is none, or where one of its texts is a text of `form`, the instructions that
 * the prompt ends with: a small model gives them back, and its other values then say nothing either. The site takes its code path.
 */
export function jsonOf({ reply = "" }: TeacherCall, form: string): Json | undefined {
  const json = jsonIn(reply);
  return json === undefined || repeatedTexts(json, form).length > 0 ? undefined : json;
}

/** The names of the texts that only repeat the form. */
function repeatedTexts(json: Json, form: string): readonly string[] {
  const texts = Object.entries(json).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return emptyFields(Object.fromEntries(texts), form);
}

/** The first JSON object in a reply, whatever stands around it: a code fence, a preface, an afterword. */
function jsonIn(reply: string): Json | undefined {
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

function parsed(text: string): Json | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** What a person reads where the teacher gave no usable answer. */
export function whyUnusable(call: TeacherCall, wanted: string, form: string): string {
  if (call.error !== undefined) return `the teacher gave no answer (${call.error})`;
  const json = jsonIn(call.reply ?? "");
  const repeated = json === undefined ? [] : repeatedTexts(json, form);
  return repeated.length === 0
    ? `the teacher's reply holds no ${wanted}`
    : `the teacher's reply repeats its prompt (${repeated.join(", ")})`;
}
