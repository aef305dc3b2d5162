import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import path from "node:path";

/** Megabytes of each file: a few long sessions, and short ones. */
const SIZES = [35, 22, 15, 10, 7, 5, 3, 2, 1] as const;

const WORDS =
  "const function return await import export interface readonly string number value result error line file path test expect import from of for let if else undefined map filter length index config option request response user session message 0 1 -> => === && || ( ) { } [ ] ; , .".split(
    " ",
  );

/** Numbers from 0 to 1 by a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Row = Record<string, unknown>;

/** Writes one session, as the program writes it: messages, results with their copies for the program, attachments, snapshots, requests. */
class SessionWriter {
  readonly #random: () => number;
  readonly #session: string;
  readonly #isNew: boolean;
  #parent: string | null = null;
  #count = 0;
  #time = Date.UTC(2026, 9, 1);
  #latest = "";
  #sent = 0;

  constructor(seed: number, isNew: boolean) {
    this.#random = numbersFrom(seed);
    this.#session = this.#uuid(seed);
    this.#isNew = isNew;
  }

  *rows(): Generator<Row> {
    for (;;) {
      yield* this.#prompt();
      for (let calls = this.#below(14); calls >= 0; calls--) yield* this.#call();
      yield this.#agent([{ type: "text", text: this.#text(400) }], "end_turn");
      yield this.#node({ type: "system", subtype: "turn_duration", durationMs: this.#below(90_000) });
    }
  }

  *#prompt(): Generator<Row> {
    yield {
      type: "file-history-snapshot",
      messageId: this.#uuid(1),
      snapshot: { trackedFileBackups: { "src/a.ts": { version: 1, text: this.#text(600) } } },
    };
    yield this.#node({
      type: "user",
      message: { role: "user", content: this.#text(200 + this.#below(800)) },
    });
    for (const type of ["todo_reminder", "nested_memory", "edited_text_file"])
      yield this.#node({ type: "attachment", attachment: { type, content: this.#text(this.#below(1500)) } });
    if (this.#isNew && this.#sent === 0) yield* this.#shape();
  }

  *#shape(): Generator<Row> {
    const tools = Array.from({ length: 20 }, (_, i) => ({
      name: `tool_${i}`,
      description: this.#text(1200),
    }));
    const shape = { system: [{ type: "text", text: this.#text(8000) }], tools };
    yield { type: "api-request-shape", sessionId: this.#session, shapeHash: "shape", shape };
  }

  /** A call of the agent with its result, perhaps a second one beside it. */
  *#call(): Generator<Row> {
    if (this.#isNew) yield* this.#request();
    const id = `msg_${this.#count}`;
    if (this.#below(3) === 0)
      yield this.#agent(
        [{ type: "thinking", thinking: this.#text(600), signature: this.#token(700) }],
        "tool_use",
        id,
      );
    const calls = [this.#tool(), ...(this.#below(5) === 0 ? [this.#tool()] : [])];
    for (const { use } of calls) yield this.#agent([use], "tool_use", id);
    for (const { use, text, beside } of calls) {
      if (this.#below(2) === 0)
        yield this.#node({ type: "progress", data: { type: "hook_progress", output: this.#text(200) } });
      const block = { tool_use_id: use.id, type: "tool_result", content: text, is_error: false };
      yield this.#node({ type: "user", message: { role: "user", content: [block] }, toolUseResult: beside });
    }
  }

  *#request(): Generator<Row> {
    const message = { role: "user", content: [{ type: "text", text: this.#text(300) }] };
    const hash = createHash("sha256").update(`${this.#session} ${this.#sent}`).digest("hex");
    yield { type: "api-request-blob", sessionId: this.#session, hash, message };
    const id = this.#uuid(7);
    yield {
      type: "api-request",
      sessionId: this.#session,
      id,
      shapeHash: "shape",
      params: { model: "claude-x", betas: Array.from({ length: 9 }, () => "some-beta-2026-01-01") },
      ...(this.#sent === 0 ? {} : { base: this.#latest }),
      keep: this.#sent,
      tail: [hash],
    };
    this.#latest = id;
    this.#sent++;
  }

  #tool(): { use: Row & { id: string }; text: string; beside: unknown } {
    const id = `toolu_${this.#count}_${this.#below(1e9)}`;
    const use = (name: string, input: Row) => ({ type: "tool_use" as const, id, name, input });
    const kind = this.#below(10);
    if (kind < 4) {
      const text = this.#text(this.#below(20) === 0 ? 25_000 : this.#below(4000));
      const command = this.#text(80);
      return {
        use: use("Bash", { command, description: "a step" }),
        text,
        beside: { stdout: text, stderr: "", interrupted: false, isImage: false },
      };
    }
    const file_path = `/repo/src/${this.#below(500)}.ts`;
    if (kind < 7) {
      const content = this.#text(1000 + this.#below(9000));
      const file = { filePath: file_path, content, numLines: 100, startLine: 1, totalLines: 100 };
      const text = content.replaceAll("\n", "\n   12→");
      return { use: use("Read", { file_path }), text, beside: { type: "text", file } };
    }
    if (kind < 9) {
      const [old_string, new_string] = [this.#text(300), this.#text(350)];
      const beside = {
        filePath: file_path,
        oldString: old_string,
        newString: new_string,
        originalFile: this.#text(2000 + this.#below(10_000)),
        structuredPatch: [{ oldStart: 1, lines: this.#text(700).split("\n") }],
      };
      return { use: use("Edit", { file_path, old_string, new_string }), text: this.#text(500), beside };
    }
    const text = this.#text(2000);
    return {
      use: use("Grep", { pattern: this.#text(20), output_mode: "content" }),
      text,
      beside: { mode: "content", content: text },
    };
  }

  #agent(content: readonly Row[], stop_reason: string, id = `msg_${this.#count}`): Row {
    const usage = {
      input_tokens: this.#below(5000),
      cache_creation_input_tokens: this.#below(9000),
      cache_read_input_tokens: this.#below(90_000),
      output_tokens: this.#below(900),
      service_tier: "standard",
    };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "claude-x",
      content,
      stop_reason,
      usage,
    };
    const ref = this.#isNew && this.#latest !== "" ? { requestRef: this.#latest } : {};
    return this.#node({ type: "assistant", message, requestId: `req_${id}`, ...ref });
  }

  #node(row: Row): Row {
    const uuid = this.#uuid(this.#count++);
    this.#time += 500 + this.#below(9000);
    const whole = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      cwd: "/repo",
      sessionId: this.#session,
      version: this.#isNew ? "2.1.332" : "2.0.70",
      gitBranch: "main",
      ...row,
      uuid,
      timestamp: new Date(this.#time).toISOString(),
    };
    this.#parent = uuid;
    return whole;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #uuid(more: number): string {
    const part = (): string => this.#below(0x100000000).toString(16).padStart(8, "0");
    return `${part()}-${(more % 65536).toString(16).padStart(4, "0")}-4000-8000-${part()}0000`;
  }

  #token(length: number): string {
    return Array.from({ length }, () => "ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/"[this.#below(44)]).join(
      "",
    );
  }

  /** Text that looks like code, about this long. */
  #text(length: number): string {
    const parts: string[] = [];
    for (let at = 0; at < length;) {
      const word = WORDS[this.#below(WORDS.length)] ?? "";
      const end = this.#below(9) === 0 ? "\n  " : this.#below(25) === 0 ? ' "x\u00e9" ' : " ";
      parts.push(word, end);
      at += word.length + end.length;
    }
    return parts.join("");
  }
}

/** Writes sessions of about 100 MB in all into a folder; the same each time. Every third is of a version that keeps its requests. */
export async function writeClaudeSessions(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [i, megabytes] of SIZES.entries()) {
    const file = path.join(folder, `session-${i}.jsonl`);
    const out = createWriteStream(file);
    let left = megabytes * 1_000_000;
    for (const row of new SessionWriter(i + 1, i % 3 === 0).rows()) {
      const line = `${JSON.stringify(row)}\n`;
      left -= line.length;
      if (!out.write(line)) await once(out, "drain");
      if (left <= 0) break;
    }
    out.end();
    await once(out, "finish");
    files.push(file);
  }
  return files;
}
