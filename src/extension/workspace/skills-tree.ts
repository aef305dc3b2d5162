import * as vscode from "vscode";
import type { SkillBacktest } from "../../app/backtest.ts";
import type { SkillClass } from "../../skill/skill-class.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { ProblemCounts } from "../diagnostics/publisher.ts";
import { describeReview, type LatestReview } from "../review/reviews.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import { createTree, type Row, row } from "../tree.ts";
import { shownFile } from "./built-in.ts";
import type { LocatedSkill } from "./library.ts";
import type { SkillFact } from "./skill-facts.ts";
import { decoratedUri, registerSkillDecoration } from "./skill-decoration.ts";
import { nameOf } from "./skill-folders.ts";
import { classWord, factSentences, firesBrief, firesSentence } from "./skill-words.ts";
import type { Services } from "../services.ts";

const RESTRICTED = "Restricted mode: skills are read and type-checked; nothing of them runs.";

function problemText({ errors, warnings }: ProblemCounts): string | undefined {
  if (errors > 0) return errors === 1 ? "1 error" : `${errors} errors`;
  if (warnings > 0) return warnings === 1 ? "1 warning" : `${warnings} warnings`;
  return undefined;
}

/** They stay in sight where a narrow view cuts off the word. */
const CLASS_ICONS: Readonly<Record<SkillClass, string>> = {
  modifies: "edit",
  "builds-text": "comment",
  "prompt-equivalent": "quote",
  none: "note",
};

