import { isRecord } from "../records.ts";
import { toolOf } from "./tool-table.ts";
import type { KeyShape, ToolTable } from "./tool-shape.ts";

/**
 * What is wrong with an input that is to be sent to a host's tool, in a sentence; undefined where nothing is, and for a tool or a key
 * that the table does not know. A host may drop a rewritten input that fails its schema without a word.
 */
export function inputProblem(table: ToolTable, name: string, input: unknown): string | undefined {
  const shape = toolOf(table, name, input)?.shape;
  if (shape === undefined) return undefined;
  if (typeof input === "string" && shape.bare !== undefined) return undefined;
  if (!isRecord(input)) return `the input of ${name} must be an object.`;
  for (const [key, expected] of Object.entries(shape.sent ?? shape.keys)) {
    const value = input[key];
    if (value === undefined ? expected.required === true : !fits(expected.type, value))
      return `\`${key}\` of ${name} must be ${WANTED[expected.type]}.`;
  }
  return undefined;
}

const WANTED: Readonly<Record<KeyShape["type"], string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  strings: "a list of texts",
  objects: "a list of objects",
  object: "an object",
  command: "a text, or a list of words",
};

function fits(type: KeyShape["type"], value: unknown): boolean {
  if (type === "strings") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (type === "objects") return Array.isArray(value) && value.every(isRecord);
  if (type === "object") return isRecord(value);
  if (type === "command") return typeof value === "string" || fits("strings", value);
  return typeof value === type;
}
