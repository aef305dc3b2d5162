import { type Imported, importContent, lines } from "./formats-support.ts";

type Row = Record<string, unknown>;

/** Writes a session as Claude Code does: each line follows the one before it, unless it names another parent. */
export interface SessionWriter {
  readonly rows: Row[];
  /** Adds a line; answers with its uuid. */
  add(row: Row): string;
  person(content: unknown, more?: Row): string;
  /** A reply; `message` may hold its id, usage and so on. */
  agent(content: unknown, message?: Row, more?: Row): string;
  result(id: string, content: unknown, more?: Row, block?: Row): string;
  attachment(attachment: Row, more?: Row): string;
  text(): string;
}

const second = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export function writeSession(session = "s1", prefix = "u", start = 0): SessionWriter {
  const rows: Row[] = [];
  let last: unknown = null;
  const add = (row: Row): string => {
    const n = rows.length + 1;
    const uuid = typeof row["uuid"] === "string" ? row["uuid"] : `${prefix}${n}`;
    const place = { parentUuid: last, isSidechain: false, sessionId: session, uuid };
    rows.push({ ...place, timestamp: second(start + n), cwd: "/repo", version: "2.1.332", ...row });
    last = uuid;
    return uuid;
  };
  return {
    rows,
    add,
    person: (content, more) => add({ type: "user", message: { role: "user", content }, ...more }),
    agent(content, message, more) {
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      const id = `${prefix}-m${rows.length + 1}`;
      return add({
        type: "assistant",
        message: { id, type: "message", role: "assistant", model: "claude-x", content: blocks, ...message },
        ...more,
      });
    },
    result: (id, content, more, block) =>
      add({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, ...block }] },
        ...more,
      }),
    attachment: (attachment, more) => add({ type: "attachment", attachment, ...more }),
    text: () => lines(...rows),
  };
}

/** A call of a tool. */
export const use = (id: string, command = `run ${id}`): Row => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: { command },
});

/** A call that starts a sub-agent. */
export const start = (id: string, prompt: string): Row => ({
  type: "tool_use",
  id,
  name: "Task",
  input: { description: "look", prompt, subagent_type: "general-purpose" },
});

export const importSession = (...sessions: readonly SessionWriter[]): Promise<Imported> =>
  importContent(sessions.map((session) => session.text()).join("\n"), "s1.jsonl");

/** Id, question, and what each step did, in short: the command of a call, or the words. */
export const outline = ({ episodes }: Imported): [string, string, ...string[]][] =>
  episodes.map(({ id, question, steps }) => [
    id,
    question,
    ...steps.map(({ executed: { type, arg } }) => {
      if (type === "FINAL" || type === "other") return `${type}: ${arg}`;
      const args = JSON.parse(arg) as { command?: string };
      return args.command ?? type;
    }),
  ]);

/** The entries of the ledger's column that name `what`: how often each was met. */
export function counted(
  { value }: Imported,
  column: "mapped" | "kept" | "dropped" | "unknown",
  what: string,
): number {
  const entries = (value?.files ?? []).flatMap((file) => file[column]);
  return entries.reduce((sum, entry) => sum + (entry.what === what ? entry.times : 0), 0);
}
