import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-pictures-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const PICTURE = `data:image/png;base64,${"iVBORw0K".repeat(2_500_000)}`;

/** V8 interprets a pattern as long as it is young or much else is at work; then one that takes 20 MB at once runs out of stack. */
it.each([
  [
    "a part of a message",
    [
      { type: "text", text: "See" },
      { type: "image_url", image_url: { url: PICTURE } },
    ],
  ],
  ["words", `See ${PICTURE} there`],
])("a picture of 20 MB as %s leaves a mark, whatever V8 does with patterns", async (_, content) => {
  const file = path.join(place, "chat.json");
  const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
  const messages = [
    { role: "user", content },
    { role: "assistant", content: "I look.", tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: PICTURE },
  ];
  writeFileSync(file, JSON.stringify({ messages }));
  const run = path.join(place, "run");
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--regexp-interpret-all",
    path.join(ROOT, "dist/hasp.cjs"),
    "import",
    file,
    "-o",
    run,
    "--json",
  ]);
  rmSync(run, { recursive: true });
  expect(JSON.parse(stdout)).toMatchObject({ episodes: 1, findings: [] });
});
