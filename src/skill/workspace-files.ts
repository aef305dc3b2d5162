import { shippedLibraries, type DomainSpec } from "../model/domain-spec.ts";
import { PF_COMPILER_OPTIONS } from "./compiler-options.ts";
import { haspTypes } from "./hasp-types.ts";
import haspLib from "./lib/lib.hasp.d.ts?text";

/** Where the types stand, seen from the root of a workspace. They are ours: `hasp init` overwrites them. */
export const TYPES_FILE = ".hasp/types/hasp.d.ts";
export const LIB_FILE = ".hasp/types/lib.hasp.d.ts";
export const TSCONFIG_FILE = "skills/tsconfig.json";
export const CONFIG_FILE = "hasp.yaml";

function haspYaml(domains: readonly DomainSpec[]): string {
  const shipped = shippedLibraries(domains);
  const named = new Intl.ListFormat("en").format(shipped.map((name) => `\`${name}\``));
  return `# HASP Studio reads this file at the root of the workspace. All paths are relative to it.

# Folders that hold skills. Each skill is a folder with a SKILL.md, usually a pf.ts and a cases.yaml.
# ${named} are those that came with HASP Studio.
libraries:
${shipped.map((name) => `  - ${name}\n`).join("")}  - skills
  # Those that coding agents read as well, once they are named: .github/skills, .claude/skills, .agents/skills
`;
}

/**
 * What VS Code's own TypeScript needs for `pf.ts`, by path from the root of the workspace (with `/`). The tsconfig belongs to the user
 * once it exists; the two type files are written anew each time.
 */
export function typeFiles(domains: readonly DomainSpec[]): ReadonlyMap<string, string> {
  return new Map([
    [TYPES_FILE, haspTypes(domains)],
    [LIB_FILE, haspLib],
    [TSCONFIG_FILE, tsconfig()],
  ]);
}

/** All that `hasp init` writes: `typeFiles`, and a `hasp.yaml` with the libraries shipped for these domains, the user's once it exists. */
export function workspaceFiles(domains: readonly DomainSpec[]): ReadonlyMap<string, string> {
  return new Map([...typeFiles(domains), [CONFIG_FILE, haspYaml(domains)]]);
}

function tsconfig(): string {
  const paths = { hasp: [`../${TYPES_FILE}`] };
  const config = {
    compilerOptions: { ...PF_COMPILER_OPTIONS, paths },
    files: [`../${LIB_FILE}`],
    include: ["**/*.ts"],
  };
  return `// Written by HASP Studio: what a Program Function may use. Keep noLib and types.\n${JSON.stringify(config, null, 2)}\n`;
}
