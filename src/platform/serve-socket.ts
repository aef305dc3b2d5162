import { chmod, lstat, unlink } from "node:fs/promises";
import net from "node:net";
import process from "node:process";
import type { ServeServer } from "../agents/serve/server.ts";
import { serveLines } from "./serve-lines.ts";
import { absolute, fromHere } from "./surroundings.ts";
import { writePath } from "./write-path.ts";

/** The socket cannot be made where it was asked for; the message is for people. */
export class SocketTakenError extends Error {}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** As it was given where no link is on the way: a relative path may be shorter, and a path of a socket has about 100 characters. */
function socketPath(given: string): string {
  const real = writePath(given);
  return real === absolute(given) ? fromHere(given) : real;
}

/** Removes what a killed server left; leaves anything else alone. */
export async function makeRoom(given: string): Promise<void> {
  const path = socketPath(given);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new SocketTakenError(`${path} is there already, and is no socket.`);
  if (await isAnswered(path)) throw new SocketTakenError(`Another server listens at ${path}.`);
  await unlink(path);
}

/** Only its owner may connect, from the first moment on: the mask holds while the socket is made. */
export async function listenPrivately(server: net.Server, given: string): Promise<void> {
  const path = socketPath(given);
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(path, resolve);
    });
  } finally {
    process.umask(before);
  }
  await chmod(path, 0o600);
}

export interface SocketServing {
  /** Takes no further client, waits for those that are there to be let go, removes the socket. */
  close(): Promise<void>;
}

/**
 * Serves on a local socket with mode 0600, which is removed at the end. Rejects with SocketTakenError where another server listens or
 * something else stands there. Clients are let go when `signal` aborts.
 */
export async function serveSocket(
  server: ServeServer,
  path: string,
  signal: AbortSignal,
): Promise<SocketServing> {
  await makeRoom(path);
  const clients = new Set<Promise<void>>();
  const listener = net.createServer({ allowHalfOpen: true }, (socket) => {
    const done = serveLines(server, socket, socket, signal).finally(() => {
      socket.end();
      clients.delete(done);
    });
    clients.add(done);
  });
  await listenPrivately(listener, path);
  return {
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      await Promise.all(clients);
      await closed;
    },
  };
}
