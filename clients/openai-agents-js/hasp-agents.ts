/**
 * Lets HASP skills act on an agent of the OpenAI Agents SDK: each call of a function tool is a `step` to `hasp serve` before the tool
 * runs, its output an `observe`, the final output a FINAL.
 */
import {
  run,
  user,
  type AgentInputItem,
  type NonStreamRunOptions,
  type RunContext,
  type RunResult,
  type RunState,
  type Tool,
} from "@openai/agents";
import type {
  Action,
  Decision,
  Hasp,
  Opened,
  OpenOptions,
  SkillText,
  ToolResult,
  World,
} from "./hasp-client.ts";

/** How the coding-agent domain calls one tool of the agent (docs/serve.md lists its tools and their keys). */
export interface ToolMapping {
  /** The canonical tool: `Bash`. */
  readonly as: string;
  /** Canonical names of the tool's own keys where they differ: `{ cmd: "command" }`. Other keys keep their names. */
  readonly keys?: Readonly<Record<string, string>>;
  /** How a call ended, where its output tells. */
  readonly result?: (output: unknown) => ToolResult | undefined;
}

export interface SessionOptions extends OpenOptions {
  /** By the tool's own name. A tool that is not here keeps its name and its keys. */
  readonly tools?: Readonly<Record<string, ToolMapping>>;
  /** What is known of the branch and of the files of a call. Skills that need it stay silent without. */
  readonly world?: (proposed: Action) => World | undefined | Promise<World | undefined>;
  /** Hears of every decision. */
  readonly onDecision?: (proposed: Action, decision: Decision) => void;
  /** Hears of what went wrong with hasp serve; by default it is printed on standard error. */
  readonly onTrouble?: (error: unknown) => void;
  /** What becomes of a call that hasp serve does not answer: it runs unasked (default), or the error is thrown. */
  readonly failOpen?: boolean;
}

/** One task of an agent whose steps skills see: one episode. */
export interface HaspSession<A extends AnyAgent, C = undefined> {
  readonly episode: string;
  /** The agent with its tools wrapped, for those who run it themselves and ask `stop`. */
  readonly agent: A;
  /**
   * As the SDK's `run`, but that the final output is proposed to the skills: where they hold it back the agent reads why and goes on.
   * Comes back early where a person is to decide (`result.interruptions`); go on with `run(result.state)`.
   */
  run(input: Input<A, C>, options?: NonStreamRunOptions<C, A>): Promise<RunResult<C, A>>;
  /** What the agent is to read instead of stopping; undefined: it may stop. */
  stop(finalOutput: unknown, context: RunContext<C>): Promise<string | undefined>;
  /** Ends the episode; one without a FINAL that stood is kept as halted. */
  close(): Promise<void>;
}

/** Any agent of the SDK, as its own `run` takes it. */
type AnyAgent = Parameters<typeof run>[0];
type Input<A extends AnyAgent, C> = string | AgentInputItem[] | RunState<C, A>;
type FunctionTool<C> = Extract<Tool<C>, { type: "function" }>;
type Details = Parameters<FunctionTool<unknown>["invoke"]>[2];
type Json = Record<string, unknown>;

interface Call<C> {
  readonly tool: FunctionTool<C>;
  readonly input: string;
  readonly context: RunContext<C>;
  readonly details: Details;
}

/** Behind the texts of skills (docs/serve.md, `form`). */
const NOTATION = "Go on with one call of a tool, or with your final answer where the work is done.";
const OURS = ["REFUSE", "FINAL"];
/** Characters of an output that are told; a request has at most 16 MiB. */
const MOST_TOLD = 1_000_000;
/** How the SDK tells the model of a tool that threw. */
const SDK_FAILED = /^An error occurred while (?:running the tool|parsing tool arguments)/;

/** A JSON object with some keys renamed, those first and in the mapping's order; undefined where the text is none. */
function renamed(text: string, keys: Readonly<Record<string, string>>): string | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const input = given as Json;
  const first = Object.keys(keys).filter((key) => Object.hasOwn(input, key));
  const rest = Object.keys(input).filter((key) => !first.includes(key));
  return JSON.stringify(Object.fromEntries([...first, ...rest].map((key) => [keys[key] ?? key, input[key]])));
}

