import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Action } from "../model/action.ts";
import type { Json, StepContext } from "../model/step-context.ts";
import type { NodeFiles } from "./files.ts";
import { HASP_WORDS as WORDS } from "../sandbox/hasp-words.ts";
import haspWords from "../sandbox/guest/hasp-module.ts?guest";
import { identityMap } from "./debug-source-map.ts";

/** A PF and the recorded step that it is to judge under a debugger. */
export interface DebugStep {
  /** Absolute path of the `pf.ts`. */
  readonly pfFile: string;
  /** Its JavaScript, everything on the same lines and columns (skill/transpile.ts). */
  readonly code: string;
  readonly context: StepContext;
  /** What the PF remembers when the step comes. */
  readonly memory: Json;
  readonly proposed: Pick<Action, "type" | "arg">;
}

/** What to start under the debugger. */
export interface DebugProgram {
  /** The script that calls the PF and prints what it decides. */
  readonly program: string;
  /** Must come before the script on Node's command line. */
  readonly nodeArguments: readonly string[];
}

/** What `import … from "hasp"` finds here: the very words of the sandbox, without the rest of it. */
const HASP = `${haspWords}\nexport const { ${WORDS.join(", ")} } = hasp.haspModule;\n`;

/** Node from 22.15 on has hooks in the thread itself; before, a module of their own. A PF imports "hasp" and nothing else. */
const HOOK = `import * as module from "node:module";

const at = (name) => new URL(name, import.meta.url).href;
const [hasp, pf] = [at("hasp.mjs"), at("pf.mjs")];
function resolve(specifier, context, next) {
  if (specifier === "hasp") return { url: hasp, shortCircuit: true };
  if (context.parentURL === pf) throw new Error(\`A Program Function imports "hasp" and nothing else, not "\${specifier}".\`);
  return next(specifier, context);
}
if (module.registerHooks) module.registerHooks({ resolve });
else {
  const source = \`const [hasp, pf] = \${JSON.stringify([hasp, pf])}; export \${resolve}\`;
  module.register(\`data:text/javascript,\${encodeURIComponent(source)}\`);
}
`;

/** As the sandbox calls a PF: the context can only be read, but for its memory; intervene runs after shouldActivate said true. */
const LAUNCH = `import { readFileSync } from "node:fs";
import Pf from "./pf.mjs";

function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
const { context, memory, proposed } = JSON.parse(readFileSync(new URL("step.json", import.meta.url), "utf8"));
const { type, arg } = proposed;
const ctx = Object.freeze({ ...frozen(context), memory });
const pf = new Pf();
console.log(\`Proposed: \${type}(\${JSON.stringify(arg)})\`);
if (pf.shouldActivate(ctx, type, arg)) console.log("Fires:", JSON.stringify(await pf.intervene(ctx, type, arg), undefined, 2));
else console.log("Does not fire: shouldActivate is false.");
`;

function filesOf({ pfFile, code, ...step }: DebugStep): readonly (readonly [string, string])[] {
  return [
    ["hasp.mjs", HASP],
    ["hook.mjs", HOOK],
    ["launch.mjs", LAUNCH],
    ["pf.mjs", `${code}\n//# sourceMappingURL=pf.mjs.map\n`],
    ["pf.mjs.map", identityMap(code, "pf.mjs", pathToFileURL(pfFile).href)],
    ["step.json", JSON.stringify(step)],
  ];
}

/** Writes what a debugger starts into `folder` (`.hasp/cache/debug/<skill>`), in place of what an earlier session left there. */
export async function writeDebugFolder(
  files: Pick<NodeFiles, "writeText">,
  folder: string,
  step: DebugStep,
): Promise<DebugProgram> {
  for (const [name, text] of filesOf(step)) await files.writeText(join(folder, name), text);
  const hook = pathToFileURL(join(folder, "hook.mjs")).href;
  return { program: join(folder, "launch.mjs"), nodeArguments: ["--import", hook] };
}
