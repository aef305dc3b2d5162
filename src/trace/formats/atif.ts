import { type Episode, episodeSchema, type Origin, type Outcome, type Step } from "../../model/episode.ts";
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

/** The newest version, of Harbor 0.26.0: with audio in messages. */
const NEWEST = 8;
const VERSION = /^ATIF-v1\.(\d{1,4})$/;

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
    if (!hasAgent(document))
      return refuse(
        line,
        "no step has the source `agent`, so there is nothing to step through.",
        "Check `steps`.",
      );
    const problems = [...versionProblems(document, line), ...problemsOf(document, line)];
    return { episodes: importAll(document, options), problems };
  }
  return { read, end: () => NOTHING };
}

const hasAgent = ({ steps }: JsonRecord): boolean =>
  recordsOf(steps).some((step) => step["source"] === "agent");

function versionProblems(document: JsonRecord, line: number): FormatProblem[] {
  const version = asName(document["schema_version"]).slice(0, 40);
  const minor = VERSION.exec(version)?.[1];
  if (minor !== undefined && Number(minor) <= NEWEST) return [];
  const message = `the version ${JSON.stringify(version)} is none of ATIF-v1.0 to ATIF-v1.${NEWEST}; it is read as the newest of them.`;
  return [warning(line, message, "Check the steps; report a newer version of ATIF with an example.")];
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

/** A trajectory that is to be read, and the episode whose step called its agent. */
interface Waiting {
  readonly document: JsonRecord;
  readonly id: string | undefined;
  readonly origin: Origin | undefined;
}

/** The episode of a document, and those of the trajectories of sub-agents in it. */
function importAll(document: JsonRecord, options: ReaderOptions): readonly ReadEpisode[] {
  const { ledger } = options;
  const made: ReadEpisode[] = [];
  const waiting: Waiting[] = [{ document, id: undefined, origin: undefined }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const read = importDocument(next, options);
    // As the import writes it.
    const id = read.episode.id.trim();
    const called = callsOfAgents(next.document);
    const subAgents = new Map<number, string[]>();
    for (const inner of recordsOf(next.document["subagent_trajectories"])) {
      if (!hasAgent(inner)) {
        ledger.kept("trajectories of sub-agents without a step of an agent", "extra of the episode");
        continue;
      }
      ledger.mapped("subagent_trajectories", "episodes of their own, and extra");
      const name = asText(inner["trajectory_id"])?.trim() || hashText(JSON.stringify(inner));
      const t = called.get(asName(inner["trajectory_id"]));
      const own = `${id}~${name}`;
      if (t !== undefined) subAgents.set(t, [...(subAgents.get(t) ?? []), own]);
      const origin: Origin = { as: "sub_agent", episode: id, ...(t === undefined ? {} : { t }) };
      waiting.push({ document: inner, id: own, origin });
    }
    made.push(namingAgents(read, subAgents));
  }
  return made;
}

/** Steps of the episode (from 0) that called the agents of other trajectories, by the ids of those. */
function callsOfAgents({ steps }: JsonRecord): ReadonlyMap<string, number> {
  const called = new Map<string, number>();
  let t = 0;
  for (const step of recordsOf(steps)) {
    if (step["source"] !== "agent") continue;
    const ids = recordsOf(step["tool_calls"]).map((call) => call["tool_call_id"]);
    for (const result of recordsOf(asRecord(step["observation"])["results"])) {
      const place = Math.max(0, ids.indexOf(result["source_call_id"]));
      for (const ref of recordsOf(result["subagent_trajectory_ref"])) {
        const id = asText(ref["trajectory_id"]);
        if (id !== undefined && !called.has(id)) called.set(id, t + place);
      }
    }
    t += stepsMade(step);
  }
  return called;
}

function namingAgents(read: ReadEpisode, subAgents: ReadonlyMap<number, string[]>): ReadEpisode {
  if (subAgents.size === 0) return read;
  const steps = read.episode.steps.map((step) => {
    const named = subAgents.get(step.t);
    return named === undefined ? step : { ...step, extra: { ...step.extra, subAgents: named } };
  });
  return { ...read, episode: { ...read.episode, steps } };
}

/** Keys that ATIF 1.8 knows, of a document and of a step. */
const ROOT_KEYS = new Set(
  "schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref extra subagent_trajectories".split(
    " ",
  ),
);
const STEP_KEYS = new Set(
  (
    "step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls observation metrics " +
    "is_copied_context llm_call_count extra"
  ).split(" "),
);
const UNHEARD = "extra; HASP does not know what it is";

function nameKeys(kept: JsonRecord, steps: readonly JsonRecord[], ledger: Ledger): void {
  for (const key of Object.keys(kept)) {
    if (key === "subagent_trajectories") continue;
    ledger.kept(key, ROOT_KEYS.has(key) ? "extra of the episode" : UNHEARD);
  }
  for (const step of steps)
    for (const key of Object.keys(step)) if (!STEP_KEYS.has(key)) ledger.kept(`steps[].${key}`, UNHEARD);
  const elsewhere = steps.flatMap((step) =>
    recordsOf(asRecord(step["observation"])["results"]).flatMap((result) =>
      recordsOf(result["subagent_trajectory_ref"]).filter(
        (ref) => asText(ref["trajectory_path"]) !== undefined,
      ),
    ),
  );
  ledger.kept(
    "trajectories of sub-agents in other files",
    "extra of steps: import those files, too",
    elsewhere.length,
  );
}

function importDocument({ document, id, origin }: Waiting, options: ReaderOptions): ReadEpisode {
  const { ledger, name } = options;
  const steps = recordsOf(document["steps"]);
  const own = asText(document["trajectory_id"]) ?? asText(document["session_id"]);
  const agent = asRecord(document["agent"]);
  const finished =
    document["continued_trajectory_ref"] === undefined || document["continued_trajectory_ref"] === null;
  const turns = steps.flatMap((step, at) => turnsOf(step, finished && at === steps.length - 1, ledger));
  const unread = asList(document["steps"]).filter((step) => !isRecord(step));
  const others = steps.flatMap((step, at) => (step["source"] === "agent" ? [] : [{ at, step }]));
  const kept = without(document, ["steps"]);
  nameKeys(kept, steps, ledger);
  const { episode, prompts } = episodeOf({
    id: id ?? own ?? `${name}-${hashText(JSON.stringify(document))}`,
    source: "atif",
    turns,
    origin,
    outcome: outcomeOf(document, ledger),
    // Nothing says that a system message is among the steps, and the tools are none of them.
    prompts: "transcript",
    stopReason: finished ? undefined : "halted",
    settings: compact({
      model: asText(agent["model_name"]),
      agent: asText(agent["name"]),
      agentVersion: asText(agent["version"]),
    }),
    cost: costOf(document, ledger),
    extra: { atif: compact({ document: kept, others, unread: unread.length === 0 ? undefined : unread }) },
  });
  return withoutUnsaid(
    { episode: { ...episode, steps: withResidues(episode.steps, steps) }, prompts },
    steps,
  );
}

/** No model said a step that another trajectory is copied for, or that a program dispatched. */
function isUnsaid(step: JsonRecord): boolean {
  return step["is_copied_context"] === true || step["llm_call_count"] === 0;
}

/** The episode without replies where no model said anything: nothing is to be learned from them. */
function withoutUnsaid({ episode, prompts }: ReadEpisode, steps: readonly JsonRecord[]): ReadEpisode {
  const unsaid = new Set<number>();
  let t = 0;
  for (const step of steps) {
    if (step["source"] !== "agent") continue;
    if (isUnsaid(step)) unsaid.add(t);
    t += stepsMade(step);
  }
  if (unsaid.size === 0) return { episode, prompts };
  const said = episode.steps.map((step) =>
    unsaid.has(step.t)
      ? {
          ...step,
          proposals: step.proposals.map(({ completion: _, fromTranscript: _mark, ...rest }) => rest),
        }
      : step,
  );
  return {
    episode: { ...episode, steps: said },
    prompts: prompts?.map((prompt, at) => (unsaid.has(at) ? undefined : prompt)),
  };
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
  return tokens(
    asRecord(metrics),
    ["prompt_tokens", "completion_tokens", "cost_usd", "cached_tokens"],
    ledger,
  );
}

function costOf(document: JsonRecord, ledger: Ledger): Usage | undefined {
  const keys = [
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cost_usd",
    "total_cached_tokens",
  ] as const;
  return tokens(asRecord(document["final_metrics"]), keys, ledger);
}

/** `keys`: of the tokens in, the tokens out, the dollars, and those of the tokens in that a cache held. */
function tokens(
  given: JsonRecord,
  [input, output, dollars, cached]: readonly [string, string, string, string],
  ledger: Ledger,
): Usage | undefined {
  const inputTokens = tokensOf(given, [input], ledger);
  const outputTokens = tokensOf(given, [output], ledger);
  const cost = amountOf(given, [dollars], ledger);
  if (inputTokens === undefined && outputTokens === undefined && cost === undefined) return undefined;
  const cachedInputTokens = tokensOf(given, [cached], ledger);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
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
