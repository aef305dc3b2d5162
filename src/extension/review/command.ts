import * as vscode from "vscode";
import { gatherEvidence, type BacktestEvidence, type ReviewEvidence } from "../../evolve/evidence.ts";
import { measureEpisodes } from "../../evolve/measure-episodes.ts";
import { reviewSkill, type ReviewResult } from "../../evolve/review.ts";
import { readSubject, type ReviewSubject } from "../../evolve/review-subject.ts";
import { createBudget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { Review } from "../../model/review.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { UnusableReply } from "../../protocol/review.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { Clock } from "../../trace/ports.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { describeUsage, requireModel } from "../models/configure.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import type { Models } from "../models/open-model.ts";
import type { Runs } from "../runs/find-runs.ts";
import { subjectOf } from "../tree.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { isSkillFile, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noOwnSkill } from "../unmet.ts";
import type { ReviewPanels } from "./panels.ts";
import type { Reviews } from "./reviews.ts";

interface Services {
  readonly log: vscode.LogOutputChannel;
  /** Sees unsaved text: the skill is reviewed as it is shown. */
  readonly files: NodeFiles;
  readonly clock: Clock;
  readonly compiler: Compiler;
  readonly startHost: () => PfHost;
  readonly library: LibrarySource;
  readonly models: Models;
  readonly runs: Runs;
  readonly reviews: Reviews;
  readonly panels: ReviewPanels;
}

/** How a measurement is followed and ended. */
interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

function folderIn(argument: unknown): vscode.Uri | undefined {
  const subject = subjectOf(argument);
  if (subject === undefined) return undefined;
  return isSkillFile(subject) ? parentOf(subject) : subject;
}

async function askSkill(library: LibrarySource): Promise<LocatedSkill | undefined> {
  const own = (await library.list()).filter((skill) => !skill.isBuiltIn);
  if (own.length === 0) throw noOwnSkill("to review");
  const active = vscode.window.activeTextEditor?.document.uri.path ?? "";
  const isActive = (skill: LocatedSkill): boolean => active.startsWith(`${skill.uri.path}/`);
  const picks = own
    .toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .map((skill) => ({ label: skill.skillId, description: skill.domain, skill }));
  const options = { title: "HASP: Teacher Review", placeHolder: "Skill to review" };
  return (await vscode.window.showQuickPick(picks, options))?.skill;
}

async function skillAt(library: LibrarySource, folder: vscode.Uri): Promise<LocatedSkill> {
  const found = (await library.list()).find((skill) => skill.uri.path === folder.path);
  if (found === undefined) {
    throw new Unmet(`${folder.fsPath} is no skill of today's library.`, "Choose one that hasp.yaml names.");
  }
  const next = "Copy its folder into skills/ of this workspace, and review the copy.";
  if (found.isBuiltIn)
    throw new Unmet(`${found.skillId} came with HASP Studio and cannot be written to.`, next);
  return found;
}

function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const first = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  const whys = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  throw new Failure(whys.join(" ") || "It cannot be read.", first?.next ?? "The log has the details.");
}

function unusableReply(
  { unusable, diagnostics }: ReviewResult,
  { id }: ChatModel,
  clock: Clock,
): UnusableReply | undefined {
  if (unusable === undefined) return undefined;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const problems = errors.map(({ code, message }) => ({ code, message }));
  return { teacher: id, when: clock.now(), text: unusable, problems };
}

function unusableFailure({ uri }: LocatedSkill, { teacher, problems }: UnusableReply): Failure {
  const fields = problems.map(({ message }) => message).join(" ");
  return new Failure(`The reply of ${teacher} is unusable: ${fields}`, "Nothing was stored.", {
    label: "Show reply",
    command: COMMANDS.showReview.id,
    arguments: [uri],
  });
}

