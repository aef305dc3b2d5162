import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import {
  type DaemonFolder,
  type Daemons,
  daemonsBelow,
  endDaemon,
  type Environment,
  freePorts,
  openDaemons,
  type Said,
} from "./daemons.ts";
import { gresConf, NODES, nodeNames, slurmConf, type SlurmOptions } from "./slurm-conf.ts";
import { startAccounts } from "./slurm-accounts.ts";

/** A whole cluster on this machine, as root, without systemd and cgroups. */
export interface JoinedSlurm {
  /** For commands and for `startSshd`: SLURM_CONF, PATH, HOME and the mark of the folder. */
  readonly env: Environment;
  readonly conf: string;
  readonly folder: string;
  /** The home folder of its user. */
  readonly home: string;
  /** Runs a command in the home folder. Never throws for one that fails. */
  readonly run: (...command: readonly string[]) => Promise<Said>;
  /** Submits a job whose script is given as text; answers its id. Throws where sbatch refuses. */
  submit(script: string, ...options: readonly string[]): Promise<string>;
  squeue(...options: readonly string[]): Promise<Said>;
  sacct(...options: readonly string[]): Promise<Said>;
  scontrol(...options: readonly string[]): Promise<Said>;
  /** A job's state as the controller names it, `PENDING` and so on; nothing where it does not know the job. */
  state(id: string): Promise<string | undefined>;
  /** Waits until the job has one of these states, at most a minute. */
  untilState(id: string, ...states: readonly string[]): Promise<void>;
  stopController(): Promise<void>;
  startController(): Promise<void>;
  /** Starts the controller where it is down, takes all jobs out of the queue, and waits until none of them is in it. */
  clear(): Promise<void>;
}

/** One that ends with `stop`, or with this process. */
export interface Slurm extends JoinedSlurm {
  /** Pids of the daemons, the jobs and all else of this cluster. */
  running(): number[];
  stop(): Promise<void>;
}

/** As a login node has it: nothing of the shell that started the tests, and no Node. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Starts a cluster and waits until its nodes are idle, about 2 s. */
export async function startSlurm(options: SlurmOptions = {}): Promise<Slurm> {
  const daemons = await openDaemons("slurm");
  try {
    return await startIn(daemons, options);
  } catch (error) {
    await daemons.close();
    throw error;
  }
}

/** The cluster of a folder that another process has started, and stops. */
export function joinSlurm(folder: string): JoinedSlurm {
  const daemons = daemonsBelow(folder);
  return clusterOf(daemons, environmentOf(daemons));
}

const environmentOf = ({ at, mark }: Daemons): Environment => ({
  PATH,
  HOME: at("home"),
  LANG: "C.UTF-8",
  USER: "root",
  SLURM_CONF: at("slurm.conf"),
  ...mark,
});

async function startIn(daemons: DaemonFolder, options: SlurmOptions): Promise<Slurm> {
  const { at, folder } = daemons;
  for (const name of ["run", "log", "state", "spool", "home"]) mkdirSync(at(name));
  const [controller = 0, dbd = 0, ...nodes] = await freePorts(2 + (options.nodes ?? NODES));
  writeFileSync(at("slurm.conf"), slurmConf(folder, { controller, dbd, nodes }, options));
  writeFileSync(at("gres.conf"), gresConf(options));
  const env = environmentOf(daemons);
  await startMunge(daemons, env);
  const accounts = options.hasAccounts === true ? await startAccounts(daemons, env, dbd) : undefined;
  const slurm = clusterOf(daemons, env);
  await slurm.startController();
  await accounts?.register(slurm.run);
  await startNodes(daemons, slurm, options);
  return { ...slurm, running: () => daemons.running(), stop: () => daemons.close() };
}

