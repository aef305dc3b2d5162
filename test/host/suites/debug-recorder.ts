import { ok } from "node:assert/strict";

import * as vscode from "vscode";

import { PATIENCE_MS, within } from "./support.ts";

export interface Frame {
  readonly id: number;
  /** 1-based. */
  readonly line: number;
  readonly name: string;
  readonly source?: { readonly path?: string };
}

/** A thread that has stopped. */
export interface Stop {
  readonly session: vscode.DebugSession;
  readonly threadId: number;
}

interface Message {
  readonly event?: string;
  readonly body?: { readonly threadId?: number; readonly output?: string };
}

/**
 * Records stops, output and sessions of the debugger from its construction on. It counts running sessions by their own events: if a child
 * session and its parent end at the same moment, `vscode.debug.activeDebugSession` keeps the parent.
 */
export class DebugRecorder implements vscode.Disposable {
  readonly stops: Stop[] = [];
  /** One for each session that has started. */
  readonly configurations: vscode.DebugConfiguration[] = [];
  /** Names of the running sessions by id. */
  readonly #running = new Map<string, string>();
  readonly #output: string[] = [];
  readonly #listening: vscode.Disposable;

  constructor() {
    this.#listening = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession(({ configuration }) => this.configurations.push(configuration)),
      vscode.debug.onDidTerminateDebugSession(({ id }) => this.#running.delete(id)),
      vscode.debug.registerDebugAdapterTrackerFactory("*", {
        createDebugAdapterTracker: (session) => {
          this.#running.set(session.id, session.name);
          return { onDidSendMessage: (message: Message) => this.#record(session, message) };
        },
      }),
    );
  }

  /** Everything printed so far. */
  get output(): string {
    return this.#output.join("");
  }

  #record(session: vscode.DebugSession, { event, body }: Message): void {
    if (event === "stopped") this.stops.push({ session, threadId: body?.threadId ?? 0 });
    if (event === "output") this.#output.push(body?.output ?? "");
  }

  /** Waits until every session has ended. If one does not end, the failure lists it and the number of unread stops. */
  async allEnded(): Promise<void> {
    const isOver = await within(PATIENCE_MS, () => this.#running.size === 0);
    const names = [...this.#running.values()].join(", ");
    ok(isOver, `still running: ${names}; unread stops: ${this.stops.length}; printed:\n${this.output}`);
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** Reads the innermost frame. */
export async function topFrame({ session, threadId }: Stop): Promise<Frame> {
  const { stackFrames } = (await session.customRequest("stackTrace", { threadId })) as {
    stackFrames: Frame[];
  };
  const [frame] = stackFrames;
  ok(frame);
  return frame;
}

/** Evaluates an expression in a frame; gives the debugger's text for its value. */
export async function evaluate({ session }: Stop, frame: Frame, expression: string): Promise<string> {
  const request = { expression, frameId: frame.id };
  const { result } = (await session.customRequest("evaluate", request)) as { result: string };
  return result;
}

export const resume = ({ session, threadId }: Stop): Thenable<unknown> =>
  session.customRequest("continue", { threadId });
