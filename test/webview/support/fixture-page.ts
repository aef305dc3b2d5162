import type { Page } from "playwright-core";
import type { ReplayHost } from "../../../src/protocol/replay.ts";

export interface Asked {
  readonly method: string;
  readonly params: {
    readonly index?: number;
    readonly t?: number;
    readonly skillId?: string;
    readonly line?: number;
    readonly with?: string;
    readonly from?: number;
    readonly count?: number;
    readonly today?: boolean;
    readonly page?: string;
    readonly anchor?: string;
  };
}

/** The other side of the page's connection: webview/fixture/main.ts leaves it on the window. */
export interface FixturePage {
  log(): Promise<{
    requests: Asked[];
    cancelled: Asked[];
    positions: { index: number; t: number }[];
    kept: unknown[];
  }>;
  send<E extends keyof ReplayHost["events"]>(event: E, payload: ReplayHost["events"][E]): Promise<void>;
  /** Requests that failed succeed from now on. */
  repair(): Promise<void>;
  /** Requests of a method wait until they are released. */
  hold(method: string): Promise<void>;
  /** Answers so many of the requests that are held, or all from now on. */
  release(method: string, count?: number): Promise<void>;
}

export function fixturePage(page: Page): FixturePage {
  return {
    log: () => page.evaluate("JSON.parse(JSON.stringify(haspFixture.log))"),
    send: (event, payload) =>
      page.evaluate(`haspFixture.extension.send(${JSON.stringify(event)}, ${JSON.stringify(payload)})`),
    repair: () => page.evaluate("haspFixture.repair()"),
    hold: (method) => page.evaluate(`haspFixture.gates.hold("${method}")`),
    release: (method, count) => page.evaluate(`haspFixture.gates.release("${method}", ${count})`),
  };
}
