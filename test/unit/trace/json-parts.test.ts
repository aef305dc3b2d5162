import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonParts } from "../../../src/trace/formats/json-parts.ts";
import { importContent } from "./formats-support.ts";
import { chat, outline, says, spanJson, user } from "./formats-otel-support.ts";

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 4);
const printed = (id: string, text: string): string => {
  const span = chat({ id, at: 1, read: [user(text)], said: [says("Yes")] });
  const attributes = Object.entries(span.attributes).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const ids = { trace_id: `0x${id.repeat(32)}`, span_id: `0x${id.repeat(16)}` };
  return pretty({ name: "chat", context: ids, attributes: Object.fromEntries(attributes) });
};

test("objects of many lines, one after the other, also with what a program printed between them", async () => {
  const three = [printed("1", "One?"), printed("2", "Two?"), printed("3", "Three?")];
  const plain = await importContent(three.join("\n"));
  expect(plain.diagnostics).toEqual([]);
  expect(outline(plain).map(([question]) => question)).toEqual(["One?", "Two?", "Three?"]);
  const mixed = await importContent(`${three[0]}\nReady.\n\nAnd more\r\n${three[1]}\n${three[2]}\nBye.\n`);
  expect(outline(mixed)).toHaveLength(3);
  const told = mixed.diagnostics.map(({ severity, message }) => [severity, message]);
  expect(told).toEqual([
    ["information", expect.stringMatching(/^Line \d+: 2 lines before this place are no JSON/)],
    ["information", expect.stringMatching(/^Line \d+: 1 line before this place is no JSON/)],
  ]);
});

test("of objects one of which breaks off, the others are read, and the place is named", async () => {
  const [one, two, three] = [printed("1", "One?"), printed("2", "Two?"), printed("3", "Three?")];
  const broken = two.replace('"context"', "context");
  const { diagnostics, ...rest } = await importContent([one, broken, three].join("\n"));
  expect(outline(rest).map(([question]) => question)).toEqual(["One?", "Three?"]);
  const line = one.split("\n").length + 2;
  expect(diagnostics.find(({ code }) => code === "HASP536")?.range.start.line).toBe(line);
});

test("what JavaScript's console prints is named", async () => {
  const text =
    "{\n  resource: {\n    attributes: {\n      'service.name': 'x'\n    }\n  },\n  traceId: 'a8'\n}\n";
  const { diagnostics } = await importContent(text, "log.txt");
  expect(diagnostics).toMatchObject([{ code: "HASP507" }]);
  expect(diagnostics[0]?.message).toContain("ConsoleSpanExporter");
});

test("property: documents are taken apart where they were put together, and one stays one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.json(), { minKeys: 1 }), { minLength: 1 }),
      (values) => {
        const documents = values.map(pretty);
        expect(jsonParts(documents.join("\n")).map(({ text }) => text)).toEqual(documents);
        const [one = ""] = documents;
        expect(jsonParts(one)).toEqual([{ text: one, line: 0, foreign: 0 }]);
        expect(jsonParts(JSON.stringify(spanJson({ id: one, at: 1, attributes: {} })))).toHaveLength(1);
      },
    ),
  );
  expect(jsonParts("")).toEqual([{ text: "", line: 0, foreign: 0 }]);
});