async function startMunge({ start, until, at }: DaemonFolder, env: Environment): Promise<void> {
  writeFileSync(at("run/munge.key"), randomBytes(1024), { mode: 0o400 });
  const places = ["pid", "sock", "seed"].map((name) => at("run", `munge.${name}`));
  const [pid = "", socket = "", seed = ""] = places;
  const log = at("log/munged.log");
  const daemon = start(
    [
      "munged",
      "--foreground",
      "--force",
      `--key-file=${at("run/munge.key")}`,
      `--socket=${socket}`,
      `--pid-file=${pid}`,
      `--log-file=${log}`,
      `--seed-file=${seed}`,
    ],
    env,
  );
  await until(daemon, log, () => existsSync(socket));
}

async function startNodes(
  { at, start, until }: Daemons,
  slurm: JoinedSlurm,
  options: SlurmOptions,
): Promise<void> {
  const names = nodeNames(options);
  const nodes = names.map((name) => start([...(options.enter ?? []), "slurmd", "-D", "-N", name], slurm.env));
  for (const [i, node] of nodes.entries())
    await until(node, at("log", `slurmd-${names[i]}.log`), () => isUp(slurm, names[i] ?? ""));
}

function clusterOf({ at, start, until, folder }: Daemons, env: Environment): JoinedSlurm {
  const run: JoinedSlurm["run"] = async (file = "", ...args) => {
    const { exitCode, stdout, stderr } = await execa(file, args, {
      env,
      extendEnv: false,
      cwd: env["HOME"] ?? folder,
      stdin: "ignore",
      reject: false,
      stripFinalNewline: false,
    });
    return { code: exitCode, out: stdout, err: stderr };
  };
  const answers = async (): Promise<boolean> => (await run("scontrol", "ping")).code === 0;
  const slurm: JoinedSlurm = {
    env,
    conf: at("slurm.conf"),
    folder,
    home: at("home"),
    run,
    submit: (script, ...more) => submit(slurm, script, more),
    squeue: (...more) => run("squeue", ...more),
    sacct: (...more) => run("sacct", ...more),
    scontrol: (...more) => run("scontrol", ...more),
    async state(id) {
      const { out } = await run("scontrol", "show", "job", "-o", id);
      return /\bJobState=(\S+)/.exec(out)?.[1];
    },
    untilState: (id, ...states) => untilState(slurm, id, states),
    stopController: () => endDaemon(at("run/slurmctld.pid")),
    async startController() {
      const controller = start(["slurmctld", "-D"], env);
      await until(controller, at("log/slurmctld.log"), answers);
    },
    async clear() {
      if (!(await answers())) await slurm.startController();
      await run("scancel", "--user=root");
      while ((await run("squeue", "--noheader")).out !== "") await delay(100);
    },
  };
  return slurm;
}

async function isUp(slurm: JoinedSlurm, node: string): Promise<boolean> {
  const { out } = await slurm.run("sinfo", "--noheader", "--Node", "--nodes", node, "--format", "%T");
  return /^(?:idle|mixed|allocated|completing)\s/.test(out);
}

async function submit(slurm: JoinedSlurm, script: string, options: readonly string[]): Promise<string> {
  const { code, out, err } = await execa("sbatch", ["--parsable", ...options], {
    env: slurm.env,
    extendEnv: false,
    cwd: slurm.home,
    input: `#!/bin/bash\n${script}\n`,
    reject: false,
  }).then(({ exitCode, stdout, stderr }) => ({ code: exitCode, out: stdout, err: stderr }));
  if (code !== 0) throw new Error(`sbatch ended with ${code}: ${err}`);
  return out.trim();
}

async function untilState(slurm: JoinedSlurm, id: string, states: readonly string[]): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    const state = await slurm.state(id);
    if (states.includes(state ?? "")) return;
    if (performance.now() > until) {
      const { out, err } = await slurm.scontrol("show", "job", id);
      throw new Error(`Job ${id} is ${state ?? "unknown"}, not ${states.join(" or ")}.\n${out}${err}`);
    }
    await delay(50);
  }
}
