import { errorIn, loggedCall } from "./logged-call.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";
import { isItem } from "./responses-items.ts";

const EVENT = /^response\.[a-z_]+(?:\.[a-z_]+)*$/;
const ENDS = /^response\.(?:completed|incomplete|failed)$/;

/** An event of a streamed response, on a line of its own. */
export const isEvent = (value: unknown): value is JsonRecord =>
  isRecord(value) &&
  EVENT.test(asName(value["type"])) &&
  ("response" in value || "sequence_number" in value || "item" in value || "output_index" in value);

const isResponse = (value: unknown): value is JsonRecord =>
  isRecord(value) &&
  Array.isArray(value["output"]) &&
  (value["object"] === "response" || recordsOf(value["output"]).some(isItem));

export const isInput = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.some((item) => isItem(item) || (isRecord(item) && typeof item["role"] === "string"));

/** A value of the Responses API: items, a response, a request with items or with its response, or an event of a stream. */
export function isResponses(value: unknown): boolean {
  if (isEvent(value) || isItem(value)) return true;
  if (Array.isArray(value)) return value.some(isItem) || isCall(value[0]);
  return isCall(value);
}

export function isCall(value: unknown): boolean {
  if (!isRecord(value) || "messages" in value) return false;
  if (isResponse(value)) return true;
  const { request, response } = loggedCall(value);
  const input = request["input"] ?? value["input"];
  if (isResponse(response)) return true;
  return isInput(input) && asList(input).some(isItem) && !("messages" in request);
}

/** One call of the model: what was new in it, and what came back. */
export interface Exchange {
  readonly line: number;
  readonly id: string | undefined;
  readonly previous: string | undefined;
  readonly body: JsonRecord;
  readonly response: JsonRecord;
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
  readonly error: string | undefined;
}

/** The value is a request with something to answer. */
export const isRequest = (value: JsonRecord): boolean => {
  const input = loggedCall(value).request["input"] ?? value["input"];
  return typeof input === "string" || isInput(input);
};

/** Items that no call holds. */
export const itemsAlone = (input: readonly unknown[], line: number): Exchange => ({
  line,
  id: undefined,
  previous: undefined,
  body: {},
  response: {},
  input,
  output: [],
  error: undefined,
});

/** The call that a row holds, in whatever envelope. */
export function exchangeOf(value: JsonRecord, line: number): Exchange {
  const call = loggedCall(value);
  const own = Array.isArray(value["output"]);
  const response = own ? value : (call.response ?? {});
  const body = { ...call.row, ...(own ? without(value, ["output"]) : {}), ...call.request };
  const input = body["input"] ?? value["input"];
  return {
    line,
    id: asText(response["id"]),
    previous: asText(body["previous_response_id"]) ?? asText(response["previous_response_id"]),
    body: { ...without(response, ["output", "input"]), ...body },
    response,
    input: typeof input === "string" ? [{ role: "user", content: input }] : asList(input),
    output: asList(response["output"]),
    error: errorIn({ ...call, response }),
  };
}

/** The response that the events of a stream make; one that did not end is made of the items that did. */
export function responseOfEvents(events: readonly JsonRecord[]): {
  readonly response: JsonRecord;
  readonly ended: boolean;
} {
  const last = asRecord(events.findLast(({ response }) => isRecord(response))?.["response"]);
  const done = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  const ended = events.some(endsStream);
  const output = asList(last["output"]).length > 0 ? last["output"] : done;
  return { response: { ...last, output, ...(ended ? {} : { status: "in_progress" }) }, ended };
}

export const endsStream = ({ type }: JsonRecord): boolean => ENDS.test(asName(type));

/** The calls of batches whose requests and answers stand apart, each made one by the id that both have. */
export function joinBatches(exchanges: readonly Exchange[]): readonly Exchange[] {
  const asked = new Map<string, Exchange>();
  const nameOf = ({ body }: Exchange): string | undefined => asText(body["custom_id"]);
  for (const one of exchanges) {
    const id = nameOf(one);
    if (id !== undefined && one.input.length > 0 && one.output.length === 0 && one.error === undefined)
      asked.set(id, one);
  }
  const joined = exchanges.map((one) => {
    const request = one.input.length > 0 ? undefined : asked.get(nameOf(one) ?? "");
    if (request === undefined) return one;
    asked.delete(nameOf(one) ?? "");
    return {
      ...one,
      body: { ...one.body, ...request.body },
      input: request.input,
      previous: request.previous,
    };
  });
  const answered = new Set(
    joined.flatMap((one) => (one.output.length > 0 || one.error !== undefined ? [nameOf(one)] : [])),
  );
  return joined.filter(
    (one) => one.output.length > 0 || one.error !== undefined || !answered.has(nameOf(one) ?? ""),
  );
}
