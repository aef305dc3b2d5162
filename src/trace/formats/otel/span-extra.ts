import { dateText, type Span } from "./span.ts";

/** Attributes that hold what was said: they are read, and kept nowhere else. */
const TALK =
  /^(?:gen_ai\.(?:system_instructions|(?:input|output)\.messages|tool\.(?:definitions|call\.(?:arguments|result))|(?:prompt|completion)(?:\.\d.*)?)|ai\.(?:prompt|prompt\.(?:messages|tools)|(?:response|result)\.(?:text|reasoning|toolCalls|object)|toolCall\.(?:args|result))|llm\.(?:(?:input|output)_messages|prompts|choices|tools|request\.functions)\..*|(?:input|output)\.value|traceloop\.entity\.(?:input|output)|langfuse\.observation\.(?:input|output)|copilot_chat\.(?:user_request|reasoning_content)|tool_(?:arguments|response)|gcp\.vertex\.agent\.(?:llm_request|llm_response|tool_call_args|tool_response))$/;

/** Of these, the ones that tell what a model was told or said. */
const MESSAGES =
  /^(?:gen_ai\.(?:(?:input|output)\.messages|(?:prompt|completion)(?:\.\d.*)?)|ai\.prompt\.messages|ai\.(?:response|result)\.(?:text|toolCalls|object)|llm\.(?:input|output)_messages\..*|llm\.(?:prompts|choices)\..*|(?:input|output)\.value|langfuse\.observation\.(?:input|output)|gcp\.vertex\.agent\.llm_re(?:quest|sponse))$/;

const isTold = (name: string): boolean =>
  /^gen_ai\.(?:\w+\.message|choice|content\.|client\.inference)/.test(name);

/** Whether a chat span tells what was said at all. */
export function hasTalk(span: Span | undefined): boolean {
  if (span === undefined) return false;
  if (span.events.some(({ name }) => isTold(name))) return true;
  return Object.keys(span.attributes).some((key) => MESSAGES.test(key));
}

/** A span for `extra`, without what is read of it. */
export function extraOf(span: Span): Record<string, unknown> {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([key]) => !TALK.test(key)));
  return { ...frameOf(span), attributes, ...eventsOf(span) };
}

/** A span for `extra` of which nothing is read. */
export function wholeExtraOf(span: Span): Record<string, unknown> {
  return { ...frameOf(span), attributes: span.attributes, ...eventsOf(span) };
}

function frameOf({ spanId, parentId, name, start, rest }: Span): Record<string, unknown> {
  const date = dateText(start);
  return {
    spanId,
    name,
    ...(date === undefined ? {} : { start: date }),
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    ...rest,
  };
}

function eventsOf({ events }: Span): Record<string, unknown> {
  const kept = events.filter(({ name }) => !isTold(name));
  return kept.length === 0 ? {} : { events: kept };
}
