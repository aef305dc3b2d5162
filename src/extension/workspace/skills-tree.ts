import * as vscode from "vscode";
import { CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { ProblemCounts, Publisher } from "../diagnostics/publisher.ts";
import { createTree, type Row, row } from "../tree.ts";
import { shownFile } from "./built-in.ts";
import type { LibrarySource, LocatedSkill } from "./library.ts";
import { nameOf } from "./skill-folders.ts";

interface Services {
  readonly library: LibrarySource;
  readonly publisher: Publisher;
  /** The view was opened: time to look at skills that no editor shows. */
  readonly onFirstUse: () => void;
}

const RESTRICTED = "Restricted mode: skills are read and type-checked; nothing of them runs.";

function problemText({ errors, warnings }: ProblemCounts): string | undefined {
  if (errors > 0) return errors === 1 ? "1 error" : `${errors} errors`;
  if (warnings > 0) return warnings === 1 ? "1 warning" : `${warnings} warnings`;
  return undefined;
}

function iconOf({ skill, isBuiltIn }: LocatedSkill, counts: ProblemCounts): vscode.ThemeIcon {
  if (counts.errors > 0 || skill === undefined)
    return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  if (counts.warnings > 0)
    return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  return new vscode.ThemeIcon(isBuiltIn ? "package" : "lightbulb");
}

function fileRow(uri: vscode.Uri): Row {
  const opened = row(nameOf(uri), {
    icon: vscode.ThemeIcon.File,
    tooltip: uri.fsPath,
    command: { command: "vscode.open", title: "Open", arguments: [uri] },
  });
  opened.item.resourceUri = uri;
  return opened;
}

function skillRow(skill: LocatedSkill, counts: ProblemCounts): Row {
  const { skillId, isBuiltIn, uri, skillMd, pf, cases } = skill;
  const facts =
    skill.skill === undefined ? [] : [`v${skill.skill.version}`, `priority ${skill.skill.priority}`];
  const notes = [problemText(counts), ...facts, ...(isBuiltIn ? ["built in"] : [])];
  return row(skillId, {
    description: notes.filter((note) => note !== undefined).join(" · "),
    tooltip: [
      skill.skill?.title ?? skillId,
      skill.skill?.description ?? "SKILL.md cannot be read.",
      uri.fsPath,
    ].join("\n"),
    icon: iconOf(skill, counts),
    contextValue: pf === undefined ? "hasp.skillWithoutPf" : "hasp.skill",
    subject: uri,
    children: () =>
      [skillMd, pf, cases]
        .filter((file) => file !== undefined)
        .map((file) => fileRow(shownFile(skill, file))),
  });
}

function domainRow(domain: string, skills: readonly LocatedSkill[], publisher: Publisher): Row {
  return row(domain, {
    description: String(skills.length),
    icon: new vscode.ThemeIcon("library"),
    expanded: true,
    children: () => skills.map((skill) => skillRow(skill, publisher.counts(skill.uri))),
  });
}

/** The library by domain, each skill with its version, priority and problems. */
export function registerSkillsTree({ library, publisher, onFirstUse }: Services): vscode.Disposable {
  async function roots(): Promise<readonly Row[]> {
    onFirstUse();
    tree.view.message = vscode.workspace.isTrusted ? "" : RESTRICTED;
    const skills = await library.list();
    const domains = new Set(skills.map((skill) => skill.domain));
    return [...domains].map((domain) =>
      domainRow(
        domain,
        skills.filter((skill) => skill.domain === domain),
        publisher,
      ),
    );
  }
  const tree = createTree(VIEWS.skills.id, roots, CONTEXT_KEYS.noSkills);
  return vscode.Disposable.from(
    tree,
    library.onDidChange(() => tree.refresh()),
    publisher.onDidChange(() => tree.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => tree.refresh()),
  );
}
