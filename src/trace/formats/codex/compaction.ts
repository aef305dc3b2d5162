import { contentOf } from "../chat-messages.ts";
import { codexOutput } from "../codex-output.ts";
import { asName, asText, type JsonRecord, recordsOf } from "../records.ts";
import { replyText, resultMessage, toolsText } from "../talk.ts";
import { toolsIn } from "./items.ts";
import { addWords, closeResponse, type Response, type Rollout, segmentOf } from "./rollout.ts";

/** A summary took the place of what was said before it; the model reads what the line tells from now on. */
export function readCompacted(rollout: Rollout, payload: JsonRecord): void {
  closeResponse(rollout);
  const message = asText(payload["message"]) ?? "";
  rollout.ledger.mapped("lines of type compacted", "observations, and prompts from there on");
  takeSummary(rollout, message);
  const history = payload["replacement_history"];
  rollout.talk.replace(Array.isArray(history));
  for (const item of recordsOf(history)) sayAgain(rollout, item);
  if (message === "") return;
  addWords(rollout, message, false);
  if (!Array.isArray(history)) rollout.talk.say("user", message);
}

/** The reply that is the summary is no step: nothing was done, and nobody was told. */
function takeSummary(rollout: Rollout, message: string): void {
  const { entries } = segmentOf(rollout);
  const last = entries.at(-1);
  if (last?.kind !== "response" || !isSummary(last, message)) return;
  entries.pop();
  rollout.latest = undefined;
}

function isSummary({ texts, calls }: Response, message: string): boolean {
  return calls.length === 0 && texts.length > 0 && message.includes(texts.join("\n"));
}

/** An item that the model reads again after the summary. */
function sayAgain({ talk }: Rollout, item: JsonRecord): void {
  const type = asName(item["type"]);
  const { text } = contentOf(item["content"]);
  if (type === "message") talk.say(roleOf(item["role"]), text);
  else if (type === "agent_message") talk.say("user", text);
  else if (type === "additional_tools") talk.offer(toolsText(toolsIn(item["tools"])));
  else if (type === "function_call" || type === "custom_tool_call") {
    const call = { name: asText(item["name"]) ?? "", args: item["arguments"] ?? item["input"] };
    talk.say("assistant", replyText({ text: "", calls: [call] }));
  } else if (type.endsWith("_output")) {
    talk.say("user", resultMessage(codexOutput(item["output"]).text));
  }
}

const roleOf = (role: unknown): "system" | "user" | "assistant" =>
  role === "user" || role === "assistant" ? role : "system";
