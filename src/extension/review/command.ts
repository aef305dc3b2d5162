import * as vscode from "vscode";
import { reviewOneSkill, type ReviewEvent } from "../../app/review-skill.ts";
import { createBudget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Review } from "../../model/review.ts";
import type { UnusableReply } from "../../protocol/review.ts";
import type { ReviewResult } from "../../review/review.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { describeUsage, requireModel } from "../models/configure.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import { inform, inNotification, warn } from "../notification.ts";
import type { EditorJudging, EditorServices, Services } from "../services.ts";
import { isInFront, pickSkill, skillFolderIn, skillIn } from "../workspace/choose-skill.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noOwnSkill } from "../unmet.ts";
import { openReviewPanels, type ReviewPanels } from "./panels.ts";
import type { Reviews } from "./reviews.ts";

async function askSkill(library: LibrarySource): Promise<LocatedSkill | undefined> {
  const own = (await library.list()).filter((skill) => !skill.isBuiltIn);
  if (own.length === 0) throw noOwnSkill("to review");
  const skills = own.toSorted((a, b) => Number(isInFront(b)) - Number(isInFront(a)));
  return pickSkill(skills, { title: "HASP: Teacher Review", placeHolder: "Skill to review" });
}

async function skillAt(library: LibrarySource, folder: vscode.Uri): Promise<LocatedSkill> {
  const found = skillIn(await library.list(), folder);
  if (found === undefined) {
    throw new Unmet(`${folder.fsPath} is no skill of today's library.`, "Choose one that hasp.yaml names.");
  }
  const next = "Copy its folder into skills/ of this workspace, and review the copy.";
  if (found.isBuiltIn)
    throw new Unmet(`${found.skillId} came with HASP Studio and cannot be written to.`, next);
  return found;
}

/** Services that the parts of a review share. */
interface Desk extends Pick<EditorServices, "log" | "clock" | "library" | "runs" | "shownFiles"> {
  readonly judging: EditorJudging;
  readonly reviews: Reviews;
  readonly panels: ReviewPanels;
}

const messagesOf = (diagnostics: readonly Pick<Diagnostic, "message">[]): string =>
  diagnostics.map(({ message }) => message).join(" ");

function unusableFailure({ uri }: LocatedSkill, { teacher, problems }: UnusableReply): Failure {
  const way = { label: "Show reply", command: COMMANDS.showReview.id, arguments: [uri] };
  const message = `The reply of ${teacher} is unusable: ${messagesOf(problems)}`;
  return new Failure(message, "Nothing was stored.", way);
}

/** Shows each stage of a review, and the teacher's words as they come, on the skill's page. */
function listener(
  { log, panels }: Desk,
  { uri }: LocatedSkill,
  { id: teacher }: ChatModel,
): (event: ReviewEvent) => void {
  let words = "";
  const write = (phase: string, said = ""): void => {
    words = said;
    panels.follow(uri, { teacher, phase, words });
  };
  return (event) => {
    switch (event.kind) {
      case "checking":
        return write("Running the checks and cases …");
      case "progress":
        return write(`Judging recorded episodes: ${event.done} of ${event.total} …`);
      case "asking":
        return write("The teacher reads the skill …");
      case "text":
        return write("The teacher answers …", words + event.text);
      case "restarted":
        return write("The connection was lost; the teacher begins again …");
      case "retried":
        for (const { message } of event.problems)
          log.warn(`The reply of ${teacher} could not be read: ${message}`);
        return write("The reply could not be read; the teacher is asked once more …");
    }
  };
}

/** Has the teacher review the skill by the recorded runs and the other skills of its domain. */
async function ask(
  desk: Desk,
  skill: LocatedSkill,
  teacher: ChatModel,
  signal: AbortSignal,
): Promise<ReviewResult> {
  const { clock, library, runs, shownFiles: files, judging, reviews, panels } = desk;
  const on = listener(desk, skill, teacher);
  on({ kind: "checking" });
  await panels.show(skill.uri);
  const { domain } = skill;
  const order = {
    folder: skill.uri.fsPath,
    runs: (await runs.list()).filter(({ run }) => (run?.domain ?? domain) === domain),
    library: (await library.list()).flatMap((one) => (one.domain === domain ? (one.skill ?? []) : [])),
  };
  const store = (review: Review) => reviews.add(skill.uri, review);
  return reviewOneSkill(order, { ...judging, files, teacher, store, clock, signal, on });
}

