import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { domainOf, unknownDomain, allDomains } from "../../domains/registry.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { checkSkillName } from "../../skill/skill-name.ts";
import { isSkillKind } from "../../skill/scaffold-kinds.ts";
import { scaffoldSkill } from "../../skill/scaffold.ts";
import type { SkillOrigin } from "../../skill/scaffold-step.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { writeTypes } from "../workspace/initialize.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import type { Choice } from "../steps.ts";
import { noFolder } from "../unmet.ts";
import { openWithTabStops } from "./tab-stops.ts";
import { askForSkill, type NewSkillAnswers } from "./wizard.ts";
import type { Services } from "../services.ts";

/** What the command takes from code, without the wizard; `root` is the first workspace folder. */
export type NewSkillArguments = Omit<NewSkillAnswers, "root">;

interface DeskServices {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly library: LibrarySource;
}

function folderOf(root: vscode.WorkspaceFolder, domain: string, name: string): vscode.Uri {
  return vscode.Uri.joinPath(root.uri, "skills", domain, name);
}

async function domainChoices(library: LibrarySource): Promise<readonly Choice<string>[]> {
  const skills = await library.list();
  return allDomains().map(({ name, about }) => {
    const count = skills.filter((skill) => skill.domain === name).length;
    return {
      label: name,
      description: `${count} ${count === 1 ? "skill" : "skills"}`,
      detail: about,
      value: name,
    };
  });
}

function isComplete(argument: unknown): argument is NewSkillArguments {
  if (typeof argument !== "object" || argument === null) return false;
  const hasTexts = ["domain", "name", "description"].every((key) => key in argument);
  return hasTexts && "kind" in argument && isSkillKind(argument.kind);
}

function workspaceRoots(): readonly vscode.WorkspaceFolder[] {
  const roots = vscode.workspace.workspaceFolders ?? [];
  if (roots.length === 0) throw noFolder("that is to hold the skill");
  return roots;
}

/** Writes the skill's files, none of which may be there. */
async function writeSkill(
  files: NodeFiles,
  answers: NewSkillAnswers & { readonly origin?: SkillOrigin },
): Promise<vscode.Uri> {
  const { root, domain: wanted, name } = answers;
  const domain = domainOf(wanted);
  if (domain === undefined) {
    const { message, next } = unknownDomain(wanted);
    throw new Failure(message, next);
  }
  const problem = checkSkillName(name);
  if (problem !== undefined) throw new Failure(problem, "Choose another name.");
  const folder = folderOf(root, domain.name, name);
  if (await files.exists(folder.fsPath)) {
    throw new Failure(
      `skills/${domain.name}/${name} is already there.`,
      "Choose another name; nothing was written.",
    );
  }
  for (const [file, text] of scaffoldSkill({ ...answers, domain }))
    await files.writeText(join(folder.fsPath, file), text);
  await writeTypes(files, root.uri);
  return folder;
}

async function show(folder: vscode.Uri): Promise<void> {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  const { One, Two } = vscode.ViewColumn;
  await openWithTabStops(file("SKILL.md"), One);
  // A skill of text alone has no code.
  if (!existsSync(file("pf.ts").fsPath)) return;
  await openWithTabStops(file("pf.ts"), Two);
}

async function showPf(folder: vscode.Uri): Promise<void> {
  await openWithTabStops(vscode.Uri.joinPath(folder, "pf.ts"), vscode.ViewColumn.Beside);
}

/** What New Skill is made of, for the commands that fill it in. */
export interface SkillDesk {
  /** Asks by the wizard; undefined when the person leaves. */
  ask(suggested?: Omit<NewSkillAnswers, "root">, title?: string): Promise<NewSkillAnswers | undefined>;
  /** The answers of a caller in code, for the first workspace folder. */
  inFirstRoot(answers: NewSkillArguments): NewSkillAnswers;
  /** `wanted`, or with a number where the first workspace folder has a skill of that name. */
  freeName(domain: string, wanted: string): string;
  write(answers: NewSkillAnswers & { readonly origin?: SkillOrigin }): Promise<vscode.Uri>;
  /** SKILL.md and pf.ts side by side, with tab stops at the texts of the template. */
  show(folder: vscode.Uri): Promise<void>;
  /** pf.ts beside what is in front, with tab stops. */
  showPf(folder: vscode.Uri): Promise<void>;
}

export function openSkillDesk({ log, files, library }: DeskServices): SkillDesk {
  const isTaken = (root: vscode.WorkspaceFolder, domain: string, name: string): boolean =>
    existsSync(folderOf(root, domain, name).fsPath);

  function firstRoot(): vscode.WorkspaceFolder {
    const [first] = workspaceRoots();
    if (first === undefined) throw new Error("workspaceRoots() gives at least one");
    return first;
  }

  return {
    async ask(suggested, title) {
      return askForSkill({
        roots: workspaceRoots(),
        domains: await domainChoices(library),
        isTaken,
        ...(suggested !== undefined && { suggested }),
        ...(title !== undefined && { title }),
      });
    },
    inFirstRoot: (answers) => ({ ...answers, root: firstRoot() }),
    freeName(domain, wanted) {
      const root = firstRoot();
      for (let n = 1; ; n++) {
        const name = n === 1 ? wanted : `${wanted}-${n}`;
        if (!isTaken(root, domain, name)) return name;
      }
    },
    async write(answers) {
      const folder = await writeSkill(files, answers);
      log.info(`New skill in ${folder.fsPath}`);
      return folder;
    },
    show,
    showPf,
  };
}

/** `HASP: New Skill`: asks, writes SKILL.md and, where the kind has code, pf.ts and cases.yaml, and opens the first two side by side. */
export function registerNewSkill({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const desk = openSkillDesk(editorServices);
  async function newSkill(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Writing a skill into it");
    const answers = isComplete(argument) ? desk.inFirstRoot(argument) : await desk.ask();
    if (answers === undefined) return undefined;
    const folder = await desk.write(answers);
    await desk.show(folder);
    return folder;
  }

  return registerCommand(editorServices.log, COMMANDS.newSkill, newSkill);
}
