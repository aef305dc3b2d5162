import path from "node:path";
import process from "node:process";
import { classifySkills, type SkillClass } from "../analysis/skill-class.ts";
import type { WorkspacePart } from "../agents/hook/library.ts";
import { nodeFiles } from "../platform/files.ts";
import { readTrust, trustFile, writeTrust, isTrusted } from "../platform/hook-trust.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { readSkillFolder } from "../skill/read-skill.ts";
import { confirm } from "./confirm.ts";
import { compileHookLibrary } from "./hook-compile.ts";
import { printable } from "../model/printable.ts";
import { renderTable } from "./table.ts";
import { EXIT, openTerminal, type ExitCode } from "./terminal.ts";

interface TrustOptions {
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** One skill of a repository, as a person decides about it. */
export interface OwnSkill {
  readonly skillId: string;
  readonly title: string;
  /** Relative to the workspace. */
  readonly file: string;
  readonly may: string;
  readonly hash: string;
}

const MAY: Readonly<Record<SkillClass, string>> = {
  modifies: "change or refuse calls",
  "builds-text": "say something to the agent",
  "prompt-equivalent": "say fixed texts to the agent",
  none: "nothing",
};

/** What a workspace brings of its own, and whether somebody said yes to exactly that. */
export interface TrustState {
  readonly root: string;
  /** Undefined: it brings nothing. */
  readonly hash: string | undefined;
  readonly trusted: boolean;
  /** Another content of this workspace was trusted. */
  readonly changed: boolean;
  readonly skills: readonly OwnSkill[];
  readonly settings: WorkspacePart["settings"] | undefined;
}

async function ownSkills(root: string, part: WorkspacePart): Promise<OwnSkill[]> {
  const compiler = startCompiler({ workerFile: __filename });
  try {
    const skills = part.library.skills.filter(({ skill }) => part.own.includes(skill.skillId));
    const folders = await Promise.all(
      skills.map(({ program }) => readSkillFolder(nodeFiles(), compiler, path.dirname(program.file))),
    );
    const classes = await classifySkills(folders, compiler);
    return skills.map(({ skill: { skillId, title }, program }) => ({
      skillId,
      title,
      file: path.relative(root, program.file),
      may: MAY[classes.find((one) => one.skillId === skillId)?.skillClass ?? "modifies"],
      hash: part.library.refs.find((ref) => ref.skillId === skillId)?.hash ?? "",
    }));
  } finally {
    await compiler.close();
  }
}

export async function trustState(root: string): Promise<TrustState> {
  const { workspace } = await compileHookLibrary(root, __filename);
  const known = Object.hasOwn(readTrust(), root);
  if (workspace === undefined)
    return { root, hash: undefined, trusted: true, changed: false, skills: [], settings: undefined };
  const trusted = isTrusted(root, workspace.hash);
  return {
    root,
    hash: workspace.hash,
    trusted,
    changed: known && !trusted,
    skills: await ownSkills(root, workspace),
    settings: workspace.settings,
  };
}

/** Characters of a hash that people compare. */
const SHORT = 12;
const COLUMNS = ["skill", "may", "hash", "file"].map((title) => ({ title }));

export function trustLines({ root, hash, skills, settings, trusted, changed }: TrustState): string[] {
  if (hash === undefined)
    return [`${root} brings no skills and no hook settings of its own: the shipped skills act.`];
  const rows = skills.map(({ skillId, may, hash, file }) => [skillId, may, hash.slice(0, SHORT), file]);
  const state = trusted ? "trusted" : changed ? "changed since you said yes: not trusted" : "not trusted";
  return [
    `${root}: ${state} (content ${hash.slice(0, SHORT)})`,
    ...(rows.length === 0 ? [] : renderTable(COLUMNS, rows)),
    ...(settings === undefined
      ? []
      : [
          `settings: on_failure ${settings.onFailure}, rewrite ${settings.rewrite}, max_holds ${settings.maxHolds}`,
        ]),
  ];
}

/** `hasp hook trust`. */
export async function runTrust(options: TrustOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const root = workspaceOf(process.cwd());
  if (options.revoke === true) {
    writeTrust(root, undefined, new Date().toISOString());
    terminal.line(`${root} is not trusted any more: its own skills do not act.`);
    terminal.result({ root, trusted: false });
    return EXIT.fine;
  }
  const state = await trustState(root);
  for (const line of trustLines(state)) terminal.line(printable(line));
  const { hash, trusted } = state;
  if (hash === undefined || trusted || (options.json === true && options.yes !== true)) {
    terminal.result(state);
    return EXIT.fine;
  }
  const yes = await confirm("Let exactly these act on the calls of your agents?", options.yes);
  if (yes) writeTrust(root, hash, new Date().toISOString());
  terminal.line(yes ? `Kept in ${trustFile()}. A change of any of them asks again.` : "Nothing was changed.");
  terminal.result({ ...state, trusted: yes });
  return EXIT.fine;
}
