import { type Episode, episodeSchema, type Outcome, type Step } from "../../model/episode.ts";
import type { Usage } from "../../model/usage.ts";
import { isEpisodeSchema } from "../episode-head.ts";
import { fromEpisode1 } from "../episode-v1.ts";
import { hashText } from "../hash.ts";
import { parsePrompt, type StoredPrompt } from "../message-reader.ts";
import { packStep, stepsMade } from "./atif-residue.ts";
import { contentOf } from "./chat-messages.ts";
import { episodeOf } from "./conversation.ts";
import type { ReadEpisode, Turn } from "./turn.ts";
import {
  type FormatProblem,
  type FormatReader,
  type FormatResult,
  NOTHING,
  one,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { amountOf, tokensOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
  asName,
} from "./records.ts";

/** A trajectory in the Agent Trajectory Interchange Format, of any version. */
export function isAtif(value: unknown): boolean {
  return isRecord(value) && asText(value["schema_version"])?.startsWith("ATIF") === true;
}

const SOURCES = new Set(["system", "user", "agent"]);

/** ATIF: one trajectory a document, or one a line. */
export function atifReader(options: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    if (!isAtif(value)) return refuse(line, "there is no `schema_version` of ATIF.", "Check the file.");
    const document = asRecord(value);
    const restored = restore(document);
    if (restored !== undefined) {
      options.ledger.mapped("extra.hasp", "the episode as HASP wrote it");
      return { ...one({ episode: restored }), messages: storedIn(document) };
    }
    const steps = recordsOf(document["steps"]);
    if (!steps.some((step) => step["source"] === "agent"))
      return refuse(
        line,
        "no step has the source `agent`, so there is nothing to step through.",
        "Check `steps`.",
      );
    return one(importDocument(document, steps, options), problemsOf(document, line));
  }
  return { read, end: () => NOTHING };
}

function problemsOf(document: JsonRecord, line: number): FormatProblem[] {
  const wrong = asList(document["steps"]).flatMap((step, index) => {
    const source = isRecord(step) ? step["source"] : undefined;
    return typeof source === "string" && SOURCES.has(source) ? [] : [index + 1];
  });
  if (wrong.length === 0) return [];
  const message = `steps ${wrong.slice(0, 5).join(", ")} have no source \`system\`, \`user\` or \`agent\` and are no steps of the episode.`;
  return [warning(line, message, "They are kept in extra.")];
}

function importDocument(
  document: JsonRecord,
  steps: readonly JsonRecord[],
  options: ReaderOptions,
): ReadEpisode {
  const { ledger, name } = options;
  const id = asText(document["trajectory_id"]) ?? asText(document["session_id"]);
  const agent = asRecord(document["agent"]);
  const finished =
    document["continued_trajectory_ref"] === undefined || document["continued_trajectory_ref"] === null;
  const turns = steps.flatMap((step, at) => turnsOf(step, finished && at === steps.length - 1, ledger));
  const unread = asList(document["steps"]).filter((step) => !isRecord(step));
  const others = steps.flatMap((step, at) => (step["source"] === "agent" ? [] : [{ at, step }]));
  const kept = without(document, ["steps"]);
  for (const key of Object.keys(kept)) ledger.kept(key, "extra of the episode");
  const subagents = asList(document["subagent_trajectories"]).length;
  if (subagents > 0)
    ledger.kept("trajectories of subagents", "extra of the episode, not as episodes", subagents);
  const { episode, prompts } = episodeOf({
    id: id ?? `${name}-${hashText(JSON.stringify(document))}`,
    source: "atif",
    turns,
    outcome: outcomeOf(document, ledger),
    stopReason: finished ? undefined : "halted",
    settings: compact({
      model: asText(agent["model_name"]),
      agent: asText(agent["name"]),
      agentVersion: asText(agent["version"]),
    }),
    cost: costOf(document, ledger),
    extra: { atif: compact({ document: kept, others, unread: unread.length === 0 ? undefined : unread }) },
  });
  return { episode: { ...episode, steps: withResidues(episode.steps, steps) }, prompts };
}

/** `extra.reward` is the verifier's score: 1 is right, 0 is wrong, anything between is no verdict. */
function outcomeOf(document: JsonRecord, ledger: Ledger): Outcome {
  const reward = asRecord(document["extra"])["reward"];
  if (reward !== 0 && reward !== 1) return "unjudged";
  ledger.mapped("extra.reward", "outcome");
  return reward === 1 ? "correct" : "wrong";
}

