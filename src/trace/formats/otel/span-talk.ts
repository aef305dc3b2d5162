import { addAll } from "../add-all.ts";
import { parseJson } from "../../../model/read-json.ts";
import { asList, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { indexedEntries, nestedAt } from "./indexed.ts";
import {
  instructionsOf,
  joinedMessage,
  type Message,
  messageOf,
  messagesOf,
  plainMessage,
} from "./messages.ts";
import { type Notes, parsedAttribute } from "./notes.ts";
import { resultText } from "./parts.ts";
import { textAt, type Span, valueAt } from "./span.ts";

/** What a model was told, and what it said. */
export interface SpanTalk {
  readonly system: readonly Message[];
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly tools: readonly unknown[];
  /** The attributes of the request, or those of the reply, break off. */
  readonly inputCut: boolean;
  readonly outputCut: boolean;
}

const NO_TALK: SpanTalk = {
  system: [],
  input: [],
  output: [],
  tools: [],
  inputCut: false,
  outputCut: false,
};

/** Conventions besides OpenTelemetry's own attributes; the first that tells any message is read. */
const DIALECTS: readonly ((span: Span, notes: Notes) => SpanTalk)[] = [
  genAiEvents,
  vercel,
  openInference,
  flatGenAi,
  plainValues,
];

const DETAILS = "gen_ai.client.inference.operation.details";

/** What was said to the model and by it. */
export function talkOf(span: Span, notes: Notes): SpanTalk {
  const own = genAi(span, notes);
  if (own.input.length + own.output.length > 0) return own;
  for (const dialect of DIALECTS) {
    const talk = dialect(span, notes);
    if (talk.input.length + talk.output.length === 0) continue;
    const { system, tools } = own;
    return {
      ...talk,
      system: [...system, ...talk.system],
      tools: talk.tools.length > 0 ? talk.tools : tools,
    };
  }
  return own;
}

/** OpenTelemetry's own: attributes of the span or of its event with the details. */
function genAi(span: Span, notes: Notes): SpanTalk {
  const details = span.events.find((event) => event.name === DETAILS)?.attributes;
  const read = (name: string): ReturnType<typeof parsedAttribute> =>
    parsedAttribute(span.attributes[name] ?? details?.[name], name, notes);
  const system = read("gen_ai.system_instructions");
  const input = read("gen_ai.input.messages");
  const output = read("gen_ai.output.messages");
  const tools = read("gen_ai.tool.definitions");
  const said = messagesOf(output.value, "assistant", notes);
  const thought = textAt(span, "copilot_chat.reasoning_content");
  return {
    system: instructionsOf(system.value, notes),
    input: messagesOf(input.value, "user", notes),
    output: thought === undefined ? said : withThought(said, thought),
    tools: asList(tools.value),
    inputCut: system.cut || input.cut || tools.cut,
    outputCut: output.cut,
  };
}

/** The thought of VS Code stands beside the messages. */
function withThought(said: readonly Message[], thought: string): readonly Message[] {
  const [first, ...more] = said;
  return first === undefined || first.reasoning !== "" ? said : [{ ...first, reasoning: thought }, ...more];
}

/** One event a message, as the conventions had it before the attributes. */
function genAiEvents(span: Span, notes: Notes): SpanTalk {
  const system: Message[] = [];
  const input: Message[] = [];
  const output: Message[] = [];
  for (const { name, attributes } of span.events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (role === "system") addAll(system, messagesOf(resultText(attributes["content"]), "system", notes));
    else if (role !== undefined)
      input.push(messageOf({ role, ...readable(attributes, notes) }, "user", notes));
    else if (name === "gen_ai.choice") output.push(choiceOf(attributes, notes));
    else if (name === "gen_ai.content.prompt")
      addAll(input, messagesOf(jsonAt(attributes, "gen_ai.prompt", notes), "user", notes));
    else if (name === "gen_ai.content.completion")
      addAll(output, messagesOf(jsonAt(attributes, "gen_ai.completion", notes), "assistant", notes));
  }
  return { ...NO_TALK, system, input, output };
}

const jsonAt = (attributes: JsonRecord, name: string, notes: Notes): unknown =>
  parsedAttribute(attributes[name], name, notes).value;

/** Lists within event attributes come as JSON text where the exporter knows only flat values. */
function readable(attributes: JsonRecord, notes: Notes): JsonRecord {
  return { ...attributes, tool_calls: jsonAt(attributes, "tool_calls", notes) };
}

function choiceOf(attributes: JsonRecord, notes: Notes): Message {
  const inner = jsonAt(attributes, "message", notes);
  const message = isRecord(inner) ? inner : { content: inner ?? attributes["content"] };
  const calls = jsonAt(message["tool_calls"] === undefined ? attributes : message, "tool_calls", notes);
  const read = messageOf({ role: "assistant", ...message, tool_calls: calls }, "assistant", notes);
  return { ...read, finish: asText(attributes["finish_reason"]) ?? read.finish };
}

/** Vercel's AI SDK, versions 3 to 6, and the one of version 7 that keeps to their attributes. */
function vercel(span: Span, notes: Notes): SpanTalk {
  const messages = parsedAttribute(span.attributes["ai.prompt.messages"], "ai.prompt.messages", notes);
  const prompt = parsedAttribute(span.attributes["ai.prompt"], "ai.prompt", notes);
  const { system, prompt: words, messages: listed } = asRecord(prompt.value);
  const calls = valueAt(span, "ai.response.toolCalls", "ai.result.toolCalls");
  const parsed = parsedAttribute(calls, "ai.response.toolCalls", notes);
  const text = textAt(span, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object");
  const reasoning = textAt(span, "ai.response.reasoning");
  const tools = asList(span.attributes["ai.prompt.tools"]).map(
    (tool) => parsedAttribute(tool, "ai.prompt.tools", notes).value,
  );
  const said = messageOf(
    { role: "assistant", content: text, tool_calls: parsed.value, reasoning },
    "assistant",
    notes,
  );
  const isSaid = text !== undefined || reasoning !== undefined || said.calls.length > 0;
  const finish = textAt(span, "ai.response.finishReason", "ai.finishReason");
  return {
    ...NO_TALK,
    system: instructionsOf(system, notes),
    input: messagesOf(messages.value ?? listed ?? words, "user", notes),
    output: isSaid ? [{ ...said, finish }] : [],
    tools,
    inputCut: messages.cut || prompt.cut,
    outputCut: parsed.cut,
  };
}

/** OpenInference: one attribute a field of each message. */
function openInference(span: Span, notes: Notes): SpanTalk {
  const { attributes } = span;
  const read = (name: string, role: Message["role"]): readonly Message[] =>
    indexedEntries(nestedAt(attributes, name)).map((entry) =>
      messageOf(openInferenceMessage(asRecord(asRecord(entry)["message"])), role, notes),
    );
  const texts = (name: string, key: string, role: Message["role"]): readonly Message[] =>
    indexedEntries(nestedAt(attributes, name)).flatMap((entry) =>
      messagesOf(asRecord(asRecord(entry)[key])["text"], role, notes),
    );
  const finish = textAt(span, "llm.finish_reason");
  const output = [
    ...read("llm.output_messages", "assistant"),
    ...texts("llm.choices", "completion", "assistant"),
  ];
  return {
    ...NO_TALK,
    input: [...read("llm.input_messages", "user"), ...texts("llm.prompts", "prompt", "user")],
    output: output.map((message) => ({ ...message, finish: message.finish ?? finish })),
    tools: indexedEntries(nestedAt(attributes, "llm.tools")).map(
      (entry) => parsedAttribute(asRecord(asRecord(entry)["tool"])["json_schema"], "llm.tools", notes).value,
    ),
  };
}

function openInferenceMessage(message: JsonRecord): JsonRecord {
  const entries = indexedEntries(message["contents"]).map(asRecord);
  const contents = entries.filter((entry) => entry["tool_call"] === undefined);
  const listed = indexedEntries(message["tool_calls"]).map(asRecord);
  // What is there twice is told once: calls among the contents stand in a list of their own as well.
  const calling = listed.length > 0 ? listed : entries.filter((entry) => entry["tool_call"] !== undefined);
  const calls = calling.map((entry) => asRecord(entry["tool_call"]));
  const legacy = asText(message["function_call_name"]);
  const called = { name: legacy, arguments: message["function_call_arguments_json"] };
  return {
    ...message,
    contents: undefined,
    content:
      entries.length > 0
        ? contents.map((entry) => openInferencePart(asRecord(entry["message_content"])))
        : message["content"],
    tool_calls: legacy === undefined ? calls : [...calls, called],
  };
}

const openInferencePart = (part: JsonRecord): JsonRecord => ({
  ...part,
  url: asRecord(asRecord(part["image"])["image"])["url"],
});

/** `gen_ai.prompt.0.role`, `gen_ai.completion.0.content`: one attribute a field, as OpenLLMetry (Traceloop) wrote it. */
function flatGenAi(span: Span, notes: Notes): SpanTalk {
  const read = (prefix: string, role: Message["role"]): readonly Message[] => {
    const nested = nestedAt(span.attributes, prefix);
    if (nested === undefined) return messagesOf(jsonAt(span.attributes, prefix, notes), role, notes);
    return indexedEntries(nested).map((entry) => {
      const message = asRecord(entry);
      return messageOf({ ...message, tool_calls: indexedEntries(message["tool_calls"]) }, role, notes);
    });
  };
  const functions = indexedEntries(nestedAt(span.attributes, "llm.request.functions"));
  return {
    ...NO_TALK,
    input: read("gen_ai.prompt", "user"),
    output: read("gen_ai.completion", "assistant"),
    tools: functions.map((entry) => ({ ...asRecord(entry) })),
  };
}

const INPUTS = [
  "langfuse.observation.input",
  "input.value",
  "traceloop.entity.input",
  "gcp.vertex.agent.llm_request",
];
const OUTPUTS = [
  "langfuse.observation.output",
  "output.value",
  "traceloop.entity.output",
  "gcp.vertex.agent.llm_response",
];

/** The whole request and the whole reply as one attribute each: Langfuse, Google's ADK, and OpenInference where it knows no messages. */
function plainValues(span: Span, notes: Notes): SpanTalk {
  const input = parsedAttribute(valueAt(span, ...INPUTS), "input.value", notes);
  const output = parsedAttribute(valueAt(span, ...OUTPUTS), "output.value", notes);
  const request = asRecord(input.value);
  const response = asRecord(output.value);
  const config = asRecord(request["config"]);
  const replies = Array.isArray(response["choices"]) ? response["choices"] : contentOf(response);
  return {
    ...NO_TALK,
    system: instructionsOf(config["system_instruction"], notes),
    input: messagesOrText(request["messages"] ?? request["contents"] ?? input.value, "user", notes),
    output: messagesOrText(replies ?? output.value, "assistant", notes),
    tools: asList(request["tools"] ?? config["tools"]),
    inputCut: input.cut,
    outputCut: output.cut,
  };
}

/** Google has the messages of a response in `candidates`, or one in its `content`. */
function contentOf({ content, candidates }: JsonRecord): unknown {
  if (Array.isArray(candidates)) return candidates.map((candidate) => asRecord(candidate)["content"]);
  return isRecord(content) && Array.isArray(content["parts"]) ? content : undefined;
}

function messagesOrText(value: unknown, role: Message["role"], notes: Notes): readonly Message[] {
  const first = asRecord(Array.isArray(value) ? value[0] : value);
  if (typeof value === "string" || isMessage(first)) return messagesOf(value, role, notes);
  // Google's ADK writes `{}` where it records no contents.
  const isNothing =
    value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
  return isNothing ? [] : [plainMessage(role, resultText(value))];
}

const isMessage = (value: JsonRecord): boolean =>
  typeof value["role"] === "string" ||
  isRecord(value["message"]) ||
  typeof value["content"] === "string" ||
  Array.isArray(value["parts"]);

/** Why the model stopped, once for each of its replies. */
export function finishReasons(span: Span): readonly unknown[] {
  const given = span.attributes["gen_ai.response.finish_reasons"];
  return asList(typeof given === "string" ? parseJson(given) : given);
}

/**
 * What the model said, and other replies that it was asked for besides. Messages that are no choices of their own are pieces of one
 * reply: only one of them says how the reply ended.
 */
export function repliesOf(
  span: Span,
  output: readonly Message[],
): {
  readonly said: Message | undefined;
  readonly others: readonly Message[];
} {
  const [first, ...more] = output;
  const reasons = finishReasons(span).length;
  const ended = Math.max(reasons, output.filter(({ finish }) => finish !== undefined).length);
  const asked = Number(valueAt(span, "gen_ai.request.choice.count") ?? 1);
  if (more.length === 0 || asked > 1 || ended > 1) return { said: first, others: more };
  return { said: joinedMessage(output), others: [] };
}
