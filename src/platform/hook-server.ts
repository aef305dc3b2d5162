import net from "node:net";
import path from "node:path";
import process from "node:process";
import { lineSplitter } from "../agents/serve/lines.ts";
import { hookSocket } from "./hook-workspace.ts";
import { listenPrivately, makeRoom } from "./serve-socket.ts";
import { makeFolderSync } from "./sync-files.ts";

/** Bytes of one request: an event and what is said of it. */
const MAX_LINE = 80 * 1024 * 1024;

export interface HookServing {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Listens where `hasp hook` of this workspace looks first, for this user alone. One line of a connection at a time is answered. Rejects
 * with SocketTakenError where another process listens there.
 */
export async function serveHooks(
  root: string,
  answer: (line: string) => Promise<string>,
): Promise<HookServing> {
  const file = hookSocket(root);
  if (process.platform !== "win32") {
    makeFolderSync(path.dirname(file));
    await makeRoom(file);
  }
  const clients = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    clients.add(socket);
    const splitter = lineSplitter(MAX_LINE);
    let turn = Promise.resolve();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => clients.delete(socket));
    socket.on("data", (piece: Buffer) => {
      for (const line of splitter.push(piece)) {
        if (line.kind !== "line") return void socket.destroy();
        const text = Buffer.from(line.bytes).toString("utf8");
        turn = turn.then(async () => void socket.write(`${await answer(text)}\n`));
      }
    });
  });
  if (process.platform === "win32")
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(file, resolve));
  else await listenPrivately(server, file);
  return {
    path: file,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of clients) socket.destroy();
      }),
  };
}
