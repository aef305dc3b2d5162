/**
 * What the shipped coding library does on recorded sessions of coding agents: `npm run bench -- sessions`. Every step is judged by the code of
 * `hasp backtest`; whether a hold of `tests_before_done` is right is said by another reading (session-reading.mts).
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { backtest, type BacktestHit } from "../../src/analysis/backtest.ts";
import { countedShare } from "../../src/scoring/exact-interval.ts";
import { hasFired } from "../../src/model/pf-facet.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { hashText } from "../../src/trace/hash.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import { openIn, shippedFolders } from "./library.mts";
import { readSession, type SessionReading } from "./session-reading.mts";
import { sha256 } from "../../src/platform/sha256.ts";

export interface SessionsOrder {
  readonly root: string;
  readonly workerFile: string;
  /** Files of any importable format, at any depth. */
  readonly folder: string;
  /** Print each hold with its step and reason. */
  readonly list: boolean;
}

interface Judged {
  readonly id: string;
  readonly reading: SessionReading;
  readonly hits: readonly (BacktestHit & { readonly skillId: string })[];
  readonly resolved: boolean | undefined;
  /** Kept apart until the end: every fifth, by a hash of its id. */
  readonly heldBack: boolean;
  readonly commandAt: (t: number) => string;
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|traj|eval)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

/** `instance_id,resolved` of a verdicts.csv in the folder; no verdicts where there is none. */
async function verdictsIn(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const file = path.join(folder, "verdicts.csv");
  if (!existsSync(file)) return new Map();
  const rows = (await readFile(file, "utf8")).split(/\r?\n/).map((line) => line.split(","));
  return new Map(
    rows
      .slice(1)
      .flatMap(([id, verdict]) =>
        id === undefined || verdict === undefined ? [] : [[id, /^true$/i.test(verdict.trim())] as const],
      ),
  );
}

