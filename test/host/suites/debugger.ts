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

/** Where the debugger stopped, told by the first thread that did. */
export interface Stop {
  readonly session: vscode.DebugSession;
  readonly threadId: number;
}

interface Message {
  readonly event?: string;
  readonly body?: { readonly threadId?: number; readonly output?: string };
}

/**
 * What the debugger does from now on. Its own account of the sessions that go on: `vscode.debug.activeDebugSession` may keep one that
 * has ended, as the editor turns to the parent of a child session that ends, also where both end in the same moment.
 */
export class Debugger implements vscode.Disposable {
  readonly stops: Stop[] = [];
  /** Of each session that has started. */
  readonly configurations: vscode.DebugConfiguration[] = [];
  readonly #live = new Map<string, string>();
  readonly #output: string[] = [];
  readonly #listening: vscode.Disposable;

  constructor() {
    this.#listening = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession(({ configuration }) => this.configurations.push(configuration)),
      vscode.debug.onDidTerminateDebugSession(({ id }) => this.#live.delete(id)),
      vscode.debug.registerDebugAdapterTrackerFactory("*", {
        createDebugAdapterTracker: (session) => {
          this.#live.set(session.id, session.name);
          return { onDidSendMessage: (message: Message) => this.#heard(session, message) };
        },
      }),
    );
  }

  /** All that was printed. */
  get output(): string {
    return this.#output.join("");
  }

  #heard(session: vscode.DebugSession, { event, body }: Message): void {
    if (event === "stopped") this.stops.push({ session, threadId: body?.threadId ?? 0 });
    if (event === "output") this.#output.push(body?.output ?? "");
  }

  /** Waits until all sessions have ended; else the failure tells whether one has stopped once more. */
  async end(): Promise<void> {
    const isOver = await within(PATIENCE_MS, () => this.#live.size === 0);
    const names = [...this.#live.values()].join(", ");
    ok(isOver, `${names} goes on, with ${this.stops.length} stops after the first; printed:\n${this.output}`);
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** The innermost frame. */
export async function topOf({ session, threadId }: Stop): Promise<Frame> {
  const { stackFrames } = (await session.customRequest("stackTrace", { threadId })) as {
    stackFrames: Frame[];
  };
  const [frame] = stackFrames;
  ok(frame);
  return frame;
}

/** What an expression gives in the innermost frame, as the debugger writes it. */
export async function evaluated(stop: Stop, expression: string): Promise<string> {
  const { id } = await topOf(stop);
  const { result } = (await stop.session.customRequest("evaluate", { expression, frameId: id })) as {
    result: string;
  };
  return result;
}

export const goOn = ({ session, threadId }: Stop): Thenable<unknown> =>
  session.customRequest("continue", { threadId });
