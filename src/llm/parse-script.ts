import type { Checked } from "../model/diagnostic.ts";
import { fieldsOf, type Fields, type FieldCodes } from "../skill/fields.ts";
import { reportOn, type Report } from "../skill/report.ts";
import { sourceText } from "../skill/source-text.ts";
import { readYaml, type YamlValue } from "../skill/yaml-tree.ts";
import { MODEL_FAILURES, type ChatRequest } from "./chat-model.ts";
import type { Script, ScriptedReply } from "./scripted-model.ts";

/** One entry of a script file. */
interface Entry {
  /** Texts that must all stand in the request's messages; none for an entry that answers in its turn. */
  readonly when: readonly string[];
  readonly reply: ScriptedReply;
}

const CODES: FieldCodes = { wrongType: "HASP611", unknownKey: "HASP612" };
const KNOWN = ["when", "text", "error", "finish"];
const EXAMPLE = 'Write a list of texts, or of entries such as `- { when: [Walton], text: "…" }`.';

/**
 * Reads the file of a `scripted:` model, JSON or YAML: a list of texts and of entries `{ when?, text | error, finish? }`.
 * An entry with `when` answers every request whose messages hold all those texts; the first that fits wins, so the
 * order of calls does not matter. The others answer what is left, in order, each once. Codes HASP610 to HASP613.
 */
export function parseScript(text: string, file: string): Checked<Script> {
  const report = reportOn(file);
  const { root, problems } = readYaml(text, sourceText(text), 0);
  for (const { message, range } of problems) {
    report.error("HASP610", range, `This script cannot be read: ${message}.`, EXAMPLE);
  }
  if (problems.length > 0) return { value: undefined, diagnostics: report.diagnostics };
  if (root?.kind !== "list") {
    report.error("HASP610", root?.range ?? sourceText(text).firstLine(), "A script must be a list.", EXAMPLE);
    return { value: undefined, diagnostics: report.diagnostics };
  }
  const entries = root.items.flatMap((item) => readEntry(item, report) ?? []);
  return { value: scriptOf(entries), diagnostics: report.diagnostics };
}

function readEntry(item: YamlValue, report: Report): Entry | undefined {
  if (item.kind === "scalar" && typeof item.value === "string") return { when: [], reply: item.value };
  if (item.kind === "map") return readMap(fieldsOf(item, "", report, CODES), report);
  report.error("HASP611", item.range, "An entry of a script must be a text or a mapping.", EXAMPLE);
  return undefined;
}

function readMap(fields: Fields, report: Report): Entry | undefined {
  fields.refuseUnknown(KNOWN);
  const when = fields.strings("when")?.map(({ text }) => text) ?? [];
  const reply = readReply(fields, report);
  return reply === undefined ? undefined : { when, reply };
}

function readReply(fields: Fields, report: Report): ScriptedReply | undefined {
  const text = fields.string("text");
  const error = oneOf(fields, "error", MODEL_FAILURES, report);
  const finish = oneOf(fields, "finish", ["stop", "length", "other"] as const, report);
  if (text !== undefined) return { text, ...(finish === undefined ? {} : { finish }) };
  if (error !== undefined) return { error };
  if (fields.entry("text") === undefined && fields.entry("error") === undefined) {
    report.error("HASP613", fields.range, "This entry says nothing.", "Give it a `text` or an `error`.");
  }
  return undefined;
}

function oneOf<T extends string>(
  fields: Fields,
  key: string,
  allowed: readonly T[],
  report: Report,
): T | undefined {
  const value = fields.string(key);
  const found = allowed.find((word) => word === value);
  if (value !== undefined && found === undefined) {
    const message = `${key} is ${JSON.stringify(value.slice(0, 40))}, which is no ${key} of a model.`;
    report.error("HASP613", fields.rangeOf(key), message, `Write one of ${allowed.join(", ")}.`);
  }
  return found;
}

function scriptOf(entries: readonly Entry[]): Script {
  const rules = entries.filter(({ when }) => when.length > 0);
  const turns = entries.filter(({ when }) => when.length === 0)[Symbol.iterator]();
  return (request) => {
    const rule = rules.find(({ when }) => holdsAll(request, when));
    return rule === undefined ? turns.next().value?.reply : rule.reply;
  };
}

function holdsAll({ messages }: ChatRequest, texts: readonly string[]): boolean {
  return texts.every((text) => messages.some(({ content }) => content.includes(text)));
}
