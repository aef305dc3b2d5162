import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText, cleanTitle } from "../../../../src/domains/passages/retrievers/clean-text.ts";
import { WIRE_LIMITS, type Wire } from "../../../../src/domains/passages/retrievers/exchange.ts";
import { htmlText } from "../../../../src/domains/passages/retrievers/html-text.ts";
import { httpRetriever } from "../../../../src/domains/passages/retrievers/http-retriever.ts";
import { RetrieverError, type Retriever } from "../../../../src/domains/passages/retrievers/retriever.ts";
import { serpApi } from "../../../../src/domains/passages/retrievers/serpapi.ts";
import { wikipedia } from "../../../../src/domains/passages/retrievers/wikipedia.ts";
import { createRedactor } from "../../../../src/llm/redact.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";

/** A server that says one thing. */
function saying(value: unknown): Wire {
  const timing = { ...systemTiming, sleep: async () => undefined };
  return {
    send: async () => Response.json(value),
    timing,
    redactor: createRedactor(),
    limits: { ...WIRE_LIMITS, retries: 0 },
  };
}

const retrievers: readonly (readonly [string, (wire: Wire) => Retriever])[] = [
  ["http", (wire) => httpRetriever(wire, "http://127.0.0.1/retrieve")],
  ["wikipedia", (wire) => wikipedia(wire, "http://127.0.0.1/w/api.php")],
  ["serpapi", (wire) => serpApi(wire, { origin: "http://127.0.0.1", key: undefined, pages: wire })],
];

const scalar = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null), fc.boolean());
const document = fc.dictionary(
  fc.constantFrom(
    "title",
    "text",
    "contents",
    "document",
    "link",
    "snippet",
    "answer",
    "extract",
    "code",
    "info",
  ),
  scalar,
);
/** Nearly right, and anything. */
const reply = fc.oneof(
  fc.jsonValue(),
  fc.record({ result: fc.array(fc.oneof(fc.array(fc.oneof(document, scalar)), scalar)) }),
  fc.record({
    result: fc.array(fc.array(fc.record({ document: fc.oneof(document, scalar), score: scalar }))),
  }),
  fc.record({ query: fc.record({ search: fc.array(document), pages: fc.array(document) }) }),
  fc.record(
    { organic_results: fc.array(document), answer_box: fc.oneof(document, scalar), error: scalar },
    { requiredKeys: [] },
  ),
  fc.record({ error: document }),
);

describe.each(retrievers)("whatever JSON %s sends", (_name, open) => {
  it("is a list of passages with text and without control characters, or a RetrieverError", async () => {
    await fc.assert(
      fc.asyncProperty(reply, fc.integer({ min: 1, max: 5 }), async (value, most) => {
        const found = await open(saying(value))
          .search("q", most)
          .catch((error: unknown) => {
            expect(error).toBeInstanceOf(RetrieverError);
            expect((error as RetrieverError).brief.length).toBeLessThanOrEqual(32);
            expect((error as RetrieverError).message).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
            return [];
          });
        expect(found.length).toBeLessThanOrEqual(most);
        for (const { title, text } of found) {
          expect(`${title}${text}`).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
          expect(title).not.toContain("\n");
          expect(text.trim()).not.toBe("");
        }
      }),
      { examples: [[{ query: { search: [{ title: "" }], pages: [] } }, 1]] },
    );
  });
});

describe("any text", () => {
  const any = fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u001b", "\u001b[", "\u001b]0;", "31m", "\u0007", "\r", "\ud800"),
    ),
  );

  it("is clean after one cleaning", () => {
    fc.assert(
      fc.property(any, (parts) => {
        const once = cleanText(parts.join(""));
        expect(once).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
        expect(once.isWellFormed()).toBe(true);
        expect(cleanText(once)).toBe(once);
        expect(cleanTitle(parts.join(""))).not.toContain("\n");
      }),
    );
  });

  it("is cut where it is long, and says so", () => {
    expect(cleanText("x".repeat(50_000))).toBe(`${"x".repeat(40_000)} […]`);
  });

  it("is read as a page", async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom("<p>", "</", "<!--", "<script>", "&#x0;", "<table><td>", "<main>"),
      ),
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        expect(await htmlText(parts.join(""))).toBeTypeOf("string");
      }),
    );
  });
});