async function importedFrom(folder: string): Promise<PlacedEpisode[]> {
  const work = await mkdtemp(path.join(tmpdir(), "hasp-sessions-"));
  try {
    const files = nodeFiles();
    const run = path.join(work, "run");
    const { value } = await importRun(
      files,
      { clock: { now: () => new Date().toISOString() }, sha256 },
      { sources: await filesBelow(folder), folder: run },
    );
    if (value === undefined) throw new Error(`Nothing of ${folder} could be imported.`);
    const episodes: PlacedEpisode[] = [];
    for await (const { value: episode } of readEpisodes(files, (await openRun(files, run)).index))
      if (episode !== undefined) episodes.push({ run: folder, index: episodes.length, episode });
    return episodes;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function judgedSessions({ root, workerFile, folder }: SessionsOrder): Promise<Judged[]> {
  const episodes = await importedFrom(folder);
  const verdicts = await verdictsIn(folder);
  const { library, host } = await openIn(workerFile, await shippedFolders(root, workerFile, "coding-agent"));
  try {
    const each = async function* () {
      yield* episodes;
    };
    const { skills } = await backtest(library, each(), host);
    const hits = skills.flatMap(({ skillId, hits: own }) => own.map((hit) => ({ ...hit, skillId })));
    return episodes.map(({ episode, index }) => ({
      id: episode.id,
      reading: readSession(episode),
      hits: hits.filter((hit) => hit.index === index && hasFired(hit.status)),
      resolved: verdicts.get(episode.id),
      heldBack: Number.parseInt(hashText(episode.id).slice(-6), 16) % 5 === 0,
      commandAt: (t) => episode.steps[t]?.executed.arg ?? "",
    }));
  } finally {
    await host.close();
  }
}

const TESTS = "tests_before_done";

const percent = (value: number): string => `${(value * 100).toFixed(1)}%`;

/** `3 of 20, 15.0% (95%: 3.2% to 37.9%)`, the exact interval. */
function share(count: number, of: number): string {
  const { low, high } = countedShare(count, of);
  return of === 0
    ? "0 of 0"
    : `${count} of ${of}, ${percent(count / of)} (95%: ${percent(low)} to ${percent(high)})`;
}

const heardBy = (sessions: readonly Judged[], skillId: string): Judged[] =>
  sessions.filter(({ hits }) => hits.some((hit) => hit.skillId === skillId));

const isRight = ({ reading: { untested, failing } }: Judged): boolean => untested || failing;

function testsLines(sessions: readonly Judged[]): string[] {
  const held = heardBy(sessions, TESTS);
  const wrong = held.filter((one) => !isRight(one));
  const left = sessions.filter((one) => !held.includes(one));
  const missed = left.filter(({ reading }) => reading.untested);
  const never = missed.filter(({ reading }) => reading.runs.length === 0);
  const red = left.filter(({ reading }) => reading.failing && !reading.untested);
  return [
    `  held: ${share(held.length, sessions.length)}`,
    `  of these falsely: ${share(wrong.length, held.length)}`,
    `  not held though the latest change was not tested: ${missed.length}, ${never.length} of them without any test run in the session`,
    `  not held though the latest test run failed: ${red.length}`,
  ];
}

/** Both sides of Fisher's exact test of two shares: the sum of all tables that are no likelier than the one found. */
function fisher(a: number, ofA: number, b: number, ofB: number): number {
  const logs = [0];
  for (let i = 1; i <= ofA + ofB; i++) logs.push((logs[i - 1] ?? 0) + Math.log(i));
  const choose = (n: number, k: number): number => (logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0);
  const hits = a + b;
  const chance = (k: number): number =>
    Math.exp(choose(ofA, k) + choose(ofB, hits - k) - choose(ofA + ofB, hits));
  let sum = 0;
  for (let k = Math.max(0, hits - ofB); k <= Math.min(ofA, hits); k++)
    if (chance(k) <= chance(a) * (1 + 1e-9)) sum += chance(k);
  return Math.min(1, sum);
}

function verdictLines(sessions: readonly Judged[]): string[] {
  const failed = sessions.filter(({ resolved }) => resolved === false);
  const solved = sessions.filter(({ resolved }) => resolved === true);
  if (failed.length + solved.length === 0) return [];
  const ids = [...new Set(sessions.flatMap(({ hits }) => hits.map(({ skillId }) => skillId)))].toSorted();
  return [
    `  resolved against unresolved (${solved.length} and ${failed.length}), sessions in which the skill was heard:`,
    ...ids.map((id) => {
      const [bad, good] = [heardBy(failed, id).length, heardBy(solved, id).length];
      const p = fisher(bad, failed.length, good, solved.length);
      return `    ${id}: unresolved ${share(bad, failed.length)}; resolved ${share(good, solved.length)}; p = ${p.toFixed(2)}`;
    }),
  ];
}

/** Whether a refusal of `protected_files` is about a file that the session made itself. */
const isOwn = ({ reading, commandAt }: Judged, { t }: BacktestHit): boolean =>
  [...reading.made].some((file) => commandAt(t).includes(file.split("/").at(-1) ?? file));

function otherLines(sessions: readonly Judged[]): string[] {
  const refusals = sessions.flatMap((one) =>
    one.hits.filter(({ skillId }) => skillId === "protected_files").map((hit) => isOwn(one, hit)),
  );
  const repeats = sessions.filter(({ reading }) => reading.repeatsFailure);
  return [
    `  protected_files: heard ${refusals.length} times, ${refusals.filter(Boolean).length} of them about files that the session made itself`,
    `  edit_loop: heard in ${heardBy(sessions, "edit_loop").length} sessions; three equal failures in ${repeats.length}, heard in ${heardBy(repeats, "edit_loop").length} of these`,
  ];
}

function skillLines(sessions: readonly Judged[]): string[] {
  const counts = new Map<string, number>();
  for (const { hits } of sessions)
    for (const { skillId } of hits) counts.set(skillId, (counts.get(skillId) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([id, times]) => `  ${id}: ${times} times in ${heardBy(sessions, id).length} sessions`);
}

function report(title: string, sessions: readonly Judged[]): string[] {
  return [
    `${title}: ${sessions.length} sessions`,
    ...skillLines(sessions),
    `  ${TESTS}`,
    ...testsLines(sessions).map((line) => `  ${line}`),
    ...otherLines(sessions),
    ...verdictLines(sessions),
    "",
  ];
}

function listing(sessions: readonly Judged[]): string[] {
  return sessions.flatMap((one) => {
    const { id, reading, hits } = one;
    const about = `edits at ${reading.edits.map(({ t }) => t + 1).join(", ") || "none"}; test runs at ${reading.runs.map(({ t, failed }) => `${t + 1}${failed ? " failed" : ""}`).join(", ") || "none"}; not started at ${reading.broken.map((t) => t + 1).join(", ") || "none"}`;
    const lines = hits.map(({ skillId, t, reason }) => {
      const verdict = skillId === TESTS ? (isRight(one) ? "right: " : "FALSE: ") : "";
      return `  step ${t + 1} ${skillId}: ${verdict}${reason}`;
    });
    const missed = reading.untested && !hits.some(({ skillId }) => skillId === TESTS);
    return [`${id} (${about})`, ...lines, ...(missed ? ["  missed: the latest change was not tested"] : [])];
  });
}

/** The report as lines of text. */
export async function benchSessions(order: SessionsOrder): Promise<string[]> {
  const sessions = await judgedSessions(order);
  const tuned = sessions.filter(({ heldBack }) => !heldBack);
  const kept = sessions.filter(({ heldBack }) => heldBack);
  return [
    ...(order.list ? [...listing(sessions), ""] : []),
    ...report("Tuned on (all but every fifth, by a hash of the name)", tuned),
    ...report("Held back (every fifth)", kept),
    ...report("All", sessions),
  ];
}
