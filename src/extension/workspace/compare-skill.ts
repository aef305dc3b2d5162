import * as vscode from "vscode";
import { SHIPPED_LISTS } from "../../model/shipped-lists.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { noOwnSkill } from "../unmet.ts";
import { shownFile } from "./readonly-files.ts";
import { pickSkill, skillFolderMeant, skillIn } from "./choose-skill.ts";
import type { LocatedSkill } from "./library.ts";
import { nameOf, SKILL_FILES } from "./skill-folders.ts";
import type { Services } from "../services.ts";

const TITLE = `HASP: ${COMMANDS.compareSkill.title}`;

/** A counterpart of a skill: for each of its files, the place of the other one. */
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

/** A file of the skill that is another there; none where both have the same text. */
async function changedFile(skill: LocatedSkill, other: Other, label: string) {
  const [left, right] = [other.at(label), shownFile(skill, vscode.Uri.joinPath(skill.uri, label))];
  const [before, now] = [await textAt(left), await textAt(right)];
  if (before === now) return [];
  const isWhole = before !== undefined && now !== undefined;
  return [{ label, left, right, description: isWhole ? "" : "on one side only" }];
}

/** `HASP: Compare Skill`: a skill beside its latest commit, another version of its id, or the shipped skill that it replaces. */
export function registerCompareSkill({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, library, builtIn } = editorServices;
  /** The shipped skill whose place this one has taken, in each list that has a form of its own; today's library no longer lists it. */
  async function shippedOthers({ isBuiltIn, domain, uri }: LocatedSkill): Promise<Other[]> {
    if (isBuiltIn) return [];
    const others = [undefined, ...SHIPPED_LISTS].map(async (list): Promise<Other[]> => {
      const folder = vscode.Uri.joinPath(builtIn, list ?? "", domain, nameOf(uri));
      const at = (file: string): vscode.Uri =>
        vscode.Uri.joinPath(folder, file).with({ scheme: "hasp-skill" });
      if ((await textAt(at("SKILL.md"))) === undefined) return [];
      const label = `$(package) built in${list === undefined ? "" : ` (${list})`}`;
      return [{ label, description: "as it came with HASP Studio", at }];
    });
    return (await Promise.all(others)).flat();
  }

  async function chosenSkill(argument: unknown): Promise<LocatedSkill | undefined> {
    const skills = await library.list();
    const found = skillIn(skills, skillFolderMeant(argument));
    if (found !== undefined) return found;
    const own = skills.filter(({ isBuiltIn }) => !isBuiltIn);
    if (own.length === 0) throw noOwnSkill("to compare");
    return pickSkill(own, { title: TITLE });
  }

  async function chooseOther(skill: LocatedSkill): Promise<Other | undefined> {
    const same = (await library.list()).filter(
      (one) => one.skillId === skill.skillId && one.uri.path !== skill.uri.path,
    );
    const git = skill.isBuiltIn ? [] : await gitOther(skill.uri);
    const others = [...git, ...same.map(otherFolder), ...(await shippedOthers(skill))];
    const [only] = others;
    if (only === undefined)
      throw new Unmet(
        `There is nothing to compare ${skill.skillId} with.`,
        "It needs a commit, another version, or a shipped skill of its name.",
      );
    if (others.length === 1) return only;
    return vscode.window.showQuickPick(others, {
      title: TITLE,
      placeHolder: `Compare ${skill.skillId} with`,
    });
  }

  async function compare(argument?: unknown): Promise<boolean> {
    const skill = await chosenSkill(argument);
    const other = skill === undefined ? undefined : await chooseOther(skill);
    if (skill === undefined || other === undefined) return false;
    const changed = (await Promise.all(SKILL_FILES.map((file) => changedFile(skill, other, file)))).flat();
    const otherName = other.label.replace(/^\$\(\S+\) /, "");
    if (changed.length === 0) {
      void vscode.window.showInformationMessage(`${skill.skillId} is the same as ${otherName}.`);
      return false;
    }
    const options = { title: `HASP: ${skill.skillId}`, placeHolder: "Changed files" };
    const picked = changed.length === 1 ? changed[0] : await vscode.window.showQuickPick(changed, options);
    if (picked === undefined) return false;
    const name = `${skill.skillId}: ${picked.label} (${otherName} ↔ now)`;
    await vscode.commands.executeCommand("vscode.diff", picked.left, picked.right, name);
    return true;
  }
  return registerCommand(log, COMMANDS.compareSkill, compare);
}
