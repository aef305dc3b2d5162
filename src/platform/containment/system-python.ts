import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";

/** Only the system's folders are visible to a contained program. */
const PYTHONS = ["/usr/bin/python3", "/usr/local/bin/python3"];

/** The Python that Bubblewrap runs; undefined where the system has none. */
export const systemPython = (): string | undefined => PYTHONS.find((file) => fs.existsSync(file));

/** Such as `3.11.7`. Rejects where it does not start. */
export async function pythonVersion(python: string): Promise<string> {
  const args = ["-I", "-S", "-c", "import platform; print(platform.python_version())"];
  const { stdout } = await promisify(execFile)(python, args, { env: {}, cwd: "/" });
  return stdout.trim();
}
