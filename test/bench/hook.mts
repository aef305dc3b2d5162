import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { median, type BenchRow } from "./measure.mts";

const COLD = 25;
const IN_A_ROW = 500;
const PART = 100;
const REPOSITORIES = 30;
const HOSTILE_SKILLS = 20;

interface Place {
  readonly root: string;
  readonly hook: string;
  readonly cli: string;
  readonly env: NodeJS.ProcessEnv;
}

function event(root: string, i: number, name = "PreToolUse"): string {
  const call = {
    tool_name: "Bash",
    tool_use_id: `call-${i}`,
    tool_input: { command: `grep -rn "word ${i}" src | head` },
  };
  const answer = name === "PreToolUse" ? {} : { tool_response: { stdout: "src/a.ts:1: word", stderr: "" } };
  return JSON.stringify({ session_id: "bench", cwd: root, hook_event_name: name, ...call, ...answer });
}

/** Milliseconds from the start of the process to its end. */
function once({ hook, env, root }: Place, input: string, ...args: string[]): number {
  const started = performance.now();
  const { stdout } = spawnSync(process.execPath, [hook, "--host", "claude-code", ...args], {
    input,
    env,
    cwd: root,
  });
  if (!String(stdout).startsWith("{")) throw new Error(`no answer: ${String(stdout)}`);
  return performance.now() - started;
}

function bare(): number {
  const started = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - started;
}

interface Pair {
  /** Medians. */
  readonly ours: number;
  readonly node: number;
  /** The least of both, for whoever reads this of a busy machine. */
  readonly least: string;
}

/** Ours and bare Node in turn, so that both meet the same machine. */
function inTurn(place: Place, args: readonly string[], from: number): Pair {
  const pairs = Array.from(
    { length: COLD },
    (_, i) => [once(place, event(place.root, from + i), ...args), bare()] as const,
  );
  const [ours, node] = [pairs.map(([mine]) => mine), pairs.map(([, bareOne]) => bareOne)];
  const least = `least ${Math.min(...ours).toFixed(0)} beside ${Math.min(...node).toFixed(0)}, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  return { ours: median(ours), node: median(node), least };
}

async function throughResident(place: Place) {
  const server = spawn(process.execPath, [place.cli, "serve", "--hooks"], {
    cwd: place.root,
    env: place.env,
  });
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    await new Promise((resolve) => server.stdout.once("data", resolve));
    once(place, event(place.root, 9_000));
    return { ...inTurn(place, [], 10_000), ...manyCalls(place) };
  } finally {
    server.kill("SIGINT");
    await ended;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 500 calls with their answers: what each costs at the beginning and at the end of the session, and what it leaves on the disk. */
function manyCalls(place: Place) {
  const took = Array.from({ length: IN_A_ROW }, (_, i) => {
    const pre = once(place, event(place.root, 20_000 + i));
    return pre + once(place, event(place.root, 20_000 + i, "PostToolUse"));
  });
  const live = path.join(place.root, ".hasp/runs/agent-sessions/live/bench.jsonl");
  return {
    first: mean(took.slice(0, PART)),
    last: mean(took.slice(-PART)),
    all: took.reduce((sum, one) => sum + one, 0) / 1000,
    megabytes: statSync(live).size / 1e6,
  };
}

function skillsIn(root: string): number {
  const text = readFileSync(path.join(root, "dist/hook-library.json"), "utf8");
  return (JSON.parse(text) as { skills: unknown[] }).skills.length;
}

/** A repository of its own beside `place`, for the same user. */
function repository({ hook, cli, env, root }: Place, name: string): Place {
  const workspace = path.join(path.dirname(root), name);
  mkdirSync(path.join(workspace, ".git"), { recursive: true });
  return { hook, cli, env, root: workspace };
}

/** The first and the second call of each of `REPOSITORIES` new repositories. */
function firstCalls(place: Place): { readonly first: number; readonly second: number } {
  const calls = Array.from({ length: REPOSITORIES }, (_, i) => {
    const fresh = repository(place, `new-${i}`);
    return [1, 2].map((n) => once(fresh, event(fresh.root, n), "--no-resident"));
  });
  return { first: median(calls.map(([one = 0]) => one)), second: median(calls.map(([, two = 0]) => two)) };
}

const HANGS = "const list: number[] = []; list.length = 4294967295; list.indexOf(1);";

/** A repository whose skills hang as soon as they are loaded. Nobody trusts it. */
function hostileRepository(place: Place): Place {
  const hostile = repository(place, "hostile");
  for (let i = 0; i < HOSTILE_SKILLS; i++) {
    const folder = path.join(hostile.root, "skills/coding-agent", `hangs-${i}`);
    mkdirSync(folder, { recursive: true });
    const head = `name: hangs-${i}\ndescription: Hangs; use it never.\nmetadata:\n  hasp:\n    skill_id: hangs_${i}\n    title: Hangs\n    version: 1\n    priority: 0.9\n    error_category: test\n    applicable_modes: [coding-agent]\n    system_summary: Hangs.`;
    writeFileSync(path.join(folder, "SKILL.md"), `---\n${head}\n---\n# Hangs\n`);
    writeFileSync(path.join(folder, "pf.ts"), `${HANGS}\nexport default class {}\n`);
  }
  return hostile;
}

