import * as vscode from "vscode";
import { createBudget } from "../../llm/budget.ts";
import { measureSkill } from "../../app/measure-skill.ts";
import type { EvidenceSection } from "../../model/evidence.ts";
import type { Review } from "../../model/review.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { chosenModel, CONFIGURE, dollarLimit } from "../models/chosen-model.ts";
import { describeUsage } from "../models/configure.ts";
import { inform, inNotification } from "../notification.ts";
import type { Services } from "../services.ts";
import { subjectsOf } from "../tree.ts";
import { isInFront, pickSkill, skillFolderIn, skillFolderOf, skillIn } from "../workspace/choose-skill.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noOwnSkill, wayTo } from "../unmet.ts";
import { type Desk, evidenceOrder, messagesOf, tell } from "./desk.ts";
import { openReviewPanels } from "./panels.ts";
import { reviewOne, showMeasured } from "./review-one.ts";
import { reviewSeveral, type SeveralReviews } from "./review-several.ts";
import { registerSuggestions } from "./suggestions.ts";
import { openReviewThreads } from "./threads.ts";

/** Skills of this workspace, the one in front first. */
async function ownSkills(library: LibrarySource, purpose: string): Promise<readonly LocatedSkill[]> {
  const own = (await library.list()).filter((skill) => !skill.isBuiltIn);
  if (own.length === 0) throw noOwnSkill(purpose);
  return own.toSorted((a, b) => Number(isInFront(b)) - Number(isInFront(a)));
}

/** The one in front is marked from the start, so that Enter reviews it. */
async function askSkills(library: LibrarySource): Promise<readonly LocatedSkill[]> {
  const own = await ownSkills(library, "to review");
  const picks = own.map((skill, i) => ({
    label: skill.skillId,
    description: skill.domain,
    picked: isInFront(skill) || (i === 0 && own.length === 1),
    skill,
  }));
  const options = {
    title: "HASP: Teacher Review",
    placeHolder: "Skills to review",
    canPickMany: true,
  } as const;
  return ((await vscode.window.showQuickPick(picks, options)) ?? []).map(({ skill }) => skill);
}

async function skillAt(library: LibrarySource, folder: vscode.Uri): Promise<LocatedSkill> {
  const found = skillIn(await library.list(), folder);
  if (found === undefined)
    throw new Unmet(`${folder.fsPath} is no skill of today's library.`, "Choose one that hasp.yaml names.");
  return found;
}

/** A review is kept in the skill's folder. */
function requireOwn(skill: LocatedSkill): LocatedSkill {
  const next = "Copy its folder into skills/ of this workspace, and review the copy.";
  if (skill.isBuiltIn)
    throw new Unmet(`${skill.skillId} came with HASP Studio and cannot be written to.`, next);
  return skill;
}

/** The spec of the teacher; without one the evidence is left. */
function requireTeacher(folder: vscode.Uri | undefined): string {
  const spec = chosenModel("teacher");
  if (spec !== undefined) return spec;
  const ways = [wayTo(COMMANDS.showEvidence, ...(folder === undefined ? [] : [folder])), CONFIGURE];
  const next = "Choose the model that is to be it, or look at what is measured without one.";
  throw new Unmet("No teacher is configured.", next, ...ways);
}

function say({ panels }: Desk, skill: LocatedSkill, { decision, qSkill, usage }: Review): void {
  const text = `${skill.skillId}: ${decision}, Q_skill ${qSkill.toFixed(2)}. ${describeUsage(usage)}.`;
  inform(text, { label: "Show review", press: () => panels.show(skill.uri) });
}

/** The folders that a command was called on, each once; code may name them in `folders`. */
function foldersIn(argument: unknown, selected: unknown): readonly vscode.Uri[] {
  const { folders: named } = fieldsOf(argument);
  const given = Array.isArray(named)
    ? named.flatMap((one) => subjectsOf(one, undefined))
    : subjectsOf(argument, selected);
  const folders = given.flatMap((uri) => skillFolderOf(uri) ?? []);
  return [...new Map(folders.map((folder) => [folder.path, folder])).values()];
}

