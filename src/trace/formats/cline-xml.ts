import { elementIn } from "./elements.ts";
import { asList, asName, asRecord, asText, type JsonRecord, recordsOf } from "./records.ts";

/** Tools that Cline and Roo Code ask models to call with elements in their text. */
const TOOLS = new Set(
  (
    "execute_command read_file write_to_file replace_in_file apply_diff insert_content search_and_replace edit_file search_files list_files " +
    "list_code_definition_names codebase_search browser_action use_mcp_tool access_mcp_resource ask_followup_question attempt_completion " +
    "new_task switch_mode update_todo_list fetch_instructions plan_mode_respond web_fetch web_search new_rule condense run_slash_command"
  ).split(" "),
);
const TAG = /<([a-z_]{2,40})>/g;

/** A call that stands as an element in a text, and the words before it. */
interface XmlCall {
  readonly before: string;
  readonly name: string;
  readonly input: Record<string, string>;
}

/** The last parameter may hold elements of its own, so its end is the last one. */
const LONG = new Set(["content", "diff", "result", "args", "arguments", "text", "operations"]);

/** The first tool that a text calls; undefined where it calls none. */
export function xmlCallIn(text: string): XmlCall | undefined {
  for (const { 1: name = "", index, 0: tag } of text.matchAll(TAG)) {
    if (!TOOLS.has(name)) continue;
    const end = text.lastIndexOf(`</${name}>`);
    const inside = text.slice(index + tag.length, end < index ? text.length : end);
    return { before: text.slice(0, index).trim(), name, input: paramsIn(inside) };
  }
  return undefined;
}

function paramsIn(text: string): Record<string, string> {
  const params: [string, string][] = [];
  /** Offset of the last end of each element: one without a further end is not searched again. */
  const lasts = new Map<string, number>();
  let at = 0;
  for (const { 1: key = "", index, 0: tag } of text.matchAll(TAG)) {
    if (index < at) continue;
    const close = `</${key}>`;
    const last = lasts.get(key) ?? text.lastIndexOf(close);
    lasts.set(key, last);
    if (last < index) continue;
    const end = LONG.has(key) ? last : text.indexOf(close, index);
    params.push([key, text.slice(index + tag.length, end).replace(/^\n|\n$/g, "")]);
    at = end + close.length;
  }
  return Object.fromEntries(params);
}

/** Elements in which the person speaks. */
const SAID = ["task", "user_message", "feedback", "answer"];

/**
 * The messages with calls in elements as blocks, and with what the program answers in the person's place as the results of them. What the
 * person says stands in elements, too.
 */
export function withBlocks(messages: readonly unknown[]): readonly unknown[] {
  let open: string | undefined;
  let count = 0;
  return messages.map((given) => {
    const message = asRecord(given);
    const blocks = textsIn(message["content"]);
    if (message["role"] === "assistant") {
      const calls = recordsOf(blocks).some(({ type }) => type === "tool_use");
      const last = calls
        ? -1
        : blocks.findLastIndex((block) => xmlCallIn(asText(block["text"]) ?? "") !== undefined);
      const call = last === -1 ? undefined : xmlCallIn(asText(blocks[last]?.["text"]) ?? "");
      open = call === undefined ? undefined : `xml-${++count}`;
      if (call === undefined) return message;
      const { before, name, input } = call;
      return {
        ...message,
        content: [
          ...blocks.slice(0, last),
          ...(before === "" ? [] : [{ type: "text", text: before }]),
          { type: "tool_use", id: open, name, input },
        ],
      };
    }
    if (message["role"] !== "user") return message;
    const id = open;
    open = undefined;
    return { ...message, content: id === undefined ? blocks.map(unwrapped) : withResult(blocks, id) };
  });
}

const textsIn = (content: unknown): readonly JsonRecord[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : asList(content).map(asRecord);

/** The words of the person without the element that they stand in. */
function unwrapped(block: JsonRecord): JsonRecord {
  const text = asText(block["text"]) ?? "";
  const alone = SAID.map((name) => elementIn(text, name)).find(
    (element) => element !== undefined && element.before.trim() === "" && element.after.trim() === "",
  );
  return alone === undefined ? block : { type: "text", text: alone.inside };
}

/** The blocks after a call are its result, except the program's notes on its surroundings. Words of the person in them also count as theirs. */
function withResult(blocks: readonly JsonRecord[], id: string): readonly JsonRecord[] {
  const isProgram = (block: JsonRecord): boolean =>
    /^\s*<environment_details>/.test(asText(block["text"]) ?? "");
  const answer = blocks.filter((block) => !isProgram(block));
  const said = answer.flatMap((block) =>
    SAID.slice(1).flatMap((name) => elementIn(asName(block["text"]), name)?.inside ?? []),
  );
  return [
    { type: "tool_result", tool_use_id: id, content: answer },
    ...said.map((text) => ({ type: "text", text })),
    ...blocks.filter(isProgram),
  ];
}
