import { asList, asRecord, isRecord } from "./records.ts";

/** A file of a program that is known, and not read. */
export interface ForeignFormat {
  readonly what: string;
  /** The way to import the session nevertheless. */
  readonly next: string;
}

const ANTIGRAVITY =
  "Of Antigravity, brain/<id>/.system_generated/logs/transcript_full.jsonl can be read by people; write its steps as one conversation: " +
  '{"messages": [...]}.';
const SQLITE = "SQLite format 3\u0000";

/** Recognises a file that is not JSON by its first bytes. */
export function foreignHead(head: string, file: string): ForeignFormat | undefined {
  if (head.startsWith(SQLITE))
    return {
      what: "an SQLite database, as Cursor, OpenCode, Goose, Zed and OpenAI's Agents SDK keep sessions",
      next:
        "Export the session: `opencode export <session>`, `goose session export --format json`; of Cursor, import the files of agent-transcripts; " +
        "of the Agents SDK, write the items of the session as JSON.",
    };
  if (/^\uFEFF?\s*# aider chat started at/.test(head))
    return {
      what: "the chat history of Aider, in Markdown, which does not tell calls from words",
      next: "Log the requests of Aider with a proxy, such as LiteLLM's, and import that log.",
    };
  if (/^\uFEFF?## (?:USER|MODEL) /.test(head))
    return {
      what: "a chat that Gemini CLI shared as Markdown",
      next: "Share it with `/chat share <name>.json`, or import the session below ~/.gemini/tmp.",
    };
  if (/^\{\s+resource: \{\s+attributes: \{/.test(head))
    return {
      what: "what JavaScript's ConsoleSpanExporter prints: no JSON, and cut below some levels",
      next: "Write the spans with an OTLP exporter and a collector's file exporter, or print JSON.stringify of each.",
    };
  if (/^\uFEFF?Activity\.TraceId:\s/.test(head))
    return {
      what: "what the console exporter of .NET prints, which is no JSON",
      next: "Write the spans with an OTLP exporter and a collector's file exporter.",
    };
  if (file.endsWith(".pb"))
    return {
      what: "a file in Protocol Buffers, as Antigravity keeps its conversations; their form is not published",
      next: ANTIGRAVITY,
    };
  return undefined;
}

/** A JSON document or line of a program that is known, and not read. */
export function foreignValue(value: unknown): ForeignFormat | undefined {
  const first = asRecord(Array.isArray(value) ? value[0] : value);
  return KNOWN.find(({ is }) => is(first))?.format;
}

const text = (value: unknown): boolean => typeof value === "string";

const KNOWN: readonly {
  readonly is: (first: Record<string, unknown>) => boolean;
  readonly format: ForeignFormat;
}[] = [
  {
    is: (first) =>
      "messageId" in first && "sessionId" in first && first["type"] === "user" && text(first["message"]),
    format: {
      what: "the logs.json of Gemini CLI, which holds the person's words alone",
      next: "Import the sessions: the files in the folder chats beside it.",
    },
  },
  {
    is: (first) => "ts" in first && (first["type"] === "ask" || first["type"] === "say"),
    format: {
      what: "the ui_messages.json of Cline or Roo Code, which shows what the person saw",
      next: "Import api_conversation_history.json in the same folder.",
    },
  },
  {
    is: (first) => isRecord(first["mapping"]) && ("title" in first || "current_node" in first),
    format: {
      what: "the data export of ChatGPT",
      next: 'It has no calls of tools that an agent could be judged by. Write its messages as one conversation a line: {"messages": [...]}.',
    },
  },
  {
    is: (first) => Array.isArray(first["chat_messages"]),
    format: {
      what: "the data export of Claude's web app",
      next: 'Write its messages as one conversation a line: {"messages": [...]}.',
    },
  },
  {
    is: (first) =>
      Array.isArray(first["prompts"]) &&
      asList(first["prompts"]).some((one) => Array.isArray(asRecord(one)["logs"])),
    format: {
      what: "an export of the debug view of Copilot Chat",
      next: "Export the chat itself with `Chat: Export Chat…`, or import the file of chatSessions.",
    },
  },
  {
    is: (first) => text(first["run_type"]) && "inputs" in first,
    format: {
      what: "a run of LangSmith that does not call a model",
      next: "Export the runs of type llm; they have the messages.",
    },
  },
  {
    is: (first) =>
      text(first["sessionID"]) &&
      (isRecord(first["part"]) || text(first["messageID"]) || isRecord(first["time"])),
    format: {
      what: "a piece of a session of OpenCode",
      next: "Export the whole session with `opencode export <session>`.",
    },
  },
  {
    is: (first) => "step_index" in first && text(first["type"]) && "source" in first,
    format: { what: "a transcript of Antigravity, whose form is not published", next: ANTIGRAVITY },
  },
  {
    is: (first) => Array.isArray(first["history"]) && "workspaceDirectory" in first,
    format: {
      what: "a session of Continue",
      next: 'Write the `message` of each entry of its history as one conversation: {"messages": [...]}.',
    },
  },
];