function tell({ log }: Desk, diagnostics: readonly Diagnostic[]): void {
  logFindings(log, diagnostics);
  const warning = diagnostics.find(({ code }) => code === "HASP705");
  if (warning !== undefined) warn(`${warning.message} ${warning.next ?? ""}`);
}

/** The review, or why there is none: the reply was unusable, the skill cannot be read, or the review was not stored. */
async function review(desk: Desk, skill: LocatedSkill, teacher: ChatModel): Promise<Review> {
  const { log, clock, panels } = desk;
  let unusable: UnusableReply | undefined;
  try {
    const title = `${teacher.id} reviews ${skill.skillId}`;
    const result = await inNotification(title, (signal) => ask(desk, skill, teacher, signal));
    tell(desk, result.diagnostics);
    const errors = result.diagnostics.filter(({ severity }) => severity === "error");
    const next = errors[0]?.next ?? "The log has the details.";
    if (result.unusable !== undefined) {
      const problems = errors.map(({ code, message }) => ({ code, message }));
      unusable = { teacher: teacher.id, when: clock.now(), text: result.unusable, problems };
      throw unusableFailure(skill, unusable);
    }
    const { value } = result;
    if (value === undefined) throw new Failure(messagesOf(errors) || "It cannot be read.", next);
    const unwritten = errors.filter(({ code }) => code.startsWith("HASP71"));
    if (unwritten.length > 0) throw new Failure(`The review was not stored: ${messagesOf(unwritten)}`, next);
    const { decision, qSkill, usage } = value;
    log.info(
      `${teacher.id} reviewed ${skill.skillId}: ${decision}, Q_skill ${qSkill}, ${describeUsage(usage)}`,
    );
    return value;
  } finally {
    panels.finish(skill.uri, unusable);
  }
}

function say({ panels }: Desk, skill: LocatedSkill, { decision, qSkill, usage }: Review): void {
  const text = `${skill.skillId}: ${decision}, Q_skill ${qSkill.toFixed(2)}. ${describeUsage(usage)}.`;
  inform(text, { label: "Show review", press: () => panels.show(skill.uri) });
}

/** `HASP: Teacher Review` and the command that shows a review. */
export function registerTeacherReview({
  editorServices,
  findings: { reviews },
  judging,
  modelServices: { models },
}: Services): vscode.Disposable {
  const { log, library } = editorServices;
  const panels = openReviewPanels({ ...editorServices, reviews });
  const desk = { ...editorServices, judging, reviews, panels };
  const underWay = new Set<string>();

  async function teacherReview(argument?: unknown): Promise<Review | undefined> {
    requireTrust("A review runs the skill's Program Function, which");
    const spec = requireModel("teacher");
    const folder = skillFolderIn(argument);
    const skill = folder === undefined ? await askSkill(library) : await skillAt(library, folder);
    if (skill === undefined) return undefined;
    const { path } = skill.uri;
    if (underWay.has(path))
      throw new Unmet(`${skill.skillId} is being reviewed already.`, "Wait, or cancel that review.");
    underWay.add(path);
    try {
      const teacher = await models.open(spec, { budget: createBudget(dollarLimit()) });
      const value = await review(desk, skill, teacher);
      say(desk, skill, value);
      return value;
    } finally {
      underWay.delete(path);
    }
  }

  return vscode.Disposable.from(
    panels,
    registerCommand(log, COMMANDS.teacherReview, teacherReview),
    registerCommand(log, COMMANDS.showReview, async (argument?: unknown) => {
      const folder = skillFolderIn(argument);
      return folder === undefined ? undefined : panels.show(folder);
    }),
  );
}
