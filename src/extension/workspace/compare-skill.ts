import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { subjectOf } from "../tree.ts";
import { noOwnSkill } from "../unmet.ts";
import { shownFile } from "./built-in.ts";
import type { LocatedSkill } from "./library.ts";
import { isSkillFile, nameOf, parentOf, SKILL_FILES } from "./skill-folders.ts";
import type { Services } from "../services.ts";

/** What a skill can be laid beside: for each of its files, where the other one is. */
interface Other {
  readonly label: string;
  readonly description: string;
  readonly at: (file: string) => vscode.Uri;
}

/** The part of the git extension's interface that is used here. */
interface GitExtension {
  getAPI(version: 1): {
    toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
    getRepository(uri: vscode.Uri): unknown;
  };
}

async function gitOther(folder: vscode.Uri): Promise<Other[]> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return [];
  try {
    const git = (await extension.activate()).getAPI(1);
    // A folder of no repository has no HEAD.
    if (git.getRepository(folder) === null) return [];
    const at = (file: string): vscode.Uri => git.toGitUri(vscode.Uri.joinPath(folder, file), "HEAD");
    return [{ label: "$(git-commit) HEAD", description: "the latest commit", at }];
  } catch {
    // Git is switched off, or is not installed.
    return [];
  }
}

function otherFolder(skill: LocatedSkill): Other {
  const { uri, isBuiltIn, skill: read } = skill;
  return {
    label: `$(versions) version ${read?.version ?? "?"}`,
    description: isBuiltIn ? "built in" : vscode.workspace.asRelativePath(uri),
    at: (file) => shownFile(skill, vscode.Uri.joinPath(uri, file)),
  };
}

async function textAt(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

/** `HASP: Compare Skill`: a skill beside its latest commit, another version of its id, or the shipped skill that it replaces. */
export function registerCompareSkill({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, library, builtIn } = editorServices;
  /** The shipped skill whose place this one has taken; today's library no longer lists it. */
  async function shippedOther({ isBuiltIn, domain, uri }: LocatedSkill): Promise<Other[]> {
    if (isBuiltIn) return [];
    const folder = vscode.Uri.joinPath(builtIn, domain, nameOf(uri));
    const at = (file: string): vscode.Uri => vscode.Uri.joinPath(folder, file).with({ scheme: "hasp-skill" });
    const isThere = (await textAt(at("SKILL.md"))) !== undefined;
    return isThere ? [{ label: "$(package) built in", description: "as it came with HASP Studio", at }] : [];
  }

  async function chosenSkill(argument: unknown): Promise<LocatedSkill | undefined> {
    const skills = await library.list();
    const subject = subjectOf(argument) ?? vscode.window.activeTextEditor?.document.uri;
    const folder = subject !== undefined && isSkillFile(subject) ? parentOf(subject) : subject;
    const found = skills.find(({ uri }) => uri.path === folder?.path);
    if (found !== undefined) return found;
    const own = skills.filter(({ isBuiltIn }) => !isBuiltIn);
    if (own.length === 0) throw noOwnSkill("to compare");
    const picks = own.map((skill) => ({ label: skill.skillId, description: skill.domain, skill }));
    return (await vscode.window.showQuickPick(picks, { title: `HASP: ${COMMANDS.compareSkill.title}` }))
      ?.skill;
  }

  async function chooseOther(skill: LocatedSkill): Promise<Other | undefined> {
    const same = (await library.list()).filter(
      (one) => one.skillId === skill.skillId && one.uri.path !== skill.uri.path,
    );
    const git = skill.isBuiltIn ? [] : await gitOther(skill.uri);
    const others = [...git, ...same.map(otherFolder), ...(await shippedOther(skill))];
    const [only] = others;
    if (only === undefined)
      throw new Unmet(
        `There is nothing to compare ${skill.skillId} with.`,
        "It needs a commit, another version, or a shipped skill of its name.",
      );
    const title = `HASP: ${COMMANDS.compareSkill.title}`;
    return others.length === 1
      ? only
      : vscode.window.showQuickPick(others, { title, placeHolder: `Compare ${skill.skillId} with` });
  }

  async function compare(argument?: unknown): Promise<boolean> {
    const skill = await chosenSkill(argument);
    const other = skill === undefined ? undefined : await chooseOther(skill);
    if (skill === undefined || other === undefined) return false;
    const pairs = await Promise.all(
      SKILL_FILES.map(async (file) => {
        const [left, right] = [other.at(file), shownFile(skill, vscode.Uri.joinPath(skill.uri, file))];
        const [before, now] = [await textAt(left), await textAt(right)];
        return before === now
          ? []
          : [{ label: file, left, right, isWhole: before !== undefined && now !== undefined }];
      }),
    );
    const changed = pairs.flat();
    if (changed.length === 0) {
      void vscode.window.showInformationMessage(
        `${skill.skillId} is the same as ${other.label.replace(/^\$\(\S+\) /, "")}.`,
      );
      return false;
    }
    const picks = changed.map((pair) => ({ ...pair, description: pair.isWhole ? "" : "on one side only" }));
    const picked =
      picks.length === 1
        ? picks[0]
        : await vscode.window.showQuickPick(picks, {
            title: `HASP: ${skill.skillId}`,
            placeHolder: "Changed files",
          });
    if (picked === undefined) return false;
    const name = `${skill.skillId}: ${picked.label} (${other.label.replace(/^\$\(\S+\) /, "")} ↔ now)`;
    await vscode.commands.executeCommand("vscode.diff", picked.left, picked.right, name);
    return true;
  }
  return registerCommand(log, COMMANDS.compareSkill, compare);
}
