import { setFlagsFromString } from "node:v8";

/**
 * Keeps the memory of this process near what it holds. V8 lets its space for new objects grow to some 100 MB where many of them stay alive,
 * as those of a file do while it is imported, and the others to several times what is alive; that saves little time here
 * (test/bench/import.mts). Of no use to a process that does other work.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  // So small a space is copied sooner than other threads are told to help.
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--heap-growing-percent=80");
}
