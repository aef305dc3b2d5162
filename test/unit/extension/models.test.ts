import { describe, expect, it } from "vitest";
import type * as vscode from "vscode";
import { redactedLog } from "../../../src/extension/models/log.ts";
import { secretKeys, tryingKey } from "../../../src/extension/models/secret-keys.ts";
import { createRedactor } from "../../../src/llm/redact.ts";

const KEY = "key-0123456789-abcdef";

/** A secret storage in memory, with what is asked of it. */
function storage(): vscode.SecretStorage & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    get: async (key) => held.get(key),
    store: async (key, value) => void held.set(key, value),
    delete: async (key) => void held.delete(key),
    keys: async () => [...held.keys()],
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

/** A log that keeps what reaches it. */
function channel(): { readonly log: vscode.LogOutputChannel; readonly lines: unknown[][] } {
  const lines: unknown[][] = [];
  const keep = (...line: unknown[]): void => void lines.push(line);
  const nothing = (): void => undefined;
  const log: vscode.LogOutputChannel = {
    name: "HASP",
    get logLevel(): vscode.LogLevel {
      throw new Error("Nobody asks for the level here");
    },
    onDidChangeLogLevel: () => ({ dispose: nothing }),
    trace: keep,
    debug: keep,
    info: keep,
    warn: keep,
    error: keep,
    append: keep,
    appendLine: keep,
    replace: keep,
    clear: nothing,
    show: nothing,
    hide: nothing,
    dispose: nothing,
  };
  return { log, lines };
}

describe("The log of the extension", () => {
  it("hides a known secret in texts, further arguments and errors, at every level", () => {
    const redactor = createRedactor();
    redactor.learn(KEY);
    const { log, lines } = channel();
    const clean = redactedLog(log, redactor);
    const failure = new Error(`refused: ${KEY}`);
    clean.trace(`with ${KEY}`, KEY, failure);
    clean.debug(`with ${KEY}`, KEY, failure);
    clean.info(`with ${KEY}`, KEY, failure);
    clean.warn(`with ${KEY}`, KEY, failure);
    clean.error(failure, KEY);
    clean.append(KEY);
    clean.appendLine(KEY);
    expect(lines).toHaveLength(7);
    expect(JSON.stringify(lines)).not.toContain(KEY);
    expect(JSON.stringify(lines)).toContain("[redacted]");
  });

  it("hides what has the form of a key, known or not", () => {
    const { log, lines } = channel();
    redactedLog(log, createRedactor()).warn("Authorization: Bearer abcdefghijklmnopqrstuvwxyz");
    expect(JSON.stringify(lines)).not.toContain("abcdefghijklmnop");
  });
});

describe("Keys in the secret storage", () => {
  it("stand under their origin, and answer for no other", async () => {
    const secrets = storage();
    const keys = secretKeys(secrets);
    await keys.give("https://one.example", KEY);
    expect(await keys.keyFor("https://one.example")).toBe(KEY);
    expect(await keys.keyFor("https://one.example:8443")).toBeUndefined();
    expect(await keys.keyFor("http://one.example")).toBeUndefined();
    await keys.forget("https://one.example");
    expect(secrets.held.size).toBe(0);
  });

  it("are only tried, not stored, during a test call", async () => {
    const secrets = storage();
    const keys = secretKeys(secrets);
    await keys.give("https://two.example", "another-key");
    const trying = tryingKey(keys, "https://one.example", KEY);
    expect(await trying.keyFor("https://one.example")).toBe(KEY);
    expect(await trying.keyFor("https://two.example")).toBe("another-key");
    expect(await keys.keyFor("https://one.example")).toBeUndefined();
    expect(
      await tryingKey(keys, "https://two.example", undefined).keyFor("https://two.example"),
    ).toBeUndefined();
  });
});
