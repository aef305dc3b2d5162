import * as vscode from "vscode";
import { libraryOf } from "../../app/recorded-library.ts";
import { counted } from "../../model/counted.ts";
import { sha256 } from "../../platform/sha256.ts";
import { askYes } from "../ask-yes.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { recordedStep } from "../from-step/recorded-step.ts";
import { logFindings } from "../log-findings.ts";
import type { Services } from "../services.ts";
import { noRunSkills } from "../unmet.ts";
import { usable } from "../usable.ts";
import { requireTrust } from "../workspace/trust.ts";

const TITLE = `HASP: ${COMMANDS.judgeWithRunSkills.title}`;

/**
 * `HASP: Judge with the Skills of the Run` and the way back to today's. The skills of a run may be somebody else's: their code is loaded
 * into the sandbox after a yes, which holds for their texts, in whichever run they stand.
 */
export function registerJudgeWithRunSkills({
  editorServices,
  judging: { compiler },
}: Pick<Services, "editorServices" | "judging">): vscode.Disposable {
  const { log, files, runSkillChoices: choices, editor } = editorServices;

  async function judgeWithRunSkills(argument?: unknown): Promise<boolean> {
    requireTrust("Judging with the skills of a run runs their Program Functions, which");
    const { run, index, episode, t } = await recordedStep(editorServices, argument);
    if (episode.library.length === 0) throw noRunSkills();
    const read = await libraryOf(run.folder, episode.library, { files, compiler, sha256 });
    logFindings(log, read.diagnostics);
    usable(read);
    const others = choices.notAllowed(episode.library);
    // Code that calls the command may bring the person's yes.
    const isAllowed = others.length === 0 || fieldsOf(argument)["allowed"] === true;
    const yes =
      isAllowed ||
      (await askYes({
        title: TITLE,
        question: `Load the code of ${counted(others.length, "skill")} from the run's folder?`,
        yes: "Judge with the skills of the run",
        detail: "It may be somebody else's. It runs in the sandbox: no files, no network.",
        about: others.map(({ skillId, version, hash }) => ({
          label: `$(symbol-event) ${skillId}`,
          description: `version ${version} · ${hash.slice(0, 8)}`,
        })),
      }));
    if (!yes) return false;
    await choices.allow(episode.library);
    await choices.choose(run.file, true);
    await editor.open(run.file, { index, t });
    return true;
  }

  async function judgeWithTodaysSkills(argument?: unknown): Promise<void> {
    const { run } = await recordedStep(editorServices, argument);
    await choices.choose(run.file, false);
  }

  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.judgeWithRunSkills, judgeWithRunSkills),
    registerCommand(log, COMMANDS.judgeWithTodaysSkills, judgeWithTodaysSkills),
  );
}