function turnsOf(step: JsonRecord, ends: boolean, ledger: Ledger): Turn[] {
  const { text } = contentOf(step["message"]);
  const results = recordsOf(asRecord(step["observation"])["results"]);
  const said: Turn[] = results.map((result) => ({
    kind: "result",
    callId: asText(result["source_call_id"]),
    text: contentOf(result["content"]).text,
  }));
  ledger.mapped("observation.results", "observations", results.length);
  if (step["source"] !== "agent") {
    ledger.mapped(`steps of the ${asName(step["source"])}`, "question, prelude or observations, and extra");
    const kind = step["source"] === "user" ? "user" : "system";
    return SOURCES.has(asName(step["source"])) ? [{ kind, text }, ...said] : [];
  }
  const calls = recordsOf(step["tool_calls"]).map((call) => ({
    id: asText(call["tool_call_id"]),
    name: asText(call["function_name"]) ?? "",
    args: call["arguments"],
  }));
  ledger.mapped("steps of the agent", "thoughts of steps");
  ledger.mapped("tool_calls", "actions of steps", calls.length);
  if (isRecord(step["metrics"])) ledger.mapped("metrics", "usage of steps, and extra");
  const usage = usageOf(step["metrics"], ledger);
  const timestamp = asText(step["timestamp"]);
  const reasoning = asText(step["reasoning_content"]) ?? "";
  return [{ kind: "agent", text, reasoning, calls, ends, usage, extra: compact({ timestamp }) }, ...said];
}

function usageOf(metrics: unknown, ledger: Ledger): Usage | undefined {
  return tokens(asRecord(metrics), ["prompt_tokens", "completion_tokens", "cost_usd"], ledger);
}

function costOf(document: JsonRecord, ledger: Ledger): Usage | undefined {
  const keys = ["total_prompt_tokens", "total_completion_tokens", "total_cost_usd"] as const;
  return tokens(asRecord(document["final_metrics"]), keys, ledger);
}

/** `keys`: of the tokens in, the tokens out, and the dollars. */
function tokens(
  given: JsonRecord,
  [input, output, dollars]: readonly [string, string, string],
  ledger: Ledger,
): Usage | undefined {
  const inputTokens = tokensOf(given, [input], ledger);
  const outputTokens = tokensOf(given, [output], ledger);
  const cost = amountOf(given, [dollars], ledger);
  if (inputTokens === undefined && outputTokens === undefined && cost === undefined) return undefined;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cost === undefined ? {} : { cost }),
  };
}

function withResidues(made: readonly Step[], steps: readonly JsonRecord[]): Step[] {
  const result: Step[] = [];
  steps.forEach((step, at) => {
    if (step["source"] !== "agent") return;
    const group = made.slice(result.length, result.length + stepsMade(step));
    const residue = packStep(step, at, group);
    result.push(
      ...group.map((one, i) => (i === 0 ? { ...one, extra: { ...one.extra, atif: residue } } : one)),
    );
  });
  return result;
}

function haspOf(document: JsonRecord): JsonRecord {
  return asRecord(asRecord(document["extra"])["hasp"]);
}

/** The messages that HASP put into a document; a damaged one is left out. */
function storedIn(document: JsonRecord): StoredPrompt[] {
  return asList(haspOf(document)["messages"]).flatMap((one) => parsePrompt(one) ?? []);
}

/** An episode that HASP itself exported, from `extra.hasp`. Undefined where there is none, or it was changed since. */
function restore(document: JsonRecord): Episode | undefined {
  const hasp = haspOf(document);
  const { schema } = hasp;
  if (typeof schema !== "string" || !isEpisodeSchema(schema)) return undefined;
  const steps = recordsOf(document["steps"]).flatMap(restoreSteps);
  const parsed = episodeSchema.safeParse(
    fromEpisode1({ ...without(hasp, ["loneSurrogates", "messages"]), steps }),
  );
  const fits = parsed.success && parsed.data.length === steps.length;
  return fits && parsed.data.steps.every((step, t) => step.t === t) ? parsed.data : undefined;
}

function restoreSteps(step: JsonRecord): unknown[] {
  const results = recordsOf(asRecord(step["observation"])["results"]).filter(
    (result) => !("hasp" in asRecord(result["extra"])),
  );
  const ids = recordsOf(step["tool_calls"]).map((call) => call["tool_call_id"]);
  return recordsOf(asRecord(asRecord(step["extra"])["hasp"])["steps"]).map((made, i) => {
    const own = ids.length === 0 ? results[0] : results.find((result) => result["source_call_id"] === ids[i]);
    return { ...made, observation: asText(own?.["content"]) ?? "" };
  });
}
