import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SOURCE = path.resolve(import.meta.dirname, "../../../src");

/** Every other file reads JSON through `readJson`. */
const ALLOWED: Readonly<Record<string, string>> = {
  "model/read-json.ts": "the door itself",
  "agents/hook/event-record.ts":
    "an event that is refused would pass every guard; its depth is cut after the parse",
  "cli/hook-main.ts": "the same event, and the reply of our own resident process",
  "cli/hook-session.ts": "what our own `hasp hook compile` prints",
  "cli/hook-status.ts": "what our own test event prints",
  "cli/builtin-skills.ts": "text of the build",
  "extension/enforce/ask-cli.ts": "what our own command line prints",
  "platform/allowed-links.ts": "a file of the user's own state folder",
  "platform/trust.ts": "a file of the user's own state folder",
  "platform/hook-cache.ts": "a file in a folder that nobody else can write",
  "platform/hook-shipped.ts": "a file of the build",
  "platform/debug-folder.ts": "text of a script that is written for a debugger",
  "sandbox/reply.ts": "replies of the guest, which bounds its data (MEMORY_DEPTH)",
  "sandbox/quickjs-host.ts": "replies of the guest",
  "sandbox/guest/crossing.ts": "questions of the host",
  "sandbox/guest/probe.ts": "questions of the host",
  "sandbox/guest/data.ts": "what JSON.stringify just wrote",
  "skill/portable.ts": "what JSON.stringify just wrote",
  "skill/render-case.ts": "what JSON.stringify just wrote",
  "trace/episode-head.ts": "three texts that a pattern has matched",
  "trace/formats/json-document.ts": "one number, or one text",
};

test("JSON is parsed through the door, or by a file with a reason", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.d)\.ts$/.test(file),
  );
  const parsing = files.filter((file) => {
    const code = readFileSync(path.join(SOURCE, file), "utf8").replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, "");
    return code.includes("JSON.parse(");
  });
  expect(parsing.map((file) => file.split(path.sep).join("/")).toSorted()).toEqual(
    Object.keys(ALLOWED).toSorted(),
  );
});
