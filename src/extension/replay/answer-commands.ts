import * as vscode from "vscode";
import { RequestError } from "../../protocol/connection.ts";
import { COMMANDS } from "../contributions.ts";
import { shownFile } from "../workspace/built-in.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { answerCommon, type ViewConnection } from "./connection.ts";

async function openSource(
  skills: readonly LocatedSkill[],
  skillId: string,
  line: number | undefined,
): Promise<void> {
  const skill = skills.find((s) => s.skillId === skillId);
  if (skill === undefined)
    throw new RequestError(
      `There is no skill ${skillId} in today's library.`,
      "It may have been renamed or removed since.",
    );
  const file = line === undefined ? skill.skillMd : (skill.pf ?? skill.skillMd);
  const at = Math.max(0, (line ?? 1) - 1);
  const selection = new vscode.Range(at, 0, at, 0);
  await vscode.window.showTextDocument(shownFile(skill, file), {
    viewColumn: vscode.ViewColumn.Beside,
    selection,
  });
}

/** Answers the requests of a view that run a command of the editor or open a file in it. `skills`: those that judge the run. */
export function answerCommands(
  connection: ViewConnection,
  file: vscode.Uri,
  skills: () => Promise<readonly LocatedSkill[]>,
): void {
  /** A wizard may stay open for long: the view does not wait for its end. */
  const start = async ({ id }: { readonly id: string }, argument: unknown): Promise<null> => {
    void vscode.commands.executeCommand(id, argument);
    return null;
  };
  connection.handle("openSource", async ({ skillId, line }) => {
    await openSource(await skills(), skillId, line);
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
