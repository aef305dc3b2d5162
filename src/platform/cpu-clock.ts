import process from "node:process";

/** Node ≥ 23.9; older ones, and Electron's, may lack it. */
type CpuUsage = () => { readonly user: number; readonly system: number };

const usage = (process as { readonly threadCpuUsage?: CpuUsage }).threadCpuUsage;

/** Milliseconds of processor time this thread has used, or of wall time where Node cannot tell. */
export function threadCpuNow(): number {
  if (usage === undefined) return performance.now();
  const { user, system } = usage.call(process);
  return (user + system) / 1_000;
}
