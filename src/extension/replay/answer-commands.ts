import * as vscode from "vscode";
import { RequestError } from "../../protocol/connection.ts";
import { COMMANDS } from "../contributions.ts";
import { shownFile } from "../workspace/readonly-files.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { answerCommon, type ViewConnection } from "./connection.ts";

/** The files of a skill that judges. */
export interface SkillSource {
  readonly skillMd: vscode.Uri;
  readonly pf: vscode.Uri | undefined;
}

/** The files of a skill of today's library, as they are shown. RequestError where it has none of that id. */
export function sourceIn(skills: readonly LocatedSkill[], skillId: string): SkillSource {
  const skill = skills.find((s) => s.skillId === skillId);
  if (skill === undefined)
    throw new RequestError(
      `There is no skill ${skillId} in today's library.`,
      "It may have been renamed or removed since.",
    );
  const { skillMd, pf } = skill;
  return {
    skillMd: shownFile(skill, skillMd),
    pf: pf === undefined ? undefined : shownFile(skill, pf),
  };
}

async function openSource({ skillMd, pf }: SkillSource, line: number | undefined): Promise<void> {
  const at = Math.max(0, (line ?? 1) - 1);
  const selection = new vscode.Range(at, 0, at, 0);
  const options = { viewColumn: vscode.ViewColumn.Beside, selection };
  await vscode.window.showTextDocument(line === undefined ? skillMd : (pf ?? skillMd), options);
}

/** Answers the requests of a view that run a command of the editor or open a file in it. `sourceOf`: the files of a skill that judges the run. */
export function answerCommands(
  connection: ViewConnection,
  file: vscode.Uri,
  sourceOf: (skillId: string) => Promise<SkillSource>,
): void {
  /** A wizard may stay open for long: the view does not wait for its end. */
  const start = async ({ id }: { readonly id: string }, argument: unknown): Promise<null> => {
    void vscode.commands.executeCommand(id, argument);
    return null;
  };
  connection.handle("openSource", async ({ skillId, line }) => {
    await openSource(await sourceOf(skillId), line);
    return null;
  });
  connection.handle("fillRun", async ({ with: command }) => {
    await vscode.commands.executeCommand(COMMANDS[command].id);
    return null;
  });
  answerCommon(connection);
  connection.handle("stepCommand", ({ command, index, t, skillId }) =>
    start(COMMANDS[command], { run: file, episode: index, t, ...(skillId !== undefined && { skillId }) }),
  );
  connection.handle("newSkillFromPattern", ({ pattern, index }) =>
    start(COMMANDS.newSkillFromPattern, {
      run: file,
      pattern,
      ...(index !== undefined && { episode: index }),
    }),
  );
}
