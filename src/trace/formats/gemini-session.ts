import { CODING_FINAL } from "../../model/coding-tools.ts";
import type { Usage } from "../../model/usage.ts";
import { codingAction, joined, resultOf } from "./coding-turns.ts";
import { sumOfAmounts, tokensOf } from "./counts.ts";
import { exitCodeIn } from "./exit-code.ts";
import { failedIn, partsOf, responseWords } from "./gemini-parts.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
} from "./records.ts";
import type { TalkNode } from "./talk-tree.ts";
import { GEMINI_TOOLS } from "./tools/gemini.ts";
import type { ToolCall, Turn } from "./turn.ts";

/** A message as the file tells it last: a line with the same id takes the place of the one before. */
interface Kept {
  readonly id: string;
  readonly parent: string | undefined;
  message: JsonRecord;
  /** The program put it in when it made the history shorter. */
  readonly program: boolean;
}

/** A session while its records are read: all messages ever written, and the ids of those that stand. */
export interface GeminiSession {
  header: JsonRecord;
  readonly messages: Map<string, Kept>;
  readonly standing: string[];
  /** Index of each id in `standing`. */
  readonly places: Map<string, number>;
}

export const emptySession = (header: JsonRecord): GeminiSession => ({
  header,
  messages: new Map(),
  standing: [],
  places: new Map(),
});

/** Adds a message, or what a later line says of it. */
export function addMessage(session: GeminiSession, message: JsonRecord, program = false): void {
  const { messages, standing, places } = session;
  const given = asText(message["id"]) ?? `#${messages.size}`;
  const known = messages.get(given);
  if (known !== undefined && places.has(given)) {
    known.message = message;
    return;
  }
  const id = known === undefined ? given : `${given}#${messages.size}`;
  messages.set(id, { id, parent: standing.at(-1), message, program });
  places.set(id, standing.length);
  standing.push(id);
}

/** The person went back to before this message; where it is not known, to the start. */
export function rewind({ standing, places }: GeminiSession, id: string): void {
  for (const gone of standing.splice(places.get(id) ?? 0)) places.delete(gone);
}

/** The history as the program has it after it made it shorter: what is new in it is the program's summary; what it left out was said. */
export function replaceHistory(session: GeminiSession, history: readonly unknown[], ledger: Ledger): void {
  const records = history.filter(isRecord);
  const ids = new Set(records.map(({ id }) => id));
  const left = session.standing.filter((id) => !ids.has(id)).length;
  ledger.dropped("messages left out of a later history", "they are kept: the agent had read them", left);
  for (const message of records) {
    const isNew = !session.messages.has(asName(message["id"]));
    const isAgents = message["tokens"] !== undefined || recordsOf(message["toolCalls"]).length > 0;
    if (isNew) addMessage(session, message, message["type"] === "gemini" && !isAgents);
  }
}

/** Beginnings of texts that the program writes in the person's place. */
const PROGRAM = /^\s*<(?:session_context|hook_context|state_snapshot|environment_context)>/;
const FOLDER = /\*\*Workspace Directories:\*\*\n {0,8}- ([^\n]{1,1000})/;