const reversed = (keys: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([own, canonical]) => [canonical, own]));

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textOf).join("\n");
  const part = output as { type?: unknown; text?: unknown } | null | undefined;
  if (part?.type === "text" && typeof part.text === "string") return part.text;
  return JSON.stringify(output) ?? "";
}

/** A tool's output with a line before it and texts behind it, in a form that the SDK takes. */
function withTexts(output: unknown, before: readonly string[], texts: readonly string[]): unknown {
  if (before.length + texts.length === 0) return output;
  const parts = (Array.isArray(output) ? output : [output]) as readonly { type?: unknown }[];
  const isStructured = parts.every((part) => ["text", "image", "file"].includes(String(part?.type)));
  const asParts = (from: readonly string[]) => from.map((text) => ({ type: "text", text }));
  if (isStructured) return [...asParts(before), ...parts, ...asParts(texts)];
  return [...before, textOf(output), ...texts].join("\n\n");
}

function withSummaries(agent: AnyAgent, texts: readonly string[]) {
  if (texts.length === 0) return {};
  const given = agent.instructions;
  if (typeof given === "string") return { instructions: [given, ...texts].join("\n\n") };
  const instructions: typeof given = async (context, one) =>
    [await given(context, one), ...texts].join("\n\n");
  return { instructions };
}

