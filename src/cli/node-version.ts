/** Of `engines` in package.json. */
export const NEEDED_NODE = 22;

/** Why this Node cannot run the commands, and what to do; undefined where it can. A hook is never stopped by it: what it cannot judge, it lets pass. */
export function tooOldNode(version: string, program: string): string | undefined {
  const [major = "0"] = version.split(".");
  if (Number(major) >= NEEDED_NODE) return undefined;
  return [
    `hasp needs Node ${NEEDED_NODE} or newer; this is Node ${version} (${program}).`,
    "    → Put a newer Node first on the PATH (https://nodejs.org), or name it: `<path of node> hasp.cjs …`.",
  ].join("\n");
}
