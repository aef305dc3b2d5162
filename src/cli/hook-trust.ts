import path from "node:path";
import { classifySkills, type SkillClass } from "../skill/skill-class.ts";
import type { WorkspacePart } from "../agents/hook/library.ts";
import { skillHash } from "../trace/skill-hash.ts";
import { trustContent, trustedHash, trustFile } from "../platform/trust.ts";
import { currentFolder } from "../platform/surroundings.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import { shownCommand } from "../app/load-commands.ts";
import { loadCommandsIn } from "../skill/load-commands.ts";
import type { Compiler } from "../skill/compiler.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { confirm } from "./confirm.ts";
import { defineCommand } from "./define-command.ts";
import { ownSkills } from "../platform/hook-compile.ts";
import { preparedWorkspace } from "./hook-prepare.ts";
import { needPerson } from "./need-person.ts";
import { flag } from "./options.ts";
import { renderTable } from "./table.ts";
import { EXIT } from "./terminal.ts";

/** One skill of a repository, as a person decides about it. */
export interface OwnSkill {
  readonly skillId: string;
  readonly title: string;
  /** Relative to the workspace. */
  readonly file: string;
  readonly may: string;
  /** Shell lines of its text that Claude Code runs when it loads the skill. */
  readonly onLoad: readonly string[];
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

async function describe(
  root: string,
  folders: readonly SkillFolder[],
  compiler: Compiler,
): Promise<OwnSkill[]> {
  const classes = await classifySkills(folders, compiler);
  return folders.flatMap(({ folder, skill, skillMd = "", pfSource = "" }) => {
    if (skill === undefined) return [];
    const { skillId, title } = skill;
    return {
      skillId,
      title,
      file: path.relative(root, `${folder}/pf.ts`),
      may: MAY[classes.find((one) => one.skillId === skillId)?.skillClass ?? "modifies"],
      onLoad: loadCommandsIn(skillMd).commands.map(({ command }) => command),
      hash: skillHash(skill, pfSource),
    };
  });
}

/** The workspace's own skills and settings now. Loads nothing of them. */
export async function trustState(root: string, compiler: Compiler): Promise<TrustState> {
  const { part, own } = await ownSkills(root, compiler);
  const trusted = trustedHash(root);
  if (part === undefined)
    return { root, hash: undefined, trusted: true, changed: false, skills: [], settings: undefined };
  return {
    root,
    hash: part.hash,
    trusted: trusted === part.hash,
    changed: trusted !== undefined && trusted !== part.hash,
    skills: await describe(root, own, compiler),
    settings: part.settings,
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
    ...skills.flatMap(({ skillId, onLoad }) =>
      onLoad.map(
        (command) =>
          `! ${skillId}: Claude Code runs \`${shownCommand(command)}\` when it loads the skill, trusted here or not`,
      ),
    ),
    ...(settings === undefined
      ? []
      : [
          `settings: on_failure ${settings.onFailure}, rewrite ${settings.rewrite}, max_holds ${settings.maxHolds}`,
        ]),
  ];
}

/** The reason why trusted skills do not act. */
export function faultLines(part: Pick<WorkspacePart, "leftOut" | "unread"> | undefined): string[] {
  const unread = part?.unread === undefined ? [] : [`! the skills of this workspace ${part.unread}`];
  return [
    ...unread,
    ...(part?.leftOut ?? []).map(({ skillId, reason }) => `! ${skillId} is left out: ${reason}`),
  ];
}

/** `hasp hook trust`. */
export const trustCommand = defineCommand({
  name: "trust",
  about: "Let the skills of this workspace act. A change of their content asks again.",
  options: { revoke: flag("--revoke", "take the yes back"), yes: flag("--yes", "do not ask") },
  json: "print the result as JSON; asks nothing",
  examples: ["hasp hook trust"],
  async run({ options, terminal, session }) {
    const root = workspaceOf(currentFolder());
    if (options.revoke === true) {
      trustContent(root, undefined, new Date().toISOString());
      terminal.line(`${root} is not trusted any more: its own skills do not act.`);
      terminal.result({ root, trusted: false });
      return EXIT.fine;
    }
    needPerson();
    const state = await trustState(root, session.compiler);
    for (const line of trustLines(state)) terminal.line(line);
    const { hash, trusted } = state;
    if (hash === undefined || trusted || (terminal.json && options.yes !== true)) {
      terminal.result(state);
      return EXIT.fine;
    }
    const yes = await confirm(terminal, "Let exactly these act on the calls of your agents?", options.yes);
    if (yes) trustContent(root, hash, new Date().toISOString());
    terminal.line(
      yes ? `Kept in ${trustFile()}. A change of any of them asks again.` : "Nothing was changed.",
    );
    // Compiled now, they act from the next call on; one that cannot act is told here first.
    const { part } = yes ? await preparedWorkspace(root, __filename) : { part: undefined };
    for (const line of faultLines(part)) terminal.line(line);
    terminal.result({ ...state, trusted: yes, leftOut: part?.leftOut ?? [] });
    return (part?.leftOut.length ?? 0) > 0 || part?.unread !== undefined ? EXIT.findings : EXIT.fine;
  },
});
