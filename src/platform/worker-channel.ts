import { parentPort } from "node:worker_threads";
import type { Channel } from "../protocol/connection.ts";

/** The worker's side of its channel to the thread that started it. */
export function channelToParent(): Channel {
  const port = parentPort;
  if (port === null) throw new Error("This code runs only in a worker.");
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on("message", listener),
  };
}
