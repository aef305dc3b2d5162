/** Has the plain script and the settings of the product answer the questions; each goes on where an earlier sitting ended. */
import { execa } from "execa";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { printableLine } from "../../../src/model/printable.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { answerPlainly, type PlainEndpoint } from "../plain-react.mts";
import { onExit } from "../processes.mts";
import { messageOf, say, stop } from "../report.mts";
import { type Inputs, LIBRARIES } from "./inputs.mts";
import { isOutage, rowsOf } from "./measures.mts";
import { type Asked, type Order, PLAIN } from "./order.mts";
import { pathsIn } from "./paths.mts";

export interface Sitting {
  readonly order: Order;
  readonly endpoint: PlainEndpoint;
  readonly inputs: Inputs;
  readonly signal: AbortSignal;
}

const AGAIN = "The same command goes on from here.";
/** Between two looks at the episodes of a running setting. */
const LOOK_MS = 500;

/** Has one side answer its questions. Rejects where the server fails, with what is done kept. */
export async function answerAs(asked: Asked, sitting: Sitting): Promise<void> {
  const done = new Set(rowsOf(sitting.order.folder, asked.side).map(({ id }) => id));
  const wanted = sitting.inputs.questions.slice(0, asked.count);
  const left = wanted.filter(({ id }) => !done.has(id));
  say(`${asked.side}: ${left.length} of ${wanted.length} questions are left`);
  if (left.length === 0) return;
  if (asked.way === undefined) await answerWithScript(left, sitting);
  else await answerWithProduct(asked.side, asked.way, wanted.length, sitting);
}

async function answerWithScript(left: Inputs["questions"], sitting: Sitting): Promise<void> {
  const { order, endpoint, inputs, signal } = sitting;
  const { plain } = pathsIn(order.folder);
  // A line that a kill tore stays the only one that is lost.
  if (existsSync(plain) && !readFileSync(plain, "utf8").endsWith("\n")) appendFileSync(plain, "\n");
  const search = indexPassages(inputs.passages);
  for (const [i, question] of left.entries()) {
    signal.throwIfAborted();
    const row = await answerPlainly(question, { endpoint, search, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw stop(`${PLAIN}: the server failed: ${printableLine(reasonOf(error))}. Look at its log. ${AGAIN}`);
    });
    appendFileSync(plain, `${JSON.stringify(row)}\n`);
    say(`${PLAIN}: ${i + 1} of ${left.length}, ${row.em ? "right" : "wrong"}, ${row.seconds.toFixed(1)} s`);
  }
}

/** `fetch failed` hides its reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`;
}

/** The stop reason of an episode's line; empty for a line that a kill tore. */
function reasonIn(line: string): string {
  try {
    return (JSON.parse(line) as { stopReason?: string }).stopReason ?? "";
  } catch {
    return "";
  }
}

/** Takes episodes that an outage ended out of a run, so that `hasp run --resume` asks their questions again. */
function dropOutages(run: string): void {
  const { episodes, index } = runPaths(run);
  if (!existsSync(episodes)) return;
  const lines = readFileSync(episodes, "utf8").split("\n");
  // The last line may be torn; the product knows what to do with it.
  const kept = lines.filter((line, i) => i === lines.length - 1 || !isOutage(reasonIn(line)));
  if (kept.length === lines.length) return;
  writeFileSync(episodes, kept.join("\n"));
  rmSync(index, { force: true });
}

/** The stop reason of the first episode that an outage ended. */
function outageIn(run: string): string | undefined {
  const { episodes } = runPaths(run);
  if (!existsSync(episodes)) return undefined;
  const whole = readFileSync(episodes, "utf8").split("\n").slice(0, -1);
  return whole.map(reasonIn).find(isOutage);
}

/** Calls `onOutage` once an episode ended by an outage; answers with how to end the watch. */
function watchOutages(run: string, onOutage: () => void): () => void {
  const { episodes } = runPaths(run);
  let size = 0;
  const timer = setInterval(() => {
    const now = statSync(episodes, { throwIfNoEntry: false })?.size ?? 0;
    if (now === size) return;
    size = now;
    if (outageIn(run) === undefined) return;
    clearInterval(timer);
    onOutage();
  }, LOOK_MS);
  return () => clearInterval(timer);
}

type Way = NonNullable<Asked["way"]>;

function wordsOf(
  run: string,
  { setting, words }: Way,
  count: number,
  { order, endpoint }: Sitting,
): readonly string[] {
  const paths = pathsIn(order.folder);
  const model = `${endpoint.baseUrl}#${endpoint.model}`;
  const hasTeacher = setting === "full" || setting === "teacher-only";
  const options = {
    questions: paths.questions,
    corpus: paths.corpus,
    policy: model,
    setting,
    ...(hasTeacher && { teacher: model }),
    temperature: "0",
    concurrency: "1",
    limit: String(count),
    output: run,
  };
  return [
    "run",
    ...words,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...order.sets.flatMap((set) => ["--set", set]),
    ...(existsSync(runPaths(run).run) ? ["--resume"] : []),
  ];
}

async function answerWithProduct(side: string, way: Way, count: number, sitting: Sitting): Promise<void> {
  const { order, signal } = sitting;
  const paths = pathsIn(order.folder);
  const [run, cwd] = [paths.run(side), paths.start(side)];
  dropOutages(run);
  mkdirSync(cwd, { recursive: true });
  // Replies of an earlier sitting cost no time: a question that is asked again is asked as if for the first time.
  rmSync(join(cwd, ".hasp"), { recursive: true, force: true });
  writeFileSync(join(cwd, "hasp.yaml"), LIBRARIES);
  // A group of its own: Ctrl-C reaches it once, through this process.
  const child = execa(process.execPath, [order.cli, ...wordsOf(run, way, count, sitting)], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    detached: process.platform !== "win32",
    reject: false,
  });
  const end = (): void => void child.kill("SIGINT");
  signal.addEventListener("abort", end, { once: true });
  // A second Ctrl-C ends this process at once.
  const forget = onExit(() => void child.kill("SIGKILL"));
  const unwatch = watchOutages(run, end);
  const { exitCode } = await child.finally(unwatch);
  forget();
  signal.removeEventListener("abort", end);
  signal.throwIfAborted();
  // The run may have ended before the last look at it.
  const outage = outageIn(run);
  if (outage !== undefined) throw stop(`${side}: the server failed (${outage}). Look at its log. ${AGAIN}`);
  const missing = count - rowsOf(order.folder, side).length;
  if (missing > 0)
    throw stop(
      `${side}: \`hasp run\` ended with ${exitCode ?? "a signal"}, and ${missing} questions are left: see above. ${AGAIN}`,
    );
}
