import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { browserBundle } from "../../scripts/lib/browser-bundle.mts";

/** A process with the replay's engine in it (replay-server.mts). */
export interface Engine {
  readonly origin: string;
  /** From now on a page is about the run in this folder, which nobody has read yet. */
  open(folder: string): Promise<void>;
  /** Megabytes after a collection: the whole process with its workers, and its heap. */
  memory(): Promise<{ readonly resident: number; readonly heap: number }>;
  stop(): void;
}

/** The page's script in this folder: what the extension ships, over another channel, and nothing of the fixture's own. */
export async function buildPage(root: string, folder: string): Promise<string> {
  const file = path.join(folder, "page.js");
  await writeFile(file, await browserBundle("webview/fixture/engine.ts", root));
  return file;
}

/** `script`: the bundled replay-server.mts. */
export async function startEngine(script: string, root: string, page: string): Promise<Engine> {
  const child = spawn(process.execPath, ["--expose-gc", script, path.resolve(root), page], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  const origin = `http://127.0.0.1:${first.toString().trim()}`;
  return {
    origin,
    async open(folder) {
      await fetch(`${origin}/open`, { method: "POST", body: folder });
    },
    async memory() {
      const usage = (await (await fetch(`${origin}/memory`)).json()) as NodeJS.MemoryUsage;
      return { resident: usage.rss / 1e6, heap: usage.heapUsed / 1e6 };
    },
    stop: () => void child.kill(),
  };
}
