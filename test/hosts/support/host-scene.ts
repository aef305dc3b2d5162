import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ALONE } from "../../../scripts/lib/agent-hosts.mts";
import { ROOT } from "../../support/core.ts";
import { type Raw, type Script, startModel, type Turn } from "./model-server.ts";
import type { RealHost } from "./real-hosts.ts";

/** Any port is free in a namespace of its own. */
const PORT = "8432";

/** Milliseconds that an agent may take: a turn takes one or two seconds, a test has some of them. */
const LIMIT_MS = 90_000;

/** What one run of an agent left to look at. */
export interface HostRun {
  /** Its own output, an event a line. */
  readonly events: readonly Raw[];
  readonly err: string;
  readonly code: number | null;
  /** What it asked the model, turn by turn. */
  readonly requests: readonly Raw[];
  /** What the model has read and said since it was first asked: all texts of that part of the conversation. */
  readonly read: string;
}

/** A repository with a commit, a user with a home, and one host that is to work there. */
export interface HostScene {
  readonly host: RealHost;
  readonly base: string;
  readonly repo: string;
  readonly home: string;
  /** Of the host and of `hasp`. */
  readonly env: Record<string, string | undefined>;
  write(file: string, text: string): void;
  read(file: string): string;
  has(file: string): boolean;
  git(...args: readonly string[]): string;
  /** Commits a small project whose tests run with this command. Returns the calls that look at its file and repair it. */
  addProject(test: string): readonly Turn[];
  /** `hasp hook install` for this host, from the built program. */
  install(): void;
  /** The same from a copy of the program, whose hook the test may then break. Returns the copy's hook. */
  installCopy(): string;
  hasp(...args: readonly string[]): void;
  run(prompt: string, script: Script, ...args: readonly string[]): Promise<HostRun>;
  close(): void;
}

export function openHostScene(host: RealHost): HostScene {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), `hasp-${host.name}-`)));
  const at = (...names: readonly string[]): string => path.join(base, ...names);
  const [repo, home] = [at("repo"), at("home")];
  for (const folder of [repo, home, at("tmp")]) mkdirSync(folder);
  const env = {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    HOME: home,
    TMPDIR: at("tmp"),
    GIT_CONFIG_GLOBAL: path.join(home, "gitconfig"),
    ...host.env(home, PORT),
  };
  host.prepare(home, repo, PORT);
  const run = (file: string, args: readonly string[]): string =>
    execFileSync(file, args, { cwd: repo, env, encoding: "utf8", stdio: "pipe" });
  const program = (dist: string, args: readonly string[]) =>
    void run(process.execPath, [path.join(dist, "hasp.cjs"), ...args]);
  const install = (dist: string): void => program(dist, ["hook", "install", "--host", host.name, "--yes"]);
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    "[user]\n\tname = Somebody\n\temail = somebody@example.org\n[init]\n\tdefaultBranch = main\n",
  );
  const scene: HostScene = {
    host,
    base,
    repo,
    home,
    env,
    write(file, text) {
      const target = at("repo", file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    },
    read: (file) => readFileSync(at("repo", file), "utf8"),
    has: (file) => existsSync(at("repo", file)),
    git: (...args) => run("git", args),
    addProject(test) {
      const [wrong, right] = ["exports.add = (a, b) => a - b;", "exports.add = (a, b) => a + b;"];
      scene.write("package.json", JSON.stringify({ scripts: { test } }));
      scene.write("src/add.js", `${wrong}\n`);
      scene.git("add", ".");
      scene.git("commit", "--quiet", "--message", "A project with tests");
      const file = at("repo/src/add.js");
      return [{ calls: [host.look(file)] }, { calls: [host.edit(file, wrong, right)] }];
    },
    install: () => install(path.join(ROOT, "dist")),
    installCopy() {
      const copy = at("hasp/dist");
      const names = readdirSync(path.join(ROOT, "dist")).filter((name) =>
        /^(hook|hasp\.cjs$|quickjs)/.test(name),
      );
      for (const name of names) cpSync(path.join(ROOT, "dist", name), path.join(copy, name));
      install(copy);
      return path.join(copy, "hook.cjs");
    },
    hasp: (...args) => program(path.join(ROOT, "dist"), args),
    async run(prompt, script, ...args) {
      const model = await startModel(host.api, script);
      try {
        const inside = [process.execPath, path.join(import.meta.dirname, "inside.mts"), model.socket, PORT];
        const ended = await runAlone([...inside, ...host.command(prompt), ...args], { cwd: repo, env });
        const [first = [], last = first] = [model.requests.at(0), model.requests.at(-1)].map(
          (request) => request && host.conversation(request),
        );
        return { ...ended, requests: model.requests, read: textsIn(last.slice(first.length)).join("\n") };
      } finally {
        await model.close();
      }
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
  scene.write("app.txt", "one\n");
  scene.git("init", "--quiet");
  scene.git("add", ".");
  scene.git("commit", "--quiet", "--message", "First");
  return scene;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Runs a command that reaches loopback alone; everything that it starts ends with it, or at the limit. */
function runAlone(
  command: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Pick<HostRun, "events" | "err" | "code">> {
  const [file = "", ...args] = [...ALONE, ...command];
  const child = spawn(file, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (out += String(piece)));
  child.stderr.on("data", (piece: Buffer) => (err += String(piece)));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (signal !== null)
        return reject(new Error(`The agent did not end within ${LIMIT_MS} ms:\n${out}\n${err}`));
      const lines = out.split("\n").filter((line) => line.startsWith("{"));
      return resolve({ events: lines.map((line) => JSON.parse(line) as Raw), err, code });
    });
  });
}
