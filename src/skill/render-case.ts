import type { Action } from "../model/action.ts";
import { parseJson } from "../model/read-json.ts";
import type { CaseExpectation, CaseSession, CaseStep, SkillCase } from "../model/case.ts";
import type { Json, StepContext } from "../model/step-context.ts";

/** A case before it stands anywhere. */
export type NewCase = Omit<SkillCase, "range">;

/** YAML wants an explicit `?` before a longer key. */
const LONGEST_PLAIN_KEY = 500;

/**
 * One entry of the list `cases`, from which `parseCases` reads the same case; not indented, ending with a line break.
 * The name must not be blank, `memory` a mapping. Every field that says something is named, so the case
 * does not depend on what the reader makes of missing ones. `comment` stands above it.
 */
export function renderCase(made: NewCase, comment?: string): string {
  const { name, context, memory, session, proposed, expect } = made;
  const lines = [
    ...(comment === undefined ? [] : commentLines(comment)),
    `- name: ${scalar(name.trim(), 4)}`,
    "  context:",
    ...shifted(session === undefined ? contextLines(context) : basicLines(context), 4),
    ...(session === undefined ? [] : shifted(sessionLines(session), 2)),
    ...(memory === undefined ? [] : [`  memory: ${flow(memory)}`]),
    "  proposed:",
    ...shifted(actionLines(proposed), 4),
    "  expect:",
    ...shifted(expectLines(expect), 4),
  ];
  return `${lines.join("\n")}\n`;
}

/** Blank lines stay bare: in a block of text they mean the same. */
function shifted(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));
}

/** An action; a tool call shows its inputs. */
function actionLines({ type, arg, raw }: Action): string[] {
  const input = inputIn(arg);
  return [
    `type: ${scalar(type, 2)}`,
    input === undefined ? `arg: ${scalar(arg, 2)}` : `input: ${flow(input)}`,
    ...(raw === undefined ? [] : [`raw: ${scalar(raw, 2)}`]),
  ].flatMap((line) => line.split("\n"));
}

/** The inputs of a call, where the case that is read again has the very same argument. */
function inputIn(arg: string): Json | undefined {
  if (!arg.startsWith("{")) return undefined;
  const value = parseJson(arg) as Json | undefined;
  return JSON.stringify(value) === arg ? value : undefined;
}

/** What the steps of a session do not tell. */
function basicLines({ question, maxSteps, thought }: StepContext): string[] {
  return [
    ...(question === "" ? [] : [`question: ${scalar(question, 2)}`]),
    `maxSteps: ${maxSteps}`,
    ...(thought === "" ? [] : [`thought: ${scalar(thought, 2)}`]),
  ].flatMap((line) => line.split("\n"));
}

function sessionLines({ prompts, project, cwd, steps, world }: CaseSession): string[] {
  return [
    ...(prompts.length === 0 ? [] : ["prompts:", ...prompts.map((text) => `  - ${scalar(text, 4)}`)]),
    ...(project.length === 0 ? [] : ["project:", ...project.map((check) => `  - ${flow({ ...check })}`)]),
    ...(cwd === undefined ? [] : [`cwd: ${quoted(cwd)}`]),
    ...(steps.length === 0 ? [] : ["steps:"]),
    ...steps.flatMap(stepLines),
    ...(world === undefined ? [] : [`world: ${flow(JSON.parse(JSON.stringify(world)) as Json)}`]),
  ].flatMap((line) => line.split("\n"));
}

function stepLines({ executed, observation, result }: CaseStep): string[] {
  const lines = [
    ...actionLines(executed),
    ...(observation === "" ? [] : [`observation: ${scalar(observation, 2)}`]),
    ...(result?.exitCode === undefined ? [] : [`exitCode: ${result.exitCode}`]),
    ...(result?.ok === undefined ? [] : [`ok: ${result.ok}`]),
  ].flatMap((line) => line.split("\n"));
  return lines.map((line, i) => (line === "" ? "" : `${i === 0 ? "  - " : "    "}${line}`));
}

