import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { Containment } from "../../src/scoring/containment.ts";
import type { HostileAnswer } from "./exhausting-answers.ts";
import { isOpenToAll } from "./folder-for-all.ts";
import { attackOf, HOSTILE_ANSWERS, type Targets } from "./hostile-answers.ts";

const CANARY = "a file of the machine";

/** Targets that are there until `close`, which says what was done to them. `folder`: every user can read it, and it is the suite's alone. */
export async function openTargets(folder: string) {
  const id = randomUUID();
  const targets: Targets = {
    canary: path.join(folder, "canary", "canary.txt"),
    secret: `secret-${id}`,
    port: 0,
    abstract: `hasp-${id}`,
    socket: path.join(folder, "socket"),
    parent: process.pid,
    shared: `/dev/shm/hasp-${id}`,
  };
  fs.mkdirSync(path.dirname(targets.canary));
  fs.writeFileSync(targets.canary, CANARY);
  fs.writeFileSync(targets.shared, CANARY);
  const variable = `HASP_CANARY_${process.pid}`;
  process.env[variable] = targets.secret;
  let connections = 0;
  const servers = [
    { port: 0, host: "127.0.0.1" },
    { path: `\0${targets.abstract}` },
    { path: targets.socket },
  ];
  const listening = await Promise.all(
    servers.map(async (at) => {
      const server = net.createServer((socket) => {
        connections++;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(at, resolve));
      return server;
    }),
  );
  fs.chmodSync(targets.socket, 0o666);
  const address = listening[0]?.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    targets: { ...targets, port },
    connections: () => connections,
    isIntact: () => fs.existsSync(targets.canary) && fs.readFileSync(targets.canary, "utf8") === CANARY,
    close: async () => {
      delete process.env[variable];
      fs.rmSync(targets.shared, { force: true });
      await Promise.all(listening.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Processes of the machine whose first word is this. */
export const processesNamed = (name: string): readonly string[] =>
  fs.readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] === name;
    } catch {
      return false;
    }
  });

/** What went wrong with one attack: it reached something, it did not try, or it ended as it should not. Empty where it is contained. */
function faultsOf(answer: HostileAnswer, lines: readonly string[], end: string): readonly string[] {
  const escaped = lines.filter((line) => line.startsWith("escaped"));
  const hasTried = answer.ends !== undefined || lines.some((line) => line.startsWith("held"));
  const ends: readonly string[] = answer.ends ?? ["exited"];
  return [
    ...escaped.map((line) => `${answer.name}: ${line}`),
    ...(hasTried || escaped.length > 0 ? [] : [`${answer.name}: it did not try`]),
    ...(ends.includes(end) ? [] : [`${answer.name}: ended by ${end}, not ${ends.join(" or ")}`]),
  ];
}

const limitsOf = ({ ends }: HostileAnswer) => ({
  wallMs: ends?.includes("time") === true ? 300 : 20_000,
  memoryBytes: 1 << 30,
  outputBytes: 1 << 20,
});

/** Runs every attack in a containment, and answers what went wrong. */
export async function runHostileAnswers(
  containment: Containment,
  targets: Targets,
): Promise<readonly string[]> {
  const marker = `hasp-left-behind-${randomUUID()}`;
  const faults = await Promise.all(
    HOSTILE_ANSWERS.map(async (answer) => {
      const order = { program: attackOf(answer, targets, marker), input: "", limits: limitsOf(answer) };
      const program = containment.start(order, new AbortController().signal);
      const lines: string[] = [];
      for await (const line of program.results) lines.push(line);
      const end = await program.ended;
      const found = faultsOf(answer, lines, end.kind === "stopped" ? end.why : end.kind);
      return found.map((fault) => `${fault} ${end.stderr.slice(-200)}`);
    }),
  );
  const left = processesNamed(marker).map((pid) => `process ${pid} was left behind`);
  return [...faults.flat(), ...left];
}

/** Runs an attack that only reads the test's own targets in plain Python, and answers its reports. */
export async function runOutside(answer: HostileAnswer, targets: Targets): Promise<string> {
  if (answer.worksOutside !== true)
    throw new Error(`${answer.name} is not to be run outside of a containment`);
  const child = spawn("python3", ["-I", "-c", attackOf(answer, targets, "none")], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let text = "";
  (child.stdio[3] as NodeJS.ReadableStream).on("data", (chunk) => (text += String(chunk)));
  await new Promise((resolve) => child.once("close", resolve));
  return text;
}

/** The containment that the answers run in. */
export type HostileForm = "bubblewrap" | "pyodide" | "pyodide in bubblewrap";

const SUITE = path.resolve(import.meta.dirname, "hostile-suite.mts");

/** Whether another user than root can start the suite from this folder. */
export const canOthersRunSuite = (): boolean => [process.execPath, SUITE].every(isOpenToAll);

/** Runs the suite in another process and returns its faults. `uid`: the user of that process, this one where it is left out. `folder`: belongs to that user and is used by nothing else. */
export async function runSuiteAs(
  uid: number | undefined,
  form: HostileForm,
  folder: string,
): Promise<readonly string[]> {
  const user = uid === undefined ? {} : { uid, gid: uid };
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [SUITE, folder, form], { ...user, env });
  return JSON.parse(stdout) as readonly string[];
}
