import * as vscode from "vscode";
import type { SkillBacktest } from "../../app/backtest.ts";
import type { SkillClass } from "../../skill/skill-class.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { counted } from "../../model/counted.ts";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { ProblemCounts } from "../diagnostics/publisher.ts";
import { describeReview, type LatestReview } from "../review/reviews.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import { createTree, type Row, row } from "../tree.ts";
import { shownFile } from "./readonly-files.ts";
import type { LocatedSkill } from "./library.ts";
import type { SkillFact } from "./skill-facts.ts";
import { decoratedUri, registerSkillDecoration } from "./skill-decoration.ts";
import { filesOf, nameOf } from "./skill-folders.ts";
import {
  classWord,
  factSentences,
  firesBrief,
  firesSentence,
  revisionSentence,
  type Words,
} from "./skill-words.ts";
import type { Services } from "../services.ts";

const RESTRICTED = "Restricted mode: skills are read and type-checked; nothing of them runs.";

function problemText({ errors, warnings }: ProblemCounts): string | undefined {
  if (errors > 0) return counted(errors, "error");
  return warnings > 0 ? counted(warnings, "warning") : undefined;
}

/** They stay in sight where a narrow view cuts off the word. */
const CLASS_ICONS: Readonly<Record<SkillClass, string>> = {
  modifies: "edit",
  "builds-text": "comment",
  "prompt-equivalent": "quote",
  none: "note",
};

function iconOf({ skill, counts, fact, idle }: ShownSkill): vscode.ThemeIcon {
  if (counts.errors > 0 || skill.skill === undefined)
    return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  if (counts.warnings > 0)
    return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  if (idle !== undefined)
    return new vscode.ThemeIcon("circle-slash", new vscode.ThemeColor("disabledForeground"));
  return new vscode.ThemeIcon(fact?.skillClass === undefined ? "lightbulb" : CLASS_ICONS[fact.skillClass]);
}

