import { PF_COMPILER_OPTIONS } from "./compiler-options.ts";
import haspTypes from "./lib/hasp.d.ts?text";
import haspLib from "./lib/lib.hasp.d.ts?text";

/** Where the types stand, seen from the root of a workspace. They are ours: `hasp init` overwrites them. */
export const TYPES_FILE = ".hasp/types/hasp.d.ts";
export const LIB_FILE = ".hasp/types/lib.hasp.d.ts";
export const TSCONFIG_FILE = "skills/tsconfig.json";
export const CONFIG_FILE = "hasp.yaml";

const HASP_YAML = `# HASP Studio reads this file at the root of the workspace. All paths are relative to it.

# Folders that hold skills. Each skill is a folder with a SKILL.md, usually a pf.ts and a cases.yaml.
# \`builtin:web-search\` and \`builtin:coding-agent\` are those that came with HASP Studio.
libraries:
  - builtin:web-search
  - builtin:coding-agent
  - skills
  # Those that coding agents read as well, once they are named: .github/skills, .claude/skills, .agents/skills
`;

/**
 * What `hasp init` and New Skill write, by path from the root of the workspace (with `/`). `hasp.yaml` and the tsconfig
 * belong to the user once they exist; the two type files are written anew each time.
 */
export function workspaceFiles(): ReadonlyMap<string, string> {
  return new Map([
    [TYPES_FILE, haspTypes],
    [LIB_FILE, haspLib],
    [TSCONFIG_FILE, tsconfig()],
    [CONFIG_FILE, HASP_YAML],
  ]);
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
