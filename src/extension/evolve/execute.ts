import { join } from "node:path";
import * as vscode from "vscode";
import type { Evolved } from "../../evolve/evolve.ts";
import type { EvolveEvent, EvolveOrder } from "../../evolve/order.ts";
import { ModelError } from "../../llm/chat-model.ts";
import { costText } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { decisionWordOf, PHASES } from "../../model/evolution.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { CONFIGURE } from "../models/chosen-model.ts";
import { plainLine } from "../experiments/words.ts";
import { inform, warn } from "../notification.ts";
import type { RunBundles } from "../questions/order.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import type { RunningEvolution } from "./evolutions.ts";
import { evolveServices } from "./services.ts";
import { phaseTitle, type Work, workWords } from "./words.ts";

/** An evolution, or a sitting of it, that ended. */
export interface EvolutionOutcome extends Evolved {
  readonly folder: vscode.Uri;
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs the epochs of an order, or the rest of them. */
export type ExecuteEvolution = (root: vscode.Uri, order: EvolveOrder) => Promise<EvolutionOutcome>;

/** Milliseconds between two texts of the notification. */
const TOLD_EVERY = 250;

type Shown = Pick<RunBundles["editorServices"], "log" | "evolutions" | "status" | "runs">;

/** Keeps how far an evolution is, and shows it in the view and in the status bar. */
class Follower {
  private readonly shown: Shown;
  private readonly folder: vscode.Uri;
  private readonly epochs: number;
  private readonly tell: (words: string) => void;
  private readonly controls: Pick<RunningEvolution, "stop" | "cancel">;
  private work: Work = {};
  private toldAt = 0;

  constructor(
    shown: Shown,
    order: { readonly folder: vscode.Uri; readonly epochs: number },
    tell: (words: string) => void,
    controls: Pick<RunningEvolution, "stop" | "cancel">,
  ) {
    this.shown = shown;
    this.folder = order.folder;
    this.epochs = order.epochs;
    this.tell = tell;
    this.controls = controls;
  }

  show(change: Work): void {
    const isNews = change.phase !== undefined || change.isStopping !== undefined;
    this.work = { ...this.work, ...change };
    this.shown.evolutions.setRunning(this.folder, {
      work: this.work,
      stop: () => {
        this.controls.stop();
        this.show({ isStopping: true });
      },
      cancel: this.controls.cancel,
    });
    this.shown.status.showRunning("Evolve library", this.share());
    const now = Date.now();
    if (!isNews && now - this.toldAt < TOLD_EVERY) return;
    this.toldAt = now;
    this.tell(workWords(this.work));
  }

  hear(event: EvolveEvent): void {
    const { log, evolutions } = this.shown;
    switch (event.kind) {
      case "progress":
        return this.show({ progress: event.words });
      case "trouble":
        return log.warn(event.message);
      case "candidate": {
        const { id, decision } = event.candidate;
        return log.info(`${id} ${decisionWordOf(decision)}: ${plainLine(decision.reason)}`);
      }
      case "phase": {
        const { epoch, phase, status, words = "" } = event;
        if (status === "done") log.info(`epoch ${epoch} ${phaseTitle(phase)}: ${words}`);
        if (status === "begun") return this.show({ epoch, phase, progress: undefined });
        return status === "done" ? evolutions.forget(this.folder) : undefined;
      }
    }
  }

  /** Share of the phases that are done. */
  private share(): number {
    const { epoch, phase } = this.work;
    if (epoch === undefined || phase === undefined) return 0;
    return ((epoch - 1) * PHASES.length + PHASES.indexOf(phase)) / (this.epochs * PHASES.length);
  }
}

const ENDS = {
  stopped: "Stopped after a phase",
  cancelled: "Cancelled",
  budget: "The budget is spent",
} as const;

/** An evolution in a sentence or two. */
function describe({ epochs, endedBy, final, dollars: spent, costUnknown }: Evolved): string {
  const done = `${counted(epochs, "epoch")} done.`;
  const cost = spent > 0 || costUnknown ? ` Cost ${costText({ spent, costUnknown })}.` : "";
  if (endedBy !== undefined) return `${ENDS[endedBy]}. ${done}${cost} Resume Evolution does the rest.`;
  return `${done}${final === undefined ? "" : ` ${final.words}`}${cost}`;
}

function say({ folder, ...evolved }: EvolutionOutcome): void {
  const text = `${nameOf(folder)}: ${describe(evolved)}`;
  const resume = evolved.endedBy === undefined ? [] : [wayTo(COMMANDS.resumeEvolution, folder)];
  const tell = evolved.endedBy === "budget" ? warn : inform;
  tell(text, ...resume, wayTo(COMMANDS.showEvolutionReport, folder));
}

/** A failure of a model ends the sitting, not the evolution. */
function asFailure(error: unknown, folder: vscode.Uri): unknown {
  if (!(error instanceof ModelError)) return error;
  const next = error.next ?? "The log has the details.";
  return new Failure(error.message, `${next} What is done stays.`, wayTo(COMMANDS.resumeEvolution, folder));
}

/** Executes evolutions of this window, each folder's one at a time. */
export function evolutionExecutor(bundles: RunBundles): ExecuteEvolution {
  const { log, evolutions, status } = bundles.editorServices;
  const underWay = new Set<string>();
  const showRunning = (): Thenable<unknown> =>
    vscode.commands.executeCommand("setContext", CONTEXT_KEYS.evolutionRunning, underWay.size > 0);

  async function work(root: vscode.Uri, order: EvolveOrder, folder: vscode.Uri): Promise<EvolutionOutcome> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Evolving ${nameOf(folder)}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const [cancelled, stopped] = [new AbortController(), new AbortController()];
      token.onCancellationRequested(() => cancelled.abort(new vscode.CancellationError()));
      const controls = {
        stop: () => stopped.abort(),
        cancel: () => cancelled.abort(new vscode.CancellationError()),
      };
      const tell = (message: string): void => progress.report({ message });
      const follower = new Follower(bundles.editorServices, { folder, epochs: order.epochs }, tell, controls);
      follower.show({});
      const { evolve } = await import("../../evolve/evolve.ts");
      return asOnlyWriter(join(root.fsPath, order.folder), async ({ lost }) => {
        const services = evolveServices(bundles, root, order, {
          signal: AbortSignal.any([cancelled.signal, lost]),
          stop: stopped.signal,
          on: (event) => follower.hear(event),
        });
        const result = await evolve(order, services);
        logFindings(log, result.diagnostics);
        return { ...usable(result, CONFIGURE), folder, diagnostics: result.diagnostics };
      });
    });
  }

  return async (root, order) => {
    const folder = vscode.Uri.joinPath(root, order.folder);
    const key = folder.toString();
    if (underWay.has(key))
      throw new Unmet(`${nameOf(folder)} is running already.`, "Wait for it, or stop it first.");
    underWay.add(key);
    void showRunning();
    try {
      const outcome = await work(root, order, folder);
      log.info(`${folder.fsPath}: ${describe(outcome)}`);
      say(outcome);
      return outcome;
    } catch (error) {
      throw asFailure(error, folder);
    } finally {
      underWay.delete(key);
      evolutions.setRunning(folder, undefined);
      evolutions.forget(folder);
      void showRunning();
      status.showIdle();
    }
  };
}
