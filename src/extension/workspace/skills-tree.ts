import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { ProblemCounts, Publisher } from "../diagnostics/publisher.ts";
import { describeReview, type LatestReview, type Reviews } from "../review/reviews.ts";
import { createTree, type Row, row } from "../tree.ts";
import { shownFile } from "./built-in.ts";
import type { LibrarySource, LocatedSkill } from "./library.ts";
import { nameOf } from "./skill-folders.ts";

interface Services {
  readonly library: LibrarySource;
  readonly publisher: Publisher;
  readonly reviews: Reviews;
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

function reviewRow({ uri }: LocatedSkill, latest: LatestReview): Row {
  const { review, changed } = latest;
  const stale = changed.length > 0;
  const when = new Date(review.when).toLocaleString();
  return row("Review", {
    description: describeReview(latest),
    tooltip: `${review.teacher.id}, ${when}${stale ? `\nStale: ${changed.join(", ")} changed since.` : ""}`,
    icon: new vscode.ThemeIcon(stale ? "history" : "mortar-board"),
    contextValue: "hasp.review",
    subject: uri,
    command: { command: COMMANDS.showReview.id, title: "Show review", arguments: [uri] },
  });
}

function skillTooltip({ skill, skillId, uri }: LocatedSkill, latest: LatestReview | undefined): string {
  const title = skill?.title ?? skillId;
  const description = skill?.description ?? "SKILL.md cannot be read.";
  const review = latest === undefined ? [] : [`Latest review: ${describeReview(latest)}`];
  return [title, description, ...review, uri.fsPath].join("\n");
}

function skillRow(skill: LocatedSkill, counts: ProblemCounts, latest: LatestReview | undefined): Row {
  const { skillId, isBuiltIn, uri, skillMd, pf, cases } = skill;
  const facts =
    skill.skill === undefined ? [] : [`v${skill.skill.version}`, `priority ${skill.skill.priority}`];
  const verdict = latest === undefined ? undefined : describeReview(latest);
  const notes = [problemText(counts), verdict, ...facts, ...(isBuiltIn ? ["built in"] : [])];
  const context = pf === undefined ? "hasp.skillWithoutPf" : "hasp.skill";
  return row(skillId, {
    description: notes.filter((note) => note !== undefined).join(" · "),
    tooltip: skillTooltip(skill, latest),
    icon: iconOf(skill, counts),
    contextValue: isBuiltIn ? `${context}.builtIn` : context,
    subject: uri,
    children: () => [
      ...(latest === undefined ? [] : [reviewRow(skill, latest)]),
      ...[skillMd, pf, cases]
        .filter((file) => file !== undefined)
        .map((file) => fileRow(shownFile(skill, file))),
    ],
  });
}

interface ShownSkill {
  readonly skill: LocatedSkill;
  readonly counts: ProblemCounts;
  readonly latest: LatestReview | undefined;
}

function domainRow(domain: string, skills: readonly ShownSkill[]): Row {
  return row(domain, {
    description: String(skills.length),
    icon: new vscode.ThemeIcon("library"),
    expanded: true,
    children: () => skills.map(({ skill, counts, latest }) => skillRow(skill, counts, latest)),
  });
}

/** The library by domain, each skill with its problems, latest review, version and priority. */
export function registerSkillsTree({ library, publisher, reviews, onFirstUse }: Services): vscode.Disposable {
  async function show(skill: LocatedSkill): Promise<ShownSkill> {
    return { skill, counts: publisher.counts(skill.uri), latest: await reviews.latest(skill.uri) };
  }
  async function roots(): Promise<readonly Row[]> {
    onFirstUse();
    tree.view.message = vscode.workspace.isTrusted ? "" : RESTRICTED;
    const skills = await Promise.all((await library.list()).map(show));
    const domains = new Set(skills.map(({ skill }) => skill.domain));
    return [...domains].map((domain) =>
      domainRow(
        domain,
        skills.filter(({ skill }) => skill.domain === domain),
      ),
    );
  }
  const tree = createTree(VIEWS.skills.id, roots, CONTEXT_KEYS.noSkills);
  return vscode.Disposable.from(
    tree,
    library.onDidChange(() => tree.refresh()),
    publisher.onDidChange(() => tree.refresh()),
    reviews.onDidChange(() => tree.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => tree.refresh()),
  );
}