/** The token that code gave beside the folders. */
function tokenIn(argument: unknown): vscode.CancellationToken | undefined {
  return fieldsOf(argument)["token"] as vscode.CancellationToken | undefined;
}

/** Measurements of a skill without a review. */
async function showEvidence(desk: Desk, argument: unknown): Promise<readonly EvidenceSection[] | undefined> {
  const { library, judging, shownFiles: files, panels } = desk;
  requireTrust("Measuring runs the skill's Program Function, which");
  const folder = skillFolderIn(argument);
  const options = { title: "HASP: Show Evidence", placeHolder: "Skill to measure" };
  const skill =
    folder === undefined
      ? await pickSkill(await ownSkills(library, "to measure"), options)
      : await skillAt(library, folder);
  if (skill === undefined) return undefined;
  const order = await evidenceOrder(desk, skill);
  const { value, diagnostics } = await inNotification(`Measuring ${skill.skillId}`, (signal, on) =>
    measureSkill(order, {
      ...judging,
      files,
      signal,
      on: (event) => (event.kind === "progress" ? on(event) : undefined),
    }),
  );
  tell(desk, diagnostics);
  if (value === undefined) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    throw new Failure(
      messagesOf(errors) || "It cannot be read.",
      errors[0]?.next ?? "The log has the details.",
    );
  }
  showMeasured(desk, skill, value);
  await panels.show(skill.uri);
  return value.sections;
}

/** `HASP: Teacher Review`, `HASP: Show Evidence`, the command that shows a review, and what is done with its threads. */
export function registerTeacherReview({
  editorServices,
  findings: { reviews },
  judging,
  modelServices: { models },
}: Services): vscode.Disposable {
  const { log, library, shownFiles } = editorServices;
  const panels = openReviewPanels({ ...editorServices, reviews });
  const threads = openReviewThreads(shownFiles, library);
  const desk = { ...editorServices, judging, reviews, panels, threads };
  const underWay = new Set<string>();

  async function whileUnderWay<T>(skills: readonly LocatedSkill[], work: () => Promise<T>): Promise<T> {
    const busy = skills.find(({ uri }) => underWay.has(uri.path));
    if (busy !== undefined)
      throw new Unmet(`${busy.skillId} is being reviewed already.`, "Wait, or cancel that review.");
    for (const { uri } of skills) underWay.add(uri.path);
    try {
      return await work();
    } finally {
      for (const { uri } of skills) underWay.delete(uri.path);
    }
  }

  async function teacherReview(
    argument?: unknown,
    selected?: unknown,
  ): Promise<Review | SeveralReviews | undefined> {
    requireTrust("A review runs the skill's Program Function, which");
    const folders = foldersIn(argument, selected);
    const spec = requireTeacher(folders[0]);
    const skills =
      folders.length === 0
        ? await askSkills(library)
        : await Promise.all(folders.map(async (folder) => requireOwn(await skillAt(library, folder))));
    const [skill] = skills;
    if (skill === undefined) return undefined;
    return whileUnderWay(skills, async () => {
      const teacher = await models.open(spec, { budget: createBudget(dollarLimit()) });
      if (skills.length > 1) return reviewSeveral(desk, skills, teacher, tokenIn(argument));
      const value = await inNotification(`${teacher.id} reviews ${skill.skillId}`, async (signal) => {
        await panels.show(skill.uri);
        return reviewOne(desk, skill, teacher, signal);
      });
      say(desk, skill, value);
      return value;
    });
  }

  return vscode.Disposable.from(
    panels,
    threads,
    registerSuggestions(log, threads),
    registerCommand(log, COMMANDS.teacherReview, teacherReview),
    registerCommand(log, COMMANDS.showEvidence, (argument?: unknown) => showEvidence(desk, argument)),
    registerCommand(log, COMMANDS.showReview, async (argument?: unknown) => {
      const folder = skillFolderIn(argument);
      if (folder === undefined) return undefined;
      const latest = (await reviews.all(folder)).at(-1);
      if (latest !== undefined) await threads.show(folder, latest);
      return panels.show(folder);
    }),
  );
}
