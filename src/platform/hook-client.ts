import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import process from "node:process";
import { hookSocket } from "./hook-workspace.ts";

/** Milliseconds in which a resident process takes a connection: it has nothing else to do. */
const CONNECT_MS = 50;

/** A socket that another user has put there is none of ours, nor is one that a link of the workspace leads to. */
function isOurs(file: string): boolean {
  if (process.platform === "win32") return true;
  if (fs.lstatSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

/** What the resident process of this workspace answers, as one line; undefined where there is none, or it does not answer in time. */
export function askResident(root: string, request: object, budgetMs: number): Promise<string | undefined> {
  const file = hookSocket(root);
  if (!isOurs(file)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = net.connect(file);
    const end = (reply?: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    };
    let timer = setTimeout(end, CONNECT_MS);
    socket.once("error", () => end());
    socket.once("connect", () => {
      clearTimeout(timer);
      timer = setTimeout(end, budgetMs);
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (piece.at(-1) === 10) end(Buffer.concat(pieces).toString("utf8").trimEnd());
    });
    socket.once("end", () => end());
  });
}
