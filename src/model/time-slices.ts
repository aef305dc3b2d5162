/** Milliseconds of work before everything else of the thread has its turn. */
const SLICE_MS = 20;

/**
 * Cuts long work of a thread that must stay responsive: the work awaits the function between its parts. It rejects with the signal's
 * reason after an abort.
 */
export function timeSlices(signal?: AbortSignal): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    began = performance.now();
  };
}
