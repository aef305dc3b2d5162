import * as vscode from "vscode";
import { choose } from "../choose.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { shownFile } from "./readonly-files.ts";
import { briefFacts } from "./skill-words.ts";
import type { Services } from "../services.ts";

/** `HASP: Find Skill`: by id, domain, what it is, or when to use it. Opens its SKILL.md. */
export function registerFindSkill({
  editorServices,
  findings,
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  const { log, library } = editorServices;
  const { facts } = findings;
  async function find(): Promise<vscode.Uri | undefined> {
    const skills = await library.list();
    const known = await facts.of(skills);
    const picks = skills.map((one) => {
      const { skill, skillId, domain, isBuiltIn, isDisabled, uri } = one;
      const brief = skill === undefined ? [] : briefFacts(skill, known.get(uri.path)?.skillClass);
      const notes = [domain, ...(isDisabled ? ["off"] : []), ...brief, ...(isBuiltIn ? ["built in"] : [])];
      const detail = skill?.description ?? "SKILL.md cannot be read.";
      return { label: skillId, description: notes.join(" · "), detail, value: one };
    });
    const title = `HASP: ${COMMANDS.findSkill.title}`;
    const options = { matchOnDescription: true, matchOnDetail: true };
    const picked = await choose(title, "Skill, domain, or words of its description", picks, options);
    if (picked === undefined) return undefined;
    const file = shownFile(picked, picked.skillMd);
    await vscode.window.showTextDocument(file);
    return file;
  }
  return registerCommand(log, COMMANDS.findSkill, find);
}
