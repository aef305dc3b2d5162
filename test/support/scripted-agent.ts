import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { AgentHost, FoundHook, Happening, Moment, Obeyed, Raw, ToolCall } from "./agent-hosts.ts";

/** One move of the script that stands for the model. */
export type Move =
  | { readonly kind: "call"; readonly call: ToolCall }
  /** It wants to stop. */
  | { readonly kind: "say"; readonly text: string };

/** What came of one event, for the test. */
export interface Seen {
  readonly moment: Moment;
  readonly answers: readonly Raw[];
  readonly obeyed: Obeyed;
  /** The call as it ran. */
  readonly ran?: ToolCall;
  readonly output?: string;
}

export interface AgentPlace {
  readonly home: string;
  readonly repo: string;
  readonly env: NodeJS.ProcessEnv;
}

function runProgram(
  hook: FoundHook,
  input: string,
  place: AgentPlace,
): Promise<{ code: number | null; out: string }> {
  const { handler, timeoutMs } = hook;
  const line = handler["bash"] ?? handler["command"];
  const args = Array.isArray(handler["args"]) ? handler["args"].map(String) : undefined;
  const options = { cwd: place.repo, env: { ...place.env, HOME: place.home } };
  const child =
    args === undefined ? spawn("sh", ["-c", String(line)], options) : spawn(String(line), args, options);
  return new Promise((resolve, reject) => {
    let out = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    });
    // A program may end without reading its input, and the write then fails: its exit code says what came of it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** One answer, as hosts read it: exit code 0, and one JSON object or nothing. */
async function answerOf(hook: FoundHook, payload: Raw, place: AgentPlace): Promise<Raw> {
  const { code, out } = await runProgram(hook, JSON.stringify(payload), place);
  if (code !== 0) throw new Error(`The hook of ${hook.event} ended with ${String(code)}.`);
  return out.trim() === "" ? {} : (JSON.parse(out) as Raw);
}

/** What each tool really does in the repository. */
async function perform(call: ToolCall, place: AgentPlace): Promise<{ ok: boolean; output: string }> {
  const { input } = call;
  const text = (...keys: string[]): string => {
    const value = keys.map((key) => input[key]).find((one) => typeof one === "string");
    return typeof value === "string" ? value : "";
  };
  if (["Read", "read_file", "view"].includes(call.name))
    return { ok: true, output: fs.readFileSync(text("file_path", "filePath", "path"), "utf8") };
  if (["Edit", "replace_string_in_file", "edit"].includes(call.name)) {
    const file = text("file_path", "filePath", "path");
    return replaced(
      file,
      text("old_string", "oldString", "old_str"),
      text("new_string", "newString", "new_str"),
    );
  }
  if (call.name === "apply_patch") {
    const [, name, before, after] = /Update File: (.+)\n@@\n-(.*)\n\+(.*)\n/.exec(text("command")) ?? [];
    return replaced(path.join(place.repo, name ?? ""), before ?? "", after ?? "");
  }
  const shell = { handler: { command: text("command") }, event: "", timeoutMs: 60_000 };
  const { code, out } = await runProgram(shell, "", place);
  return { ok: code === 0, output: code === 0 ? out : `Exit code ${String(code)}\n${out}` };
}

function replaced(file: string, before: string, after: string): { ok: boolean; output: string } {
  const text = fs.readFileSync(file, "utf8");
  if (!text.includes(before)) return { ok: false, output: "old_string was not found" };
  fs.writeFileSync(
    file,
    text.replace(before, () => after),
  );
  return { ok: true, output: "The file was changed." };
}

/**
 * An agent without a model: it reads the hooks that are installed on disk as `host` does, asks them before and after each move of the
 * script, and does what they answer. The person says yes to whatever they are asked. `pause` is waited for before each move.
 */
export async function runScriptedAgent(
  host: AgentHost,
  place: AgentPlace,
  script: { readonly session: string; readonly prompt: string; readonly moves: readonly Move[] },
  pause: () => Promise<void> = async () => undefined,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  let held = 0;
  let stopped = false;
  const happen = async (moment: Moment, what: Omit<Happening, "session" | "cwd">): Promise<Obeyed> => {
    const whole = { session: script.session, cwd: place.repo, ...what };
    const hooks = host.hooks(moment, what.call?.name, place);
    const ask = (hook: FoundHook): Promise<Raw> => answerOf(hook, host.payload(moment, whole, hook), place);
    const answers: Raw[] = [];
    if (host.parallel) answers.push(...(await Promise.all(hooks.map(ask))));
    else for (const hook of hooks) answers.push(await ask(hook));
    const obeyed = host.obey(moment, answers, what.call);
    seen.push({
      moment,
      answers,
      obeyed,
      ...(what.output !== undefined && what.call !== undefined && { ran: what.call, output: what.output }),
    });
    return obeyed;
  };
  await happen("start", {});
  await happen("prompt", { prompt: script.prompt });
  for (const [i, move] of script.moves.entries()) {
    await pause();
    if (stopped) break;
    if (move.kind === "say") {
      const { block } = await happen("stop", { said: move.text, held: held > 0 });
      stopped = block === undefined || held >= host.maxHolds;
      held += 1;
      continue;
    }
    const id = `call-${i + 1}`;
    const { deny, input } = await happen("pre", { call: move.call, id });
    if (deny !== undefined) continue;
    const call = { ...move.call, input: input ?? move.call.input };
    const { ok, output } = await perform(call, place);
    await happen(ok ? "post" : "failure", { call, id, output });
  }
  await happen("end", {});
  return seen;
}
