/** A client of `hasp serve` (docs/serve.md) for Node, without dependencies. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** An action as the coding-agent domain names it: a canonical tool and its input as JSON, FINAL, or REFUSE. */
export interface Action {
  readonly type: string;
  readonly arg: string;
}

export interface SkillText {
  readonly skill_id: string;
  readonly text: string;
}

/** What becomes of one proposal. */
export interface Decision {
  readonly executed: Action;
  readonly injected: readonly SkillText[];
  readonly hold_back: boolean;
  readonly events: readonly {
    readonly skill_id: string;
    readonly status: string;
    readonly reason: string;
    readonly by?: string;
  }[];
  readonly answer?: string;
  readonly again?: string;
  readonly stopped?: string;
  /** One line for the model, before the output: which action ran in place of its own, and why. */
  readonly rewritten?: string;
  /** Ends what the model reads with texts of skills: the question again, and the form of an action. Older servers give none. */
  readonly form?: string;
}

/** What is known of the world as a call is proposed. */
export interface World {
  readonly branch?: string;
  readonly files?: readonly {
    readonly path: string;
    readonly exists: boolean;
    readonly occurrences?: readonly number[];
  }[];
}

/** How a tool ended. */
export interface ToolResult {
  readonly exit_code?: number;
  readonly ok?: boolean;
}

export interface OpenOptions {
  readonly episode_id?: string;
  /** Which question this is, and which of its episodes, from 1. */
  readonly question_id?: string;
  readonly sample?: number;
  readonly max_steps?: number;
  /** How the model writes an action, in one sentence: the end of `form`. */
  readonly notation?: string;
  /** The folder in which the agent works. */
  readonly cwd?: string;
  /** The commands by which the project checks itself. */
  readonly project?: readonly {
    readonly kind: "test" | "lint" | "types" | "build" | "format";
    readonly command: string;
  }[];
}

export interface Opened {
  readonly episode: string;
  readonly summaries: readonly string[];
  readonly instructions: readonly SkillText[];
  readonly form?: string;
}

/** A request that was not answered: `code` for programs, the text for people. */
export class HaspError extends Error {
  readonly code: string;
  constructor({ code, message, next = "" }: { code: string; message: string; next?: string }) {
    super(`${message} ${next}`.trim());
    this.name = "HaspError";
    this.code = code;
  }
}

/** A connection to `hasp serve`; any number of episodes may share it. */
export interface Hasp {
  /** The result of one request. Rejects with HaspError. */
  call<T>(method: string, params: object): Promise<T>;
  /** Ends the connection; episodes that are still open are kept as halted. */
  close(): Promise<void>;
}

type Reply = { readonly id: number | null } & (
  | { readonly result: unknown }
  | { readonly error: ConstructorParameters<typeof HaspError>[0] }
);

/** Starts `hasp serve --domain coding-agent` with these arguments as a child process. */
export function startHasp(args: readonly string[] = [], command: readonly string[] = ["hasp"]): Hasp {
  const [program = "hasp", ...before] = command;
  const child = spawn(program, [...before, "serve", "--domain", "coding-agent", ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  let calls = 0;
  let gone: Reply | undefined;
  const leave = (why: string): void => {
    gone ??= { id: null, error: { code: "gone", message: `hasp serve has ended: ${why}.` } };
    for (const settle of waiting.values()) settle(gone);
    waiting.clear();
  };
  child.once("error", (error) => leave(error.message));
  child.stdin.on("error", (error) => leave(error.message));
  const ended = new Promise<void>((resolve) => {
    child.once("close", (code, signal) => {
      leave(`exit ${code ?? signal}`);
      resolve();
    });
  });
  createInterface(child.stdout).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    waiting.get(Number(reply.id))?.(reply);
    waiting.delete(Number(reply.id));
  });
  return {
    async call<T>(method: string, params: object): Promise<T> {
      const id = ++calls;
      const reply = await new Promise<Reply>((settle) => {
        if (gone !== undefined) return settle(gone);
        waiting.set(id, settle);
        child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      });
      if ("error" in reply) throw new HaspError(reply.error);
      return reply.result as T;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Asks the server at a port of this machine (`hasp serve --domain coding-agent --http <port>`). */
export function haspOverHttp(port: number, token: string = process.env["HASP_SERVE_TOKEN"] ?? ""): Hasp {
  let calls = 0;
  return {
    async call<T>(method: string, params: object): Promise<T> {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ id: ++calls, method, params }),
      });
      const reply = (await response.json()) as Reply;
      if ("error" in reply) throw new HaspError(reply.error);
      return reply.result as T;
    },
    close: async () => {},
  };
}