/** Opens an episode for one task and wraps the function tools of the agent. Calls of a turn run one after the other. */
export async function openSession<A extends AnyAgent, C = undefined>(
  hasp: Hasp,
  agent: A,
  question: string,
  options: SessionOptions = {},
): Promise<HaspSession<A, C>> {
  const {
    tools: mappings = {},
    world,
    onDecision,
    failOpen = true,
    onTrouble = console.error,
    ...facts
  } = options;
  const mine = agent.tools.filter((tool): tool is FunctionTool<C> => tool.type === "function");
  const typeOf = ({ name }: FunctionTool<C>): string => mappings[name]?.as ?? name;
  const keysOf = ({ name }: FunctionTool<C>): Readonly<Record<string, string>> => mappings[name]?.keys ?? {};
  const byType = new Map(mine.map((tool) => [typeOf(tool), tool]));
  const unasked = agent.tools.filter(({ type }) => type !== "function").map(({ name }) => name);
  if (unasked.length > 0)
    onTrouble(new Error(`No function tools, so skills are not asked: ${unasked.join(", ")}`));

  const action_types = [...new Set([...byType.keys(), ...OURS])];
  const opened = await hasp.call<Opened>("open", {
    question,
    action_types,
    notation: NOTATION,
    ...facts,
  });
  const { episode } = opened;
  const texts = (from: readonly SkillText[]): string[] => from.map(({ text }) => text);
  /** What the agent reads at the next occasion. */
  let pending: string[] = [];
  /** Which action ran in place of the model's, and why: read before its output. */
  let rewritten: string[] = [];
  /** Ends what it reads; hasp serve gives it with the first text. */
  let form = opened.form;
  /** Why no more calls run. */
  let over: string | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }

  /** Undefined: hasp serve has not answered, and the action goes on unasked. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!failOpen) throw error;
      onTrouble(error);
      return undefined;
    }
  }

  async function ask(proposed: Action): Promise<Decision | undefined> {
    const decision = await attempt(async () => {
      const seen = await world?.(proposed);
      const more = seen !== undefined && { world: seen };
      return hasp.call<Decision>("step", { episode, action: proposed, ...more });
    });
    if (decision === undefined) return undefined;
    onDecision?.(proposed, decision);
    pending.push(...texts(decision.injected));
    rewritten = decision.rewritten === undefined ? [] : [decision.rewritten];
    form = decision.form ?? form;
    if (decision.stopped !== undefined)
      over = `The session is over (${decision.stopped}): nothing more runs.`;
    else if (decision.answer !== undefined) over = `The session is over: ${decision.answer}`;
    return decision;
  }

  async function observe(observation: string, result?: ToolResult): Promise<void> {
    const told = {
      episode,
      observation: observation.slice(0, MOST_TOLD),
      ...(result !== undefined && { result }),
    };
    const next = await attempt(() => hasp.call<Opened & Decision>("observe", told));
    pending.push(...texts(next?.injected ?? []), ...texts(next?.instructions ?? []));
    form = next?.form ?? form;
    if (next?.stopped !== undefined) over = `The session is over (${next.stopped}): nothing more runs.`;
  }

  /** `before`: what is read at once, which asks for the form as the texts do. */
  function read(...before: string[]): string[] {
    const now = [...before, ...pending];
    pending = [];
    return now.length > 0 && form !== undefined ? [...now, form] : now;
  }

  /** The line on a rewritten action, the output, the texts, the form. */
  function shown(output: unknown): unknown {
    const before = rewritten;
    rewritten = [];
    return withTexts(output, before, read(...before).slice(before.length));
  }

  async function invoke({ tool, input, context, details }: Call<C>): Promise<unknown> {
    let output: unknown;
    try {
      output = await tool.invoke(context, input, details);
    } catch (error) {
      await observe(error instanceof Error ? error.message : String(error), { ok: false });
      throw error;
    }
    const text = textOf(output);
    await observe(text, SDK_FAILED.test(text) ? { ok: false } : mappings[tool.name]?.result?.(output));
    if (tool.outputSchema === undefined) return shown(output);
    // An output with a schema of its own has no room for texts: they wait for the next one.
    pending.unshift(...rewritten);
    rewritten = [];
    return output;
  }

  /** Runs what was decided in place of a call; a call that a person would have to allow is not made behind their back. */
  async function instead({ type, arg }: Action, call: Omit<Call<C>, "tool" | "input">): Promise<unknown> {
    const tool = byType.get(type);
    const input = tool && renamed(arg, reversed(keysOf(tool)));
    const asks =
      tool &&
      (await tool.needsApproval(call.context, JSON.parse(input ?? "{}"), call.details?.toolCall?.callId));
    if (tool !== undefined && input !== undefined && !asks) return invoke({ ...call, tool, input });
    const text = `Nothing was run. The call that fits here is ${type} ${arg}${asks ? "; a person decides on it" : ""}.`;
    rewritten = [];
    await observe(text, { ok: false });
    return read(text).join("\n\n");
  }

  async function refused({ arg }: Action): Promise<string> {
    await observe("");
    return read(arg).join("\n\n");
  }

  async function called(call: Call<C>): Promise<unknown> {
    if (over !== undefined) return over;
    const { tool, input } = call;
    const proposed = { type: typeOf(tool), arg: renamed(input, keysOf(tool)) ?? input };
    const decision = await ask(proposed);
    if (decision === undefined) return tool.invoke(call.context, input, call.details);
    const { executed } = decision;
    if (over !== undefined) return over;
    if (executed.type === "REFUSE") return refused(executed);
    if (executed.type === proposed.type && executed.arg === proposed.arg) return invoke(call);
    return instead(executed, call);
  }

  async function stop(finalOutput: unknown, context: RunContext<C>): Promise<string | undefined> {
    if (over !== undefined) return undefined;
    const decision = await ask({ type: "FINAL", arg: textOf(finalOutput) });
    if (decision === undefined || over !== undefined) return undefined;
    const { executed, again, hold_back } = decision;
    if (hold_back) return read().join("\n\n");
    if (again !== undefined) return read(again).join("\n\n");
    if (executed.type === "REFUSE") return refused(executed);
    const brought = textOf(await instead(executed, { context, details: undefined }));
    return `In place of stopping, ${executed.type} ${executed.arg}:\n${brought}`;
  }

  const tools = agent.tools.map((tool) =>
    tool.type === "function"
      ? {
          ...tool,
          invoke: (context: RunContext<C>, input: string, details: Details) =>
            inTurn(() => called({ tool, input, context, details })),
        }
      : tool,
  );
  // A clone with other tools and instructions is the same kind of agent.
  const guarded = agent.clone({
    ...withSummaries(agent, [...opened.summaries, ...texts(opened.instructions)]),
    tools,
  }) as A;

  return {
    episode,
    agent: guarded,
    stop: (finalOutput, context) => inTurn(() => stop(finalOutput, context)),
    async run(input, runOptions = {}) {
      const isKept = runOptions.session !== undefined || runOptions.conversationId !== undefined;
      let result = await run<A, C>(guarded, input, runOptions);
      while (result.finalOutput !== undefined) {
        const more = await inTurn(() => stop(result.finalOutput, result.runContext));
        if (more === undefined) break;
        const next = isKept ? [user(more)] : [...result.history, user(more)];
        result = await run<A, C>(guarded, next, runOptions);
      }
      return result;
    },
    close: async () => void (await attempt(() => hasp.call("close", { episode }))),
  };
}
