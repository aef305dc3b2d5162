import fs from "node:fs";
import { fromHere } from "./surroundings.ts";
import { writePath } from "./write-path.ts";

/** Milliseconds between two looks. */
const POLL_MS = 500;

/** Asks whoever watches this file to stop at a clean boundary. */
export function requestStop(file: string): void {
  fs.writeFileSync(writePath(file), "");
}

/** Aborts once another process asks for a stop by this file; one that was left from before is removed first. */
export function watchForStop(file: string): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const remove = (): void => fs.rmSync(writePath(file), { force: true });
  remove();
  const timer = setInterval(() => {
    if (!fs.existsSync(fromHere(file))) return;
    clearInterval(timer);
    remove();
    controller.abort();
  }, POLL_MS);
  timer.unref();
  return {
    signal: controller.signal,
    close: () => clearInterval(timer),
  };
}
