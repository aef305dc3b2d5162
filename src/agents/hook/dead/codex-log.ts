import { parseJson } from "../../../model/read-json.ts";
import { asName, asRecord, asText, type JsonRecord } from "../../../trace/formats/records.ts";
import { glance, timeOf, type HostLogReader, type LoggedCall } from "./host-log.ts";

// Codex's rollout, `sessions/<year>/<month>/<day>/rollout-*.jsonl` (read in 0.171.0, and seen there). It says nothing of hooks. A command or a
// patch that ran is an `item_completed` under the id that hooks are given, also where JavaScript of code mode called it.

/** Started for the model. `user_shell` is a person's own, and `unified_exec_interaction` types into a command that runs already. */
const SOURCES: ReadonlySet<unknown> = new Set(["agent", "unified_exec_startup"]);

const hasRun: Readonly<Record<string, (item: JsonRecord) => boolean>> = {
  CommandExecution: ({ source, exit_code }) => SOURCES.has(source) && typeof exit_code === "number",
  FileChange: ({ status }) => status === "completed",
};

/** The tools as hooks name them. */
const TOOLS: Readonly<Record<string, string>> = { CommandExecution: "Bash", FileChange: "apply_patch" };

function textOf({ command, changes }: JsonRecord): string {
  if (Array.isArray(command)) return glance({ command: String(command.at(-1)) });
  return glance({ path: Object.keys(asRecord(changes)).join(", ") });
}

export function codexLog(session: string): HostLogReader {
  const calls: LoggedCall[] = [];
  let meta: JsonRecord = {};
  let startedAt: number | undefined;

  function addItem(item: JsonRecord, at: number, file: string, line: number): void {
    const type = asName(item["type"]);
    const id = asName(item["id"]);
    if (id === "" || !Object.hasOwn(hasRun, type) || hasRun[type]?.(item) !== true) return;
    calls.push({ id, tool: TOOLS[type] ?? type, text: textOf(item), at, file, line, ran: true });
  }
  return {
    add(file, line, text) {
      const isMeta = startedAt === undefined && text.includes('"session_meta"');
      if (!isMeta && !text.includes('"item_completed"')) return;
      const row = asRecord(parseJson(text));
      const payload = asRecord(row["payload"]);
      const at = timeOf(row["timestamp"]);
      if (isMeta && row["type"] === "session_meta") {
        meta = payload;
        startedAt = timeOf(payload["timestamp"]) || at;
      }
      if (row["type"] === "event_msg" && payload["type"] === "item_completed")
        addItem(asRecord(payload["item"]), at, file, line);
    },
    log: () => ({
      host: "codex",
      session: asText(meta["session_id"]) ?? session,
      mayHoldCopies: meta["forked_from_id"] !== undefined && meta["forked_from_id"] !== null,
      cwd: asText(meta["cwd"]),
      startedAt,
      calls,
      hooks: [],
      listsHooks: false,
    }),
  };
}
