import process from "node:process";
import { parentPort } from "node:worker_threads";
import type { Channel } from "../protocol/connection.ts";

/** The worker's side of its channel to the thread or the process that started it. */
export function channelToParent(): Channel {
  const port = parentPort;
  if (port !== null)
    return {
      post: (message) => port.postMessage(message),
      onMessage: (listener) => void port.on("message", listener),
    };
  if (process.send === undefined) throw new Error("This code runs only in a worker.");
  // Nobody is there any more to hear of its work.
  process.once("disconnect", () => process.exit());
  return {
    post: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on("message", listener),
  };
}
