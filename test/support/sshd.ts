import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { execa } from "execa";
import {
  type Daemons,
  daemonsBelow,
  endDaemon,
  type Environment,
  freePorts,
  openDaemons,
  pidIn,
  type Said,
} from "./daemons.ts";
import { childrenOf } from "./keeper.mts";

export interface SshdOptions {
  /** Variables of the commands of a session: the `env` of `startSlurm`. HOME is the home folder, where sessions begin; default a new one. */
  readonly env?: Environment;
  /** Asks for a password, and takes no key. */
  readonly passwordOnly?: boolean;
  /** As in `SshdPlace`; default none. */
  readonly enter?: readonly string[];
}

/** The place of a login node, for another process that may restart it. */
export interface SshdPlace {
  readonly folder: string;
  readonly port: number;
  readonly home: string;
  /** Words put before the daemon, for a disk that its sessions share with a cluster (`SmallDisk.enter`). */
  readonly enter: readonly string[];
}

/** A login node on this machine, as root, with a client of its own. */
export interface JoinedSshd extends SshdPlace {
  /** The alias in the configuration of the client, `cluster`. */
  readonly host: string;
  /** A configuration for `ssh -F`. */
  readonly config: string;
  readonly knownHosts: string;
  /** A folder for the front of PATH: its `ssh`, `scp` and `sftp` use the configuration, whatever the user has. */
  readonly bin: string;
  /** For commands of the test, `rsync` among them: PATH begins with `bin`. */
  readonly clientEnv: Environment;
  /** Runs a command on a host of the configuration (`cluster`), in BatchMode. Never throws for one that fails. */
  ssh(command: string, host?: string): Promise<Said>;
  /** Adds an alias like `cluster` that goes to another port of this machine. `lines` come first, and the first of two options holds. */
  addHost(alias: string, port: number, lines?: readonly string[]): void;
  /** Pids of the processes that serve a connection each. */
  connections(): number[];
  /** Ends these at once. Commands run on, as after a broken link. */
  cutConnections(): void;
  /** No more connections are taken, and those that are there stay. */
  stopListening(): Promise<void>;
  startListening(): Promise<void>;
}

/** One that ends with `stop`, or with this process. */
export interface Sshd extends JoinedSshd {
  running(): number[];
  stop(): Promise<void>;
}

const HOST = "cluster";
/** The name of the host's key among the known ones, for every alias and port. */
const KEY_NAME = "hasp-test-cluster";
/** sshd wants this empty folder of root's, whatever its configuration says. */
const SEPARATION = "/run/sshd";

/** Starts sshd on a free port of 127.0.0.1 and waits until it answers, under a second. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const daemons = await openDaemons("sshd");
  const { at, folder } = daemons;
  try {
    const [port = 0] = await freePorts(1);
    const home = options.env?.["HOME"] ?? at("home");
    for (const name of [home, SEPARATION]) mkdirSync(name, { recursive: true });
    await makeKey(at("id_ed25519"));
    await makeHostKey(at("host_key"), at("known_hosts"));
    writeFileSync(at("sshd_config"), serverConfig(daemons, port, options));
    writeFileSync(at("passwd"), passwdWith(home));
    const sshd = sshdOf(daemons, { folder, port, home, enter: options.enter ?? [] }, folder);
    await sshd.startListening();
    return { ...sshd, running: () => daemons.running(), stop: () => daemons.close() };
  } catch (error) {
    await daemons.close();
    throw error;
  }
}

/** A client of a login node that another process has started, and stops. Its files are below `client`. */
export const joinSshd = (place: SshdPlace, client: string): JoinedSshd =>
  sshdOf(daemonsBelow(place.folder), place, client);

function sshdOf(daemons: Daemons, place: SshdPlace, client: string): JoinedSshd {
  const { at, mark, start, until } = daemons;
  const { port, enter } = place;
  const [identity, knownHosts] = [at("id_ed25519"), at("known_hosts")];
  const [bin, config] = [path.join(client, "bin"), path.join(client, "ssh_config")];
  writeClient(bin, config);
  const clientEnv = { PATH: `${bin}:${process.env["PATH"]}`, HOME: bin, ...mark };
  // Sessions begin in the home folder of /etc/passwd: these processes alone see another one.
  const ownHome = [
    "unshare",
    "--mount",
    "sh",
    "-ec",
    'mount --bind "$1" /etc/passwd; shift; exec "$@"',
    "sh",
  ];
  const [log, pidFile] = [at("sshd.log"), at("sshd.pid")];
  const command = [...enter, ...ownHome, at("passwd"), "/usr/sbin/sshd", "-D"];
  const sshd: JoinedSshd = {
    ...place,
    host: HOST,
    config,
    knownHosts,
    bin,
    clientEnv,
    async ssh(line, host = HOST) {
      const { exitCode, stdout, stderr } = await execa("ssh", ["-o", "BatchMode=yes", host, line], {
        env: clientEnv,
        stdin: "ignore",
        reject: false,
        stripFinalNewline: false,
      });
      return { code: exitCode, out: stdout, err: stderr };
    },
    addHost: (alias, to, lines = []) =>
      appendFileSync(config, hostLines(alias, to, { identity, knownHosts }, lines)),
    connections() {
      const daemon = pidIn(pidFile);
      return daemon === undefined ? [] : childrenOf(daemon);
    },
    cutConnections() {
      for (const pid of sshd.connections()) process.kill(pid, "SIGKILL");
    },
    stopListening: () => endDaemon(pidFile),
    async startListening() {
      const daemon = start([...command, "-f", at("sshd_config"), "-E", log], {
        PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      });
      await until(daemon, log, () => isListening(port));
    },
  };
  sshd.addHost(HOST, port);
  return sshd;
}

