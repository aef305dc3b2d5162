import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { domainOf, unknownDomain, allDomains } from "../../domains/registry.ts";
import { counted } from "../../model/counted.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { checkSkillName } from "../../skill/skill-name.ts";
import { isSkillKind, type SkillKind } from "../../skill/scaffold-kinds.ts";
import { kindsIn, missingKind } from "../../skill/scaffold-starters.ts";
import { scaffoldSkill } from "../../skill/scaffold.ts";
import type { SkillOrigin } from "../../skill/scaffold-step.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { writeTypes } from "../workspace/initialize.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { firstRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import type { Choice } from "../steps.ts";
import { openWithTabStops } from "./tab-stops.ts";
import { askForSkill, type NewSkillAnswers } from "./wizard.ts";
import type { EditorServices, Services } from "../services.ts";

/** The argument from code, without the wizard; `root` is the first workspace folder. */
export type NewSkillArguments = Omit<NewSkillAnswers, "root">;

const PURPOSE = "that is to hold the skill";

function folderOf(root: vscode.WorkspaceFolder, domain: string, name: string): vscode.Uri {
  return vscode.Uri.joinPath(root.uri, "skills", domain, name);
}

async function domainChoices(library: LibrarySource): Promise<readonly Choice<string>[]> {
  const skills = await library.list();
  return allDomains().map(({ name, about }) => {
    const count = skills.filter((skill) => skill.domain === name).length;
    return { label: name, description: counted(count, "skill"), detail: about, value: name };
  });
}

function kindsOfDomain(name: string): readonly SkillKind[] {
  const domain = domainOf(name);
  return domain === undefined ? [] : kindsIn(domain.starters);
}

function isComplete(argument: unknown): argument is NewSkillArguments {
  const fields = fieldsOf(argument);
  return ["domain", "name", "description"].every((key) => key in fields) && isSkillKind(fields["kind"]);
}

/** A new skill, and the recorded failure that it is made from. */
interface WrittenSkill extends NewSkillAnswers {
  readonly origin?: SkillOrigin;
  readonly notes?: readonly string[];
}

/** Writes the skill's files, none of which may be there. */
async function writeSkill(files: NodeFiles, answers: WrittenSkill): Promise<vscode.Uri> {
  const { root, domain: wanted, name, kind } = answers;
  const domain = domainOf(wanted);
  if (domain === undefined) {
    const { message, next } = unknownDomain(wanted);
    throw new Failure(message, next);
  }
  const missing = missingKind(domain, kind);
  if (missing !== undefined) throw new Failure(missing.message, missing.next);
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

/** The parts of New Skill, for the commands that fill it in. */
export type SkillDesk = ReturnType<typeof openSkillDesk>;

export function openSkillDesk({ log, files, library }: Pick<EditorServices, "log" | "files" | "library">) {
  const isTaken = (root: vscode.WorkspaceFolder, domain: string, name: string): boolean =>
    existsSync(folderOf(root, domain, name).fsPath);

  return {
    /** Asks by the wizard; undefined when the person leaves. */
    async ask(suggested?: NewSkillArguments, title = `HASP: ${COMMANDS.newSkill.title}`) {
      const first = firstRoot(PURPOSE);
      const roots = vscode.workspace.workspaceFolders ?? [first];
      const domains = await domainChoices(library);
      return askForSkill({ title, roots, domains, kindsIn: kindsOfDomain, isTaken, suggested });
    },
    /** The answers of a caller in code, for the first workspace folder. */
    inFirstRoot: (answers: NewSkillArguments): NewSkillAnswers => ({ ...answers, root: firstRoot(PURPOSE) }),
    /** `wanted`, or with a number where the first workspace folder has a skill of that name. */
    freeName(domain: string, wanted: string): string {
      const root = firstRoot(PURPOSE);
      for (let n = 1; ; n++) {
        const name = n === 1 ? wanted : `${wanted}-${n}`;
        if (!isTaken(root, domain, name)) return name;
      }
    },
    async write(answers: WrittenSkill): Promise<vscode.Uri> {
      const folder = await writeSkill(files, answers);
      log.info(`New skill in ${folder.fsPath}`);
      return folder;
    },
    /** SKILL.md and pf.ts side by side, with tab stops at the texts of the template. */
    show,
    /** pf.ts beside what is in front, with tab stops. */
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
