import { readFile } from "node:fs/promises";
import path from "node:path";

/** The modules of `hasp_target`, each after those that it imports. */
const MODULES = ["frames", "folders", "scheduler", "store", "outputs", "machine", "jobs", "main"] as const;

/** Makes the modules of their texts, and answers the request. */
const START = `
import sys, types
package = types.ModuleType("hasp_target")
package.__path__ = []
sys.modules["hasp_target"] = package
for name, text in MODULES:
    module = types.ModuleType("hasp_target." + name)
    sys.modules[module.__name__] = module
    setattr(package, name, module)
    exec(compile(text, "hasp_target/" + name + ".py", "exec"), module.__dict__)
sys.modules["hasp_target.main"].main()
`;

const programs = new Map<string, Promise<Uint8Array>>();

async function readProgram(trainer: string): Promise<Uint8Array> {
  const texts = await Promise.all(
    MODULES.map(async (name) => [
      name,
      await readFile(path.join(trainer, "hasp_target", `${name}.py`), "utf8"),
    ]),
  );
  // JSON of texts in ASCII is Python, too.
  return Buffer.from(`MODULES = ${JSON.stringify(texts)}\n${START}`);
}

/** The program that answers on a target, of a build's `trainer/` folder. Rejects where the build lacks it. */
export function targetProgram(trainer: string): Promise<Uint8Array> {
  const known = programs.get(trainer);
  if (known !== undefined) return known;
  const read = readProgram(trainer);
  programs.set(trainer, read);
  return read;
}
