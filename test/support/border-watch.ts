import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";

/** A server of a stranger's on this machine, which keeps what reaches it and answers as a model would. */
export interface Attacker {
  readonly origin: string;
  /** `POST /v1/chat/completions, with a key`, in the order of arrival. */
  readonly asked: string[];
  close(): Promise<void>;
}

const REPLY = JSON.stringify({
  choices: [
    { message: { role: "assistant", content: "Thought: known\nAction: FINAL[yes]" }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

export async function openAttacker(): Promise<Attacker> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    asked.push(`${request.method} ${request.url}${authorization === undefined ? "" : ", with a key"}`);
    request.resume();
    response.setHeader("content-type", "application/json").end(REPLY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** All that a folder holds, by path: kind, size and content. `isLeftOut` is asked about paths relative to it. */
export function snapshot(root: string, isLeftOut: (name: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (name: string): void => {
    if (isLeftOut(name)) return;
    const file = path.join(root, name);
    const stat = lstatSync(file);
    if (stat.isDirectory()) {
      if (name !== "") found.set(name, "folder");
      for (const one of readdirSync(file)) visit(path.join(name, one));
    } else if (stat.isSymbolicLink()) found.set(name, `link to ${readlinkSync(file)}`);
    else if (stat.isFile())
      found.set(
        name,
        `${stat.size} ${createHash("sha256").update(readFileSync(file)).digest("hex")} ${stat.mode}`,
      );
    else found.set(name, "special");
  };
  visit("");
  return found;
}

/** `+ name`, `- name` and `~ name` for what is new, gone and different. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `- ${name}`);
  const others = [...after].flatMap(([name, what]) => {
    const was = before.get(name);
    return was === what ? [] : [`${was === undefined ? "+" : "~"} ${name}`];
  });
  return [...gone, ...others];
}

/** Processes and connections of this process, while it is watched. */
export interface ProcessWatch {
  /** Command lines since the last look. */
  started(): readonly string[];
  /** Addresses since the last look. */
  connected(): readonly string[];
  /** Ends what was started and still runs. */
  close(): void;
}

/** Watches this thread. Node tells of each process and each connection as it begins. */
export function watchProcess(): ProcessWatch {
  const children: ChildProcess[] = [];
  let lines: string[] = [];
  let addresses: string[] = [];
  const onChild = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    children.push(child);
    // Its arguments are known once it is started.
    const told = lines.push("") - 1;
    const into = lines;
    queueMicrotask(() => (into[told] = child.spawnargs.join(" ")));
  };
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    const into = addresses;
    socket.once("connectionAttempt", (ip: string, port: number) => into.push(`${ip}:${port}`));
  };
  diagnostics.subscribe("child_process", onChild);
  diagnostics.subscribe("net.client.socket", onSocket);
  return {
    started() {
      const said = lines;
      lines = [];
      return said;
    },
    connected() {
      const said = addresses;
      addresses = [];
      return said;
    },
    close() {
      diagnostics.unsubscribe("child_process", onChild);
      diagnostics.unsubscribe("net.client.socket", onSocket);
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    },
  };
}