/** The folder that the session began in, from what the program tells the agent of it; a sub-agent's file names its folders. */
function folderOf({ header, messages }: GeminiSession, ledger: Ledger): string | undefined {
  if (header["kind"] === "subagent") return asText(asList(header["directories"])[0]);
  for (const { message } of [...messages.values()].slice(0, 5)) {
    const found = FOLDER.exec(partsOf(message["content"], ledger).text)?.[1];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** The pieces of the session; the last one, which says nothing, is where it stands. */
export function nodesOf(
  session: GeminiSession,
  ledger: Ledger,
): { readonly nodes: readonly TalkNode[]; readonly cwd: string | undefined } {
  const cwd = folderOf(session, { ...ledger, dropped: () => {}, unknown: () => {} });
  const answered = new Set(
    [...session.messages.values()].flatMap(({ message }) =>
      recordsOf(message["toolCalls"]).flatMap((call) =>
        call["result"] === undefined ? [] : [asName(call["id"])],
      ),
    ),
  );
  const isSub = session.header["kind"] === "subagent";
  const nodes: TalkNode[] = Array.from(session.messages.values(), ({ id, parent, message, program }, at) => {
    // After its task nobody but the program speaks to a sub-agent.
    const byProgram = program || (isSub && at > 0 && message["type"] === "user");
    return { id, parent, turns: turnsOf({ message, id, program: byProgram }, { cwd, answered, ledger }) };
  });
  return { nodes: [...nodes, { id: "#end", parent: session.standing.at(-1), turns: [] }], cwd };
}

interface Reading {
  readonly cwd: string | undefined;
  /** Calls that have their result beside them. */
  readonly answered: ReadonlySet<string>;
  readonly ledger: Ledger;
}

function turnsOf(
  { message, id, program }: Pick<Kept, "message" | "id" | "program">,
  reading: Reading,
): readonly Turn[] {
  const { ledger } = reading;
  const type = asName(message["type"]);
  if (type === "gemini" && !program) return agentTurns(message, id, reading);
  if (type === "user" || program) return userTurns(message, program, reading);
  if (type === "info" || type === "warning" || type === "error")
    ledger.dropped(`messages of type ${type}`, "the program told the person, not the agent");
  else ledger.unknown(`messages of type ${type === "" ? "(none)" : type}`);
  return [];
}

function userTurns(message: JsonRecord, program: boolean, { answered, ledger }: Reading): readonly Turn[] {
  const { text: words, marks, responses } = partsOf(message["content"], ledger);
  const open = responses.filter((response) => !answered.has(asName(response["id"])));
  const results = open.map((response, at) => {
    // Pictures that tools gave stand beside the last of their answers.
    const beside = at === open.length - 1 ? marks.map((mark) => ({ text: mark })) : [];
    const whole = { ...response, parts: [...asList(response["parts"]), ...beside] };
    return resultTurn(whole, asText(response["id"]), undefined, ledger);
  });
  const text = joinLines(words, ...(responses.length > 0 ? [] : marks));
  if (text === "") return results;
  ledger.mapped("messages of type user", "question, prompts or prelude");
  const typed = partsOf(message["displayContent"] ?? "", ledger).text;
  const own: Turn = {
    kind: program || PROGRAM.test(text) ? "system" : "user",
    text: typed === "" ? text : typed,
  };
  // A command or a mentioned file is written out for the agent.
  return [...results, own, ...(typed === "" || typed === text ? [] : [{ kind: "system", text } as const])];
}

const joinLines = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n");

function agentTurns(message: JsonRecord, id: string, { cwd, ledger }: Reading): readonly Turn[] {
  const { text: words, marks, thought, calls: inContent } = partsOf(message["content"] ?? "", ledger);
  const text = joinLines(words, ...marks);
  const listed = recordsOf(message["toolCalls"]);
  const ids = new Set(listed.map((call) => call["id"]));
  const all = [...listed, ...inContent.filter((call) => !ids.has(call["id"]))];
  const calls = all.map((call) => callOf(call, cwd));
  ledger.mapped("messages of type gemini", "thoughts and actions");
  ledger.mapped("tool calls", "actions", calls.length);
  const thoughts = recordsOf(message["thoughts"]).map((one) =>
    [asText(one["subject"]), asText(one["description"])].filter((part) => part !== undefined).join(": "),
  );
  const agent: Turn = {
    kind: "agent",
    text,
    reasoning: thought === "" ? joined(...thoughts) : thought,
    calls,
    usage: usageOf(message["tokens"], ledger),
    ...(message["cut"] === true ? { ends: false } : {}),
    extra: compact({
      messageId: id,
      timestamp: asText(message["timestamp"]),
      model: asText(message["model"]),
    }),
  };
  const results = listed.flatMap((call) => resultsOf(call, ledger));
  if (calls.length === 0 && text === "" && thoughts.length === 0 && thought === "") return [];
  return [agent, ...results];
}

function callOf(call: JsonRecord, cwd: string | undefined): ToolCall {
  const name = asText(call["name"]) ?? "";
  const agent = asText(call["agentId"]);
  const ends = name === "complete_task" && call["status"] === "success";
  return {
    id: asText(call["id"]),
    name,
    args: call["args"],
    action: ends
      ? { type: CODING_FINAL, arg: reportIn(call["args"]) }
      : codingAction(GEMINI_TOOLS, name, call["args"], cwd),
    extra: agent === undefined ? undefined : { subAgents: [agent] },
  };
}

/** The report that ends a sub-agent: the one argument of the call, under a name that differs by agent. */
function reportIn(args: unknown): string {
  const [only, ...more] = Object.values(asRecord(args));
  return more.length === 0 && typeof only === "string" ? only : JSON.stringify(args ?? {});
}

const STATUS: Readonly<Record<string, boolean>> = { success: true, error: false, cancelled: false };

function resultsOf(call: JsonRecord, ledger: Ledger): readonly Turn[] {
  const status = asName(call["status"]);
  const ok = Object.hasOwn(STATUS, status) ? STATUS[status] : undefined;
  const id = asText(call["id"]);
  const { responses, text, marks } = partsOf(call["result"] ?? [], ledger);
  if (responses.length === 0 && text === "" && ok === undefined) return [];
  const [response = { response: {} }] = responses;
  // Pictures stand beside the answer.
  const beside = [text, ...marks].filter((part) => part !== "").map((part) => ({ text: part }));
  const whole = { ...response, parts: [...asList(response["parts"]), ...beside] };
  return [resultTurn({ name: call["name"], ...whole }, id, ok, ledger)];
}

function resultTurn(
  response: JsonRecord,
  callId: string | undefined,
  ok: boolean | undefined,
  ledger: Ledger,
): Turn {
  const text = responseWords(response, ledger);
  ledger.mapped("results of tools", "observations and results");
  const code = response["name"] === "run_shell_command" ? exitCodeIn(text) : undefined;
  const well = code === undefined ? (failedIn(response) ? false : ok) : code === 0 && ok !== false;
  return { kind: "result", callId, text, result: resultOf(code, well) };
}

/** The input includes cached tokens; thoughts are counted apart from the output. */
function usageOf(given: unknown, ledger: Ledger): Usage | undefined {
  const tokens = asRecord(given);
  const [input, output, thoughts, cached] = ["input", "output", "thoughts", "cached"].map((key) =>
    tokensOf(tokens, [key], ledger),
  );
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    ...(cached === undefined || cached === 0 ? {} : { cachedInputTokens: cached }),
    outputTokens: sumOfAmounts([output ?? 0, thoughts ?? 0]),
  };
}
