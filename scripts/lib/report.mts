/** Says one line to the person who started the script. */
export function say(line: string): void {
  console.log(`[hasp] ${line}`);
}

/** Seconds since `start` (milliseconds, `performance.now()`), for a person. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const STOP = "Stop";

/** An error that a person can act on: its message says what to do, so no stack is shown with it. */
export function stop(message: string): Error {
  const error = new Error(message);
  error.name = STOP;
  return error;
}

/** Runs a script's main function; its number is the exit code. A `stop()` ends with its message and 2, a bug with its stack and 1. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const stopped = error instanceof Error && error.name === STOP;
    console.error(stopped ? `[hasp] ${error.message}` : error);
    process.exitCode = stopped ? 2 : 1;
  }
}