function fileRow(uri: vscode.Uri): Row {
  return row(nameOf(uri), {
    icon: vscode.ThemeIcon.File,
    tooltip: uri.fsPath,
    command: { command: "vscode.open", title: "Open", arguments: [uri] },
    resourceUri: uri,
  });
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

/** Why a skill does not act, by the code of the diagnostic, for a row. */
const IDLE_WORDS: Readonly<Record<string, string>> = {
  HASP405: "older version",
  HASP406: "superseded",
  HASP431: "still the template",
};

/** The setting in hasp.yaml comes first: for a skill that is off nothing else matters. */
function whyIdle({ isDisabled }: LocatedSkill, idle: Diagnostic | undefined): Words | undefined {
  if (isDisabled)
    return { brief: "off", sentence: "Off: `disabled_skills` of hasp.yaml names it, and it does not act." };
  return idle && { brief: IDLE_WORDS[idle.code] ?? "id taken", sentence: idle.message };
}

const present = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.filter((text) => text !== undefined);

function skillTooltip({ skill: { skill, skillId, uri }, latest, fact, fires, idle }: ShownSkill): string {
  const lines = [
    skill?.title ?? skillId,
    skill?.description ?? "SKILL.md cannot be read.",
    idle?.sentence ?? "On.",
    ...(skill === undefined ? [] : factSentences(skill, fact?.skillClass)),
    fires && firesSentence(fires),
    fires && revisionSentence(fires),
    latest && `Latest review: ${describeReview(latest)}`,
    uri.fsPath,
  ];
  return present(lines).join("\n");
}

/** The parts of the row that a narrow view cuts off: version and priority, class, switch and fires, a row each. */
function detailRows({ skill: { skill }, fact, fires, idle }: ShownSkill): readonly Row[] {
  if (skill === undefined) return [];
  const [kind] = fact?.skillClass === undefined ? [] : factSentences(skill, fact.skillClass);
  const details: readonly [icon: string, words: string | undefined][] = [
    ["versions", `Version ${skill.version}, priority ${skill.priority}`],
    ["symbol-class", kind],
    idle === undefined ? ["circle-large-outline", "On"] : ["circle-slash", idle.sentence],
    ["pulse", fires && firesSentence(fires)],
    ["git-compare", fires && revisionSentence(fires)],
  ];
  return details.flatMap(([icon, words]) =>
    words === undefined ? [] : [row(words, { icon: new vscode.ThemeIcon(icon), tooltip: words })],
  );
}

/** In a narrow view the row shows its icon, the id, as many notes as fit, and the badge of the review. */
function skillRow(shown: ShownSkill): Row {
  const { skill, counts, latest, fact, fires, idle } = shown;
  const { isBuiltIn, isDisabled, uri, pf } = skill;
  const isKnown = skill.skill !== undefined && fact?.skillClass !== undefined;
  const notes = [
    idle?.brief,
    problemText(counts),
    latest && `${latest.changed.length === 0 ? "" : "stale "}${latest.review.decision}`,
    isKnown ? classWord(skill.skill, fact.skillClass) : undefined,
    fires && firesBrief(fires),
  ];
  const context = pf === undefined ? "hasp.skillWithoutPf" : "hasp.skill";
  const marks = { isIdle: idle !== undefined, decision: latest?.review.decision };
  const isMarked = marks.isIdle || marks.decision !== undefined;
  return row(skill.skillId, {
    description: present(notes).join(" · "),
    tooltip: skillTooltip(shown),
    icon: iconOf(shown),
    contextValue: [context, isBuiltIn ? "builtIn" : "", isDisabled ? "off" : ""].filter(Boolean).join("."),
    subject: uri,
    ...(isMarked && { resourceUri: decoratedUri(uri, marks) }),
    children: () => [
      ...detailRows(shown),
      ...(latest === undefined ? [] : [reviewRow(skill, latest)]),
      ...filesOf(skill).map((file) => fileRow(shownFile(skill, file))),
    ],
  });
}

const NO_PROBLEMS: ProblemCounts = { errors: 0, warnings: 0 };

/** A skill as its files describe it. */
interface KnownSkill {
  readonly skill: LocatedSkill;
  readonly latest: LatestReview | undefined;
  readonly fact: SkillFact | undefined;
}

interface ShownSkill extends KnownSkill {
  readonly counts: ProblemCounts;
  /** By the latest backtest. */
  readonly fires: SkillBacktest | undefined;
  /** Why it does not act. */
  readonly idle: Words | undefined;
}

function domainRows(skills: readonly ShownSkill[], expanded: boolean): readonly Row[] {
  const icon = new vscode.ThemeIcon("library");
  return [...Map.groupBy(skills, ({ skill }) => skill.domain)].map(([domain, some]) => {
    const children = () => some.map(skillRow);
    return row(domain, { description: String(some.length), icon, expanded, children });
  });
}

/** A level less where all are of one domain. */
function ownRows(skills: readonly ShownSkill[]): readonly Row[] {
  const isOneDomain = skills.every(({ skill }) => skill.domain === skills[0]?.skill.domain);
  return isOneDomain ? skills.map(skillRow) : domainRows(skills, true);
}

/** Folded: they are many, and a person works on their own. */
function builtInRow(skills: readonly ShownSkill[]): Row {
  return row("Built-in", {
    description: String(skills.length),
    tooltip: "Skills that come with HASP. They act beside your own; hasp.yaml names the libraries in use.",
    icon: new vscode.ThemeIcon("package"),
    contextValue: "hasp.builtInSkills",
    children: () => domainRows(skills, false),
  });
}

/** Stands above the shipped skills until there is one of the person's own; without a folder there is no place for any. */
function firstSkillRow(): Row {
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const { id, title } = hasFolder ? COMMANDS.newSkill : COMMANDS.openSample;
  return row(`${title}…`, {
    icon: new vscode.ThemeIcon(hasFolder ? "add" : "play-circle"),
    description: hasFolder ? "none of your own yet" : "a failed episode to learn from",
    command: { command: id, title },
  });
}

/** The person's own skills, and the shipped ones below them. */
function libraryRows(skills: readonly ShownSkill[]): readonly Row[] {
  const { own = [], builtIn = [] } = Object.groupBy(skills, ({ skill }) =>
    skill.isBuiltIn ? "builtIn" : "own",
  );
  if (builtIn.length === 0) return ownRows(own);
  return [...(own.length === 0 ? [firstSkillRow()] : ownRows(own)), builtInRow(builtIn)];
}

/** The library, each skill with its problems, latest review, and what it is; those that do not act are greyed. */
export function registerSkillsTree({
  editorServices,
  findings,
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  const { library } = editorServices;
  const { publisher, live, reviews, facts, latest: backtests } = findings;
  /** Read again when files change, and not with every problem that comes or goes. */
  let known: Promise<readonly KnownSkill[]> | undefined;
  async function readAll(): Promise<readonly KnownSkill[]> {
    const listed = await library.list();
    const found = await facts.of(listed);
    return fewAtATime(listed, async (skill) => ({
      skill,
      latest: await reviews.latest(skill.uri),
      fact: found.get(skill.uri.path),
    }));
  }
  async function roots(): Promise<readonly Row[]> {
    void live.checkAll();
    tree.view.message = vscode.workspace.isTrusted ? "" : RESTRICTED;
    const reading = (known ??= readAll());
    reading.catch(() => (known = undefined));
    const listed = await reading;
    const counts = publisher.countsByFolder();
    const skills = listed.map((one) => ({
      ...one,
      counts: counts.get(one.skill.uri.path) ?? NO_PROBLEMS,
      fires: backtests.of(one.skill.skillId),
      idle: whyIdle(one.skill, one.fact?.idle),
    }));
    return libraryRows(skills);
  }
  const tree = createTree(VIEWS.skills.id, roots, CONTEXT_KEYS.noSkills, true);
  const readAgain = (): void => {
    known = undefined;
    void tree.refresh();
  };
  return vscode.Disposable.from(
    tree,
    registerSkillDecoration(),
    library.onDidChange(readAgain),
    publisher.onDidChange(() => void tree.refresh()),
    reviews.onDidChange(readAgain),
    facts.onDidChange(readAgain),
    backtests.onDidChange(() => void tree.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(readAgain),
  );
}
