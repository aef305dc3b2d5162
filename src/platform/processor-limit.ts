import process from "node:process";

/** The limit is processor time, as far as it can be told; beyond so many times the limit the clock on the wall decides. */
const MOST_WALL = 4;

/** The processor time that this process has used, all threads, in milliseconds: never less than that of one worker. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Calls `late` once a worker may have used so many milliseconds of processor time, never before they have passed on the wall: a busy
 * machine makes nobody late. `mostWall`: 1 where somebody waits for the answer. Answers that have arrived and were not read yet are read first. The result calls it off.
 */
export function onProcessorLimit(limitMs: number, late: () => void, mostWall = MOST_WALL): () => void {
  const since = { wall: performance.now(), cpu: processorMs() };
  let isOff = false;
  let timer: NodeJS.Timeout;
  function arm(ms: number): void {
    timer = setTimeout(() => {
      // Timers run before messages are read: a thread that was busy itself must not blame the worker.
      setImmediate(() => {
        if (isOff) return;
        const wallMs = performance.now() - since.wall;
        const usedMs = processorMs() - since.cpu;
        if (usedMs >= limitMs || wallMs >= mostWall * limitMs) late();
        else arm(Math.max(20, limitMs - usedMs));
      });
    }, ms);
    timer.unref();
  }
  arm(limitMs);
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
