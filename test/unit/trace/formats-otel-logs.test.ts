import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attribute } from "./formats-fixtures.ts";
import { documentOf, outline, says, user } from "./formats-otel-support.ts";
import { importFiles } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

// Collectors and SDKs write spans and log records into files of their own.

const chat = (id: string, at: number) =>
  documentOf({
    id,
    at,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 7 },
  });

const log = (spanId: string, question: string, answer: string): object => ({
  traceId: "t1",
  spanId,
  timeUnixNano: "1",
  eventName: "gen_ai.client.inference.operation.details",
  attributes: [
    attribute("gen_ai.input.messages", JSON.stringify([user(question)])),
    attribute("gen_ai.output.messages", JSON.stringify([says(answer)])),
  ],
});
const logsOf = (...logRecords: object[]): object => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });

function written(contents: Readonly<Record<string, string>>): string[] {
  const folder = temporaryFolder();
  return Object.entries(contents).map(([name, content]) => {
    writeFileSync(`${folder}/${name}`, content);
    return `${folder}/${name}`;
  });
}

test.each([
  ["before", ["logs.jsonl", "spans.jsonl"]],
  ["behind", ["spans.jsonl", "logs.jsonl"]],
])("OpenTelemetry: log records in a file %s that of their spans are read with them", async (_, names) => {
  const contents: Record<string, string> = {
    "spans.jsonl": `${JSON.stringify(chat("a", 1))}\n${JSON.stringify(chat("b", 2))}\n`,
    "logs.jsonl": `${JSON.stringify(logsOf(log("a", "Rain?", "Yes.")))}\n${JSON.stringify(
      logsOf(log("b", "Snow?", "No."), log("c", "Sun?", "Ever.")),
    )}\n`,
  };
  const files = written(Object.fromEntries(names.map((name) => [name, contents[name] ?? ""])));
  const { episodes, value } = await importFiles(...files);
  // The span of the last one is in no file.
  expect(outline({ episodes })).toEqual([
    ["Rain?", ["FINAL"]],
    ["Snow?", ["FINAL"]],
    ["Sun?", ["FINAL"]],
  ]);
  expect(episodes.map(({ cost }) => cost?.inputTokens)).toEqual([7, 7, undefined]);
  const told = value?.files.flatMap(({ mapped }) => mapped).find(({ to }) => to.includes("another file"));
  expect(told).toMatchObject({ what: "log records", times: 2 });
});

test("OpenTelemetry: a file of log records whose spans are all in another one is no error", async () => {
  const files = written({
    // Over many lines, as a person saves it.
    "logs.json": JSON.stringify(logsOf(log("a", "Rain?", "Yes.")), undefined, 2),
    "spans.json": JSON.stringify(chat("a", 1), undefined, 2),
  });
  const { episodes, diagnostics } = await importFiles(...files);
  expect(outline({ episodes })).toEqual([["Rain?", ["FINAL"]]]);
  expect(diagnostics).toEqual([]);
});