/** An event in a hostile repository and one in an empty one, in turn. */
function hostileBesideEmpty(place: Place): { readonly hostile: number; readonly empty: number } {
  const [hostile, empty] = [hostileRepository(place), repository(place, "empty")];
  // What the repository brings is read once, in a process beside the first event.
  spawnSync(process.execPath, [place.cli, "hook", "compile", hostile.root], { env: place.env });
  const pairs = Array.from({ length: REPOSITORIES }, (_, i) => [
    once(hostile, event(hostile.root, i), "--no-resident"),
    once(empty, event(empty.root, i), "--no-resident"),
  ]);
  return { hostile: median(pairs.map(([one = 0]) => one)), empty: median(pairs.map(([, two = 0]) => two)) };
}

/** `hasp hook` as a host starts it, next to a Node that does nothing. */
export async function benchHook(root: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "hasp-bench-hook-"));
  try {
    const workspace = path.join(folder, "workspace");
    const cache = path.join(folder, "cache");
    mkdirSync(path.join(workspace, ".git"), { recursive: true });
    const env = {
      ...process.env,
      XDG_CACHE_HOME: cache,
      XDG_CONFIG_HOME: path.join(folder, "config"),
      XDG_STATE_HOME: path.join(folder, "state"),
    };
    const place = {
      root: workspace,
      env,
      hook: path.join(root, "dist/hook.cjs"),
      cli: path.join(root, "dist/hasp.cjs"),
    };
    const skills = `${skillsIn(root)} skills`;
    once(place, event(workspace, 0), "--no-resident");
    const cold = inTurn(place, ["--no-resident"], 1);
    const { first, second } = firstCalls(place);
    const { hostile, empty } = hostileBesideEmpty(place);
    const resident = await throughResident(place);
    const row = (name: string, ours: number, baseline: number | undefined, method: string): BenchRow => ({
      name,
      ours,
      baseline,
      unit: "ms",
      method,
    });
    return [
      row(
        "hasp hook, cold",
        cold.ours,
        cold.node,
        `${skills}; median of ${COLD}, in turn with node -e 0, ${cold.least}; aim: under 100 ms`,
      ),
      row(
        "first call in a new repository",
        first,
        second,
        `median of ${REPOSITORIES} repositories; baseline: the second call; aim: 1.15`,
      ),
      row(
        "event in a hostile repository",
        hostile,
        empty,
        `${HOSTILE_SKILLS} skills that hang as they are loaded, trusted by nobody; median of ${REPOSITORIES}, in turn with an empty one; aim: 1.15`,
      ),
      row(
        "hasp hook, resident",
        resident.ours,
        resident.node,
        `the same through hasp serve --hooks, ${resident.least}; aim: under 30 ms`,
      ),
      row(
        "call and answer, first 100",
        resident.first,
        undefined,
        `two processes through the resident one, mean; ${IN_A_ROW} in a row`,
      ),
      row("call and answer, last 100", resident.last, resident.first, "baseline: the first 100"),
      {
        ...row("500 calls with their answers", resident.all, undefined, "in all, two processes each"),
        unit: "s",
      },
      { ...row("record of 500 calls", resident.megabytes, undefined, "live file"), unit: "MB" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