/** `HASP: Teacher Review` and the command that shows a review. */
export function registerTeacherReview(services: Services): vscode.Disposable {
  const { log, files, clock, compiler, startHost, library, models, runs, reviews, panels } = services;
  const underWay = new Set<string>();

  async function readSkill(skill: LocatedSkill): Promise<ReviewSubject> {
    const { subject, diagnostics } = await readSubject(files, compiler, skill.uri.fsPath);
    return need({ value: subject, diagnostics });
  }

  /** Where it would have acted in the runs of its domain, and what people noted there. What cannot be read is logged. */
  async function backtestOf(
    skill: LocatedSkill,
    subject: ReviewSubject,
    host: PfHost,
    { signal, onProgress }: Watched,
  ): Promise<BacktestEvidence | undefined> {
    const ofDomain = (await runs.list()).filter(({ run }) => (run?.domain ?? skill.domain) === skill.domain);
    const tools = { files, host, signal, onProgress };
    const { evidence, diagnostics } = await measureEpisodes(subject, ofDomain, tools);
    for (const { file, message } of diagnostics) log.warn(`${file ?? ""} ${message}`);
    return evidence;
  }

  async function evidenceOf(
    skill: LocatedSkill,
    subject: ReviewSubject,
    watched: Watched,
  ): Promise<ReviewEvidence> {
    const host = startHost();
    try {
      const measured = await backtestOf(skill, subject, host, watched);
      const evidence = await gatherEvidence(subject, { compiler, host });
      const others = (await library.list()).filter(
        (other) => other.domain === skill.domain && other.skillId !== skill.skillId,
      );
      const neighbours = others.flatMap((other) => (other.skill === undefined ? [] : [other.skill]));
      return { ...evidence, neighbours, ...(measured !== undefined && { backtest: measured }) };
    } finally {
      await host.close();
    }
  }

  /** The teacher's words appear on the skill's page as they come. */
  async function listen(skill: LocatedSkill, teacher: ChatModel, signal: AbortSignal): Promise<ReviewResult> {
    let words = "";
    const write = (phase: string): void => panels.follow(skill.uri, { teacher: teacher.id, phase, words });
    write("Running the checks and cases …");
    await panels.show(skill.uri);
    const subject = await readSkill(skill);
    const onProgress = (done: number, total: number): void =>
      write(`Judging recorded episodes: ${done} of ${total} …`);
    const evidence = await evidenceOf(skill, subject, { signal, onProgress });
    signal.throwIfAborted();
    write("The teacher reads the skill …");
    const again = (why: string): void => {
      words = "";
      write(why);
    };
    return reviewSkill(subject, evidence, teacher, {
      clock,
      signal,
      onText: (piece) => {
        words += piece;
        write("The teacher answers …");
      },
      onRestart: () => again("The connection was lost; the teacher begins again …"),
      onRetry: (problems) => {
        for (const { message } of problems)
          log.warn(`The reply of ${teacher.id} could not be read: ${message}`);
        again("The reply could not be read; the teacher is asked once more …");
      },
    });
  }

  function inProgress(skill: LocatedSkill, teacher: ChatModel): Thenable<ReviewResult> {
    const title = `${teacher.id} reviews ${skill.skillId}`;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
      return listen(skill, teacher, stop.signal);
    });
  }

  function tell(diagnostics: readonly Diagnostic[]): void {
    for (const { file, message } of diagnostics) log.warn(`${file ?? ""} ${message}`);
    const [warning] = diagnostics.filter(({ code }) => code === "HASP705");
    if (warning !== undefined)
      void vscode.window.showWarningMessage(`${warning.message} ${warning.next ?? ""}`);
  }

  async function review(skill: LocatedSkill): Promise<Review> {
    const spec = requireModel("teacher");
    const teacher = await models.open(spec, { budget: createBudget(dollarLimit()) });
    let unusable: UnusableReply | undefined;
    underWay.add(skill.uri.path);
    try {
      const checked = await inProgress(skill, teacher);
      tell(checked.diagnostics);
      unusable = unusableReply(checked, teacher, clock);
      if (unusable !== undefined) throw unusableFailure(skill, unusable);
      const value = need(checked);
      const [problem] = await reviews.add(skill.uri, value);
      if (problem !== undefined)
        throw new Failure(`The review was not stored: ${problem.message}`, problem.next ?? "");
      const { decision, qSkill, usage } = value;
      log.info(
        `${teacher.id} reviewed ${skill.skillId}: ${decision}, Q_skill ${qSkill}, ${describeUsage(usage)}`,
      );
      return value;
    } finally {
      underWay.delete(skill.uri.path);
      panels.finish(skill.uri, unusable);
    }
  }

  function say(skill: LocatedSkill, { decision, qSkill, usage }: Review): void {
    const text = `${skill.skillId}: ${decision}, Q_skill ${qSkill.toFixed(2)}. ${describeUsage(usage)}.`;
    const show = "Show review";
    void vscode.window.showInformationMessage(text, show).then((choice) => {
      if (choice === show) void panels.show(skill.uri);
    });
  }

  async function teacherReview(argument?: unknown): Promise<Review | undefined> {
    requireTrust("A review runs the skill's Program Function, which");
    requireModel("teacher");
    const folder = folderIn(argument);
    const skill = folder === undefined ? await askSkill(library) : await skillAt(library, folder);
    if (skill === undefined) return undefined;
    if (underWay.has(skill.uri.path))
      throw new Unmet(`${skill.skillId} is being reviewed already.`, "Wait, or cancel that review.");
    const value = await review(skill);
    say(skill, value);
    return value;
  }

  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.teacherReview, teacherReview),
    registerCommand(log, COMMANDS.showReview, async (argument?: unknown) => {
      const folder = folderIn(argument);
      return folder === undefined ? undefined : panels.show(folder);
    }),
  );
}