function iconOf({ skill, counts, fact }: ShownSkill): vscode.ThemeIcon {
  if (counts.errors > 0 || skill.skill === undefined)
    return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  if (counts.warnings > 0)
    return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  if (skill.isDisabled || fact?.idle !== undefined)
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

/** Why it does not act, for a row. */
function idleWords({ code }: Diagnostic): string {
  if (code === "HASP431") return "still the template";
  if (code === "HASP406") return "superseded";
  return code === "HASP405" ? "older version" : "id taken";
}

/** What hasp.yaml says comes first: for it nothing else matters. */
function whyIdle({
  skill,
  fact,
}: ShownSkill): { readonly brief: string; readonly sentence: string } | undefined {
  if (skill.isDisabled)
    return { brief: "off", sentence: "Off: `disabled_skills` of hasp.yaml names it, and it does not act." };
  return fact?.idle === undefined ? undefined : { brief: idleWords(fact.idle), sentence: fact.idle.message };
}

function skillTooltip(shown: ShownSkill): string {
  const {
    skill: { skill, skillId, uri },
    latest,
    fact,
    fires,
  } = shown;
  const title = skill?.title ?? skillId;
  const description = skill?.description ?? "SKILL.md cannot be read.";
  const idle = whyIdle(shown);
  const facts = skill === undefined ? [] : factSentences(skill, fact?.skillClass);
  const review = latest === undefined ? [] : [`Latest review: ${describeReview(latest)}`];
  const fired = fires === undefined ? [] : [firesSentence(fires)];
  const switched = idle === undefined ? "On." : idle.sentence;
  return [title, description, switched, ...facts, ...fired, ...review, uri.fsPath].join("\n");
}

/** What a narrow view cuts off the row itself: version and priority, class, switch and fires, a row each. */
function detailRows(shown: ShownSkill): readonly Row[] {
  const { skill, fact, fires } = shown;
  if (skill.skill === undefined) return [];
  const { version, priority } = skill.skill;
  const [kind] = fact?.skillClass === undefined ? [] : factSentences(skill.skill, fact.skillClass);
  const idle = whyIdle(shown)?.sentence;
  const detail = (icon: string, words: string | undefined): Row[] =>
    words === undefined ? [] : [row(words, { icon: new vscode.ThemeIcon(icon), tooltip: words })];
  return [
    ...detail("versions", `Version ${version}, priority ${priority}`),
    ...detail("symbol-class", kind),
    ...detail(idle === undefined ? "circle-large-outline" : "circle-slash", idle ?? "On"),
    ...detail("pulse", fires === undefined ? undefined : firesSentence(fires)),
  ];
}

/** The decision of the latest review, in a word or two. */
function decisionWords({ review, changed }: LatestReview): string {
  return changed.length === 0 ? review.decision : `stale ${review.decision}`;
}

/** In a narrow view the row shows its icon, the id, as many notes as fit, and the badge of the review. */
function skillRow(shown: ShownSkill): Row {
  const { skill, counts, latest, fact, fires } = shown;
  const { skillId, isBuiltIn, uri, skillMd, pf, cases } = skill;
  const kind =
    skill.skill === undefined || fact?.skillClass === undefined
      ? undefined
      : classWord(skill.skill, fact.skillClass);
  const decision = latest === undefined ? undefined : decisionWords(latest);
  const idle = whyIdle(shown)?.brief;
  const fired = fires === undefined ? undefined : firesBrief(fires);
  const notes = [idle, problemText(counts), decision, kind, fired];
  const context = pf === undefined ? "hasp.skillWithoutPf" : "hasp.skill";
  const made = row(skillId, {
    description: notes.filter((note) => note !== undefined).join(" · "),
    tooltip: skillTooltip(shown),
    icon: iconOf(shown),
    contextValue: [context, isBuiltIn ? "builtIn" : "", skill.isDisabled ? "off" : ""]
      .filter(Boolean)
      .join("."),
    subject: uri,
    children: () => [
      ...detailRows(shown),
      ...(latest === undefined ? [] : [reviewRow(skill, latest)]),
      ...[skillMd, pf, cases]
        .filter((file) => file !== undefined)
        .map((file) => fileRow(shownFile(skill, file))),
    ],
  });
  const marks = { isIdle: idle !== undefined, decision: latest?.review.decision };
  if (marks.isIdle || marks.decision !== undefined) made.item.resourceUri = decoratedUri(uri, marks);
  return made;
}

const NO_PROBLEMS: ProblemCounts = { errors: 0, warnings: 0 };

/** What files say of a skill. */
interface KnownSkill {
  readonly skill: LocatedSkill;
  readonly latest: LatestReview | undefined;
  readonly fact: SkillFact | undefined;
}

interface ShownSkill extends KnownSkill {
  readonly counts: ProblemCounts;
  /** By the latest backtest. */
  readonly fires: SkillBacktest | undefined;
}

function domainRow(domain: string, skills: readonly ShownSkill[], expanded: boolean): Row {
  return row(domain, {
    description: String(skills.length),
    icon: new vscode.ThemeIcon("library"),
    expanded,
    children: () => skills.map(skillRow),
  });
}

function byDomain(skills: readonly ShownSkill[]): ReadonlyMap<string, readonly ShownSkill[]> {
  return Map.groupBy(skills, ({ skill }) => skill.domain);
}

/** A level less where all are of one domain. */
function ownRows(skills: readonly ShownSkill[]): readonly Row[] {
  const domains = [...byDomain(skills)];
  return domains.length === 1
    ? skills.map(skillRow)
    : domains.map(([domain, ofDomain]) => domainRow(domain, ofDomain, true));
}

/** Folded: they are many, and a person works on their own. */
function builtInRow(skills: readonly ShownSkill[]): Row {
  return row("Built-in", {
    description: String(skills.length),
    tooltip: "Skills that come with HASP. They act beside your own; hasp.yaml names the libraries in use.",
    icon: new vscode.ThemeIcon("package"),
    contextValue: "hasp.builtInSkills",
    children: () => [...byDomain(skills)].map(([domain, ofDomain]) => domainRow(domain, ofDomain, false)),
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
  /** What is read from files, which is read again when these change and not with every problem that comes or goes. */
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
    }));
    return libraryRows(skills);
  }
  const tree = createTree(VIEWS.skills.id, roots, CONTEXT_KEYS.noSkills);
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
