import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { compare, type BenchRow } from "./measure.mts";

const run = promisify(execFile);
const TASKS = 60;
const TESTS = 20;
const ROUNDS = 3;
const AT_ONCE = 2;

const head = (n: number): string => `def shifted_${n}(numbers):\n`;
const BODY = (n: number): string => `    return [number * ${n} % 97 for number in sorted(numbers)]\n`;

/** A task with tests of its own, as HumanEval+ has them. */
function row(n: number) {
  const inputs = Array.from({ length: TESTS }, (_, k) => [Array.from({ length: 50 }, (_v, i) => i * k + n)]);
  return {
    task_id: `Own/${n}`,
    prompt: `${head(n)}    """Sorted, times ${n}, modulo 97."""\n`,
    canonical_solution: BODY(n),
    entry_point: `shifted_${n}`,
    base_input: inputs,
    plus_input: inputs,
    atol: 0,
  };
}

const lines = (rows: readonly unknown[]): string => rows.map((one) => `${JSON.stringify(one)}\n`).join("");

/** Reference and answer of a task over its tests, in two processes that nothing contains. */
async function plain(n: number): Promise<void> {
  const { entry_point: entry, base_input: inputs, plus_input: more } = row(n);
  const program = `${head(n)}${BODY(n)}\nfor test in ${JSON.stringify([...inputs, ...more])}:\n    print(${entry}(*test))\n`;
  for (let i = 0; i < 2; i++) {
    const child = spawn("/usr/bin/python3", ["-I", "-"], { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(program);
    await new Promise((resolve) => child.once("close", resolve));
  }
}

async function plainLoop(): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < TASKS) await plain(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** A run of code whose policy is a recorded one, with its verdicts, beside Python alone. */
export async function benchCodeRun(root: string): Promise<BenchRow[]> {
  const contained = await openContainment(1);
  if (!isContainment(contained)) return [];
  await contained.close();
  const cwd = await mkdtemp(path.join(tmpdir(), "hasp-code-"));
  const hasp = (...args: string[]) =>
    run(process.execPath, [path.join(root, "dist/hasp.cjs"), ...args], { cwd });
  const numbers = Array.from({ length: TASKS }, (_, n) => n);
  const answers = numbers.map((n) => ({ task_id: `Own/${n}`, solution: head(n) + BODY(n) }));
  const data = ["--questions", "tasks.jsonl"];
  try {
    await writeFile(path.join(cwd, "tasks.jsonl"), lines(numbers.map(row)));
    await writeFile(path.join(cwd, "answers.jsonl"), lines(answers));
    await hasp("import", "--from", "answers", "--domain", "code", "answers.jsonl", ...data, "-o", "recorded");
    const again = async (round: number): Promise<void> => {
      const policy = ["--policy", "recorded:recorded", "--concurrency", String(AT_ONCE)];
      const { stdout } = await hasp("run", "--domain", "code", ...data, ...policy, "-o", `again-${round}`);
      if (!stdout.includes(`${TASKS} correct`)) throw new Error(`Not every answer is right:\n${stdout}`);
    };
    const [ours, baseline] = await compare(ROUNDS, again, plainLoop);
    const perSecond = (taken: number): number => (TASKS / taken) * 1000;
    return [
      {
        name: "code-run",
        ours: perSecond(ours),
        baseline: perSecond(baseline),
        unit: "/s",
        method: `episodes of \`hasp run --domain code\` with a recorded policy, ${TASKS} tasks of ${2 * TESTS} tests, ${AT_ONCE} at once under ${contained.name}, start of the command included; against reference and answer in \`python3 -I\`; median of ${ROUNDS} rounds in turn`,
      },
    ];
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
