import { existsSync, writeFileSync } from "node:fs";
import { execa } from "execa";
import type { DaemonFolder, Environment, Said } from "./daemons.ts";

/** Runs a command of the cluster. */
type Run = (...command: readonly string[]) => Promise<Said>;

/** The database of a cluster's accounting. */
export interface Accounts {
  /** Adds the cluster, the account `lab` and the user to it, and limits: the QOS `tight` takes one job of a user at a time. */
  register(run: Run): Promise<void>;
}

/** Starts a private MariaDB without a network port, and slurmdbd. About 5 s. */
export async function startAccounts(
  { at, start, until }: DaemonFolder,
  env: Environment,
  port: number,
): Promise<Accounts> {
  const [data, socket, log] = [at("db"), at("run/mariadb.sock"), at("log/mariadb.log")];
  const files = ["--no-defaults", `--datadir=${data}`];
  await execa("mariadb-install-db", [...files, "--auth-root-authentication-method=normal", "--user=root"], {
    env,
  });
  const database = start(
    ["mariadbd", ...files, `--socket=${socket}`, `--log-error=${log}`, "--skip-networking", "--user=root"],
    env,
  );
  const conf = at("slurmdbd.conf");
  writeFileSync(
    conf,
    `${[
      "AuthType=auth/munge",
      `AuthInfo=socket=${at("run/munge.sock")}`,
      "DbdHost=localhost",
      "DbdAddr=127.0.0.1",
      `DbdPort=${port}`,
      "SlurmUser=root",
      `LogFile=${at("log/slurmdbd.log")}`,
      `PidFile=${at("run/slurmdbd.pid")}`,
      "StorageType=accounting_storage/mysql",
      "StorageHost=localhost",
      "StorageUser=root",
      "StorageLoc=slurm",
    ].join("\n")}\n`,
    { mode: 0o600 },
  );
  // MariaDB's client library takes the socket from the environment.
  const own = { ...env, MYSQL_UNIX_PORT: socket };
  await until(database, log, () => existsSync(socket));
  const daemon = start(["slurmdbd", "-D"], own);
  await until(
    daemon,
    at("log/slurmdbd.log"),
    async () => await answers("sacctmgr", ["-n", "list", "cluster"], env),
  );
  return { register };
}

async function answers(file: string, args: readonly string[], env: Environment): Promise<boolean> {
  const { exitCode } = await execa(file, args, { env, extendEnv: false, stdin: "ignore", reject: false });
  return exitCode === 0;
}

async function register(run: Run): Promise<void> {
  const orders = [
    ["add", "account", "lab", "cluster=loop"],
    ["add", "qos", "tight", "set", "MaxSubmitJobsPerUser=1", "Flags=DenyOnLimit"],
    ["modify", "account", "lab", "set", "qos+=tight,normal"],
    ["add", "user", "root", "account=lab"],
    // Without it, the account of this name stays root's own.
    ["modify", "user", "root", "set", "DefaultAccount=lab"],
  ];
  for (const order of orders) {
    const { code, out, err } = await run("sacctmgr", "--immediate", ...order);
    if (code !== 0) throw new Error(`sacctmgr ${order.join(" ")}: ${out}${err}`);
  }
}
