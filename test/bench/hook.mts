import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
  spawnSync(process.execPath, ["-e", "''"]);
  return performance.now() - started;
}

interface Pair {
  /** Medians. */
  readonly ours: number;
  readonly node: number;
  readonly ratio: number;
  /** The least of both, for whoever reads this of a busy machine. */
  readonly least: string;
}

/** `count` events and bare Nodes in turn, so that both meet the same machine. */
function inTurn(count: number, ask: (i: number) => number): Pair {
  const pairs = Array.from({ length: count }, (_, i) => [ask(i), bare()] as const);
  const [ours, node] = [pairs.map(([mine]) => mine), pairs.map(([, bareOne]) => bareOne)];
  const least = `least ${Math.min(...ours).toFixed(0)} beside ${Math.min(...node).toFixed(0)}, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  const ratio = median(pairs.map(([mine, bareOne]) => mine / bareOne));
  return { ours: median(ours), node: median(node), ratio, least };
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
    const pair = inTurn(COLD, (i) => once(place, event(place.root, 10_000 + i)));
    return { ...pair, ...manyCalls(place) };
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

/** The first call of each of `REPOSITORIES` new repositories. */
function firstCalls(place: Place): Pair {
  return inTurn(REPOSITORIES, (i) => {
    const fresh = repository(place, `new-${i}`);
    return once(fresh, event(fresh.root, 1), "--no-resident");
  });
}

/** Characters of the path of hook.cjs below an extension's folder in a usual home. */
const PATH_LENGTH = 82;

/** A copy of what a hook reads, in a place like that of an installed extension. */
function installed(root: string, base: string): Pick<Place, "hook" | "cli"> {
  const room = PATH_LENGTH - path.join(base, "/", "hook.cjs").length - 1;
  const folder = path.join(base, "x".repeat(Math.max(1, room)));
  mkdirSync(folder);
  const dist = path.join(root, "dist");
  for (const name of readdirSync(dist))
    if (/^(?:hook|quickjs|hasp\.cjs$)/.test(name))
      copyFileSync(path.join(dist, name), path.join(folder, name));
  return { hook: path.join(folder, "hook.cjs"), cli: path.join(folder, "hasp.cjs") };
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
    const place = { root: workspace, env, ...installed(root, folder) };
    const skills = `${skillsIn(root)} skills`;
    once(place, event(workspace, 0), "--no-resident");
    const cold = inTurn(COLD, (i) => once(place, event(workspace, 1 + i), "--no-resident"));
    const first = firstCalls(place);
    const { hostile, empty } = hostileBesideEmpty(place);
    const resident = await throughResident(place);
    const row = (name: string, ours: number, baseline: number | undefined, method: string): BenchRow => ({
      name,
      ours,
      baseline,
      unit: "ms",
      method,
    });
    const paired = (name: string, pair: Pair, limit: number, what: string): BenchRow => ({
      ...row(name, pair.ours, pair.node, `${what}, in turn with node -e '', ${pair.least}`),
      ratio: pair.ratio,
      limit,
    });
    return [
      paired(
        "hasp hook, cold",
        cold,
        4.0,
        `${skills}, installed at a path of ${place.hook.length} characters; median of ${COLD}`,
      ),
      paired("first call in a new repository", first, 4.2, `median of ${REPOSITORIES} repositories`),
      row(
        "event in a hostile repository",
        hostile,
        empty,
        `${HOSTILE_SKILLS} skills that hang as they are loaded, trusted by nobody; median of ${REPOSITORIES}, in turn with an empty one; aim: 1.15`,
      ),
      paired("hasp hook, resident", resident, 1.6, `the same through hasp serve --hooks; median of ${COLD}`),
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