function contextLines(context: StepContext): string[] {
  const { actionHistory, allReadContents } = context;
  const text = (key: "question" | "lastSearchResultsText" | "thought"): string[] =>
    context[key] === "" ? [] : [`${key}: ${scalar(context[key], 2)}`];
  const flag = (key: "emptyResults" | "contradictorySources"): string[] =>
    context[key] ? [`${key}: true`] : [];
  return [
    ...text("question"),
    `stepCount: ${context.stepCount}`,
    `maxSteps: ${context.maxSteps}`,
    `hasRead: ${context.hasRead}`,
    `searchCount: ${context.searchCount}`,
    `readCount: ${context.readCount}`,
    ...flag("emptyResults"),
    ...flag("contradictorySources"),
    ...(actionHistory.length === 0 ? [] : ["actionHistory:"]),
    ...actionHistory.map(({ type, arg }) => `  - { type: ${quoted(type)}, arg: ${quoted(arg)} }`),
    ...text("lastSearchResultsText"),
    ...(allReadContents.length === 0 ? [] : ["allReadContents:"]),
    ...allReadContents.map((read) => `  - ${scalar(read, 4)}`),
    ...text("thought"),
  ].flatMap((line) => line.split("\n"));
}

function expectLines({
  fires,
  type,
  newActionType,
  newActionArg,
  newInput,
  contextContains,
}: CaseExpectation): string[] {
  const texts = Object.entries({ type, newActionType, newActionArg, contextContains });
  const named = texts.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${scalar(value, 2)}`]));
  const input = newInput === undefined ? [] : [`newInput: ${flow(newInput)}`];
  return [`fires: ${fires}`, ...input, ...named.flatMap((line) => line.split("\n"))];
}

const PLAIN = /^[A-Za-z][\w ,'()-]*[\w)]$|^[A-Z]+$/;
/** Words that YAML, in one of its versions, reads as something else than text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/**
 * A text as YAML: bare where nobody could read it otherwise, as a block where it has lines that a person should see, else quoted.
 * The lines of a block are indented by `indent`.
 */
function scalar(text: string, indent: number): string {
  if (PLAIN.test(text) && !WORDS.test(text) && !text.includes("  ")) return text;
  if (!isBlock(text)) return quoted(text);
  const body = shifted(text.replace(/\n$/, "").split("\n"), indent).join("\n");
  return `${text.endsWith("\n") ? "|" : "|-"}\n${body}`;
}

/** Lines that a block gives back as they are: nothing invisible, no blank first or last line, no blanks at an end of the text. */
function isBlock(text: string): boolean {
  return (
    text.includes("\n") &&
    text.isWellFormed() &&
    /^[^\s](?:.|\n)*[^\s]\n?$/.test(text) &&
    !/[^\S\n ]|[\p{Cc}\p{Cf}\p{Cn}\p{Co}](?<!\n)|[ ]+$/mu.test(text)
  );
}

/** What a reader of the file could not see, or what its encoding could not hold. JSON has taken care of lone surrogates. */
const UNSEEN = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Cn}]/gu;

/** A JSON text is a YAML text in double quotes. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, (unseen) =>
    Array.from({ length: unseen.length }, (_, i) => unicodeEscape(unseen.charCodeAt(i))).join(""),
  );
}

const unicodeEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

/** A JSON value on one line. */
function flow(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => {
    const explicit = key.length > LONGEST_PLAIN_KEY ? "? " : "";
    return `${explicit}${quoted(key)}: ${flow(inner)}`;
  });
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function commentLines(comment: string): string[] {
  return comment
    .toWellFormed()
    .split(/[\r\n\p{Zl}\p{Zp}\u0085]/u)
    .map((line) => `# ${line.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").trim()}`.trimEnd());
}