const makeKey = (file: string): Promise<unknown> =>
  execa("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "hasp-test", "-f", file]);

async function makeHostKey(file: string, knownHosts: string): Promise<void> {
  await makeKey(file);
  writeFileSync(knownHosts, `${KEY_NAME} ${readFileSync(`${file}.pub`, "utf8")}`);
}

function serverConfig({ at, mark }: Daemons, port: number, options: SshdOptions): string {
  const seen = Object.entries({ ...mark, ...options.env }).map(([name, value]) => `"${name}=${value}"`);
  return `${[
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host_key")}`,
    `AuthorizedKeysFile ${at("id_ed25519.pub")}`,
    `PidFile ${at("sshd.pid")}`,
    "UsePAM no",
    "StrictModes no",
    `PasswordAuthentication ${options.passwordOnly === true ? "yes" : "no"}`,
    `PubkeyAuthentication ${options.passwordOnly === true ? "no" : "yes"}`,
    "KbdInteractiveAuthentication no",
    `PermitRootLogin ${options.passwordOnly === true ? "yes" : "prohibit-password"}`,
    "MaxStartups 100",
    "PrintMotd no",
    "Subsystem sftp /usr/lib/openssh/sftp-server",
    `SetEnv ${seen.join(" ")}`,
  ].join("\n")}\n`;
}

/** /etc/passwd with another home folder and shell of this user. */
function passwdWith(home: string): string {
  const { username } = userInfo();
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const own = lines.map((line) => {
    const [name, password, uid, gid, about] = line.split(":");
    return name === username ? [name, password, uid, gid, about, home, "/bin/bash"].join(":") : line;
  });
  return own.join("\n");
}

interface Client {
  readonly identity: string;
  readonly knownHosts: string;
}

function hostLines(
  alias: string,
  port: number,
  { identity, knownHosts }: Client,
  first: readonly string[],
): string {
  const lines = [
    ...first,
    "HostName 127.0.0.1",
    `Port ${port}`,
    `User ${userInfo().username}`,
    `IdentityFile ${identity}`,
    "IdentitiesOnly yes",
    `HostKeyAlias ${KEY_NAME}`,
    `UserKnownHostsFile ${knownHosts}`,
    "GlobalKnownHostsFile /dev/null",
    "StrictHostKeyChecking yes",
  ];
  return `Host ${alias}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Clients that read this configuration: `ssh` takes the home folder from /etc/passwd, whatever HOME says. */
function writeClient(bin: string, config: string): void {
  mkdirSync(bin, { recursive: true });
  for (const name of ["ssh", "scp", "sftp"]) {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec /usr/bin/${name} -F '${config}' "$@"\n`);
    chmodSync(file, 0o755);
  }
}

/** In the kernel's list, because a connection would begin a session. */
function isListening(port: number): boolean {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const LISTENS = "0A";
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .some(([, local, , state]) => local === wanted && state === LISTENS);
}

/** An alias whose port nobody listens on. */
export async function addClosedHost(sshd: JoinedSshd, alias: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  sshd.addHost(alias, port);
}

/** An alias whose key is not among the known ones. */
export function addStranger(sshd: JoinedSshd, alias: string): void {
  sshd.addHost(alias, sshd.port, ["UserKnownHostsFile /dev/null"]);
}

/** An alias whose key is another one than the client knows, as after a machine was set up anew. */
export async function addImpostor(sshd: JoinedSshd, alias: string): Promise<void> {
  const file = path.join(path.dirname(sshd.config), `${alias}_key`);
  await makeHostKey(file, `${file}.known`);
  sshd.addHost(alias, sshd.port, [`UserKnownHostsFile ${file}.known`]);
}

/** An alias that takes connections and never says a word. */
export async function addSilentHost(sshd: JoinedSshd, alias: string): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  sshd.addHost(alias, address.port);
  return {
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
