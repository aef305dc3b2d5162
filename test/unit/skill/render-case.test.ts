import { REGISTERED } from "../../../src/domains/registered.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseExpectation } from "../../../src/model/case.ts";
import type { Json } from "../../../src/model/step-context.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { renderCase, type NewCase } from "../../../src/skill/render-case.ts";

/** Texts as they come: words, lines, and any UTF-16 at all, lone surrogates and control characters among them. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => units.map((u) => String.fromCharCode(u)).join("")),
  fc.array(fc.string({ unit: "grapheme" }), { maxLength: 5 }).map((lines) => lines.join("\n")),
  fc.constantFrom(
    "true",
    "12",
    "1:30",
    "- a",
    "a: b",
    "a #b",
    "~",
    "",
    " x",
    "x ",
    "---",
    "a\n\nb\n",
    "a\n b\n\n",
    "\ta\nb",
  ),
);
const type = fc.constantFrom("SEARCH", "READ", "FINAL", "other", "invalid", "RUN_TESTS", "1e3", "null");
const action = fc.record({ type, arg: anyText });
const count = fc.nat(1000);
const context = fc.record({
  question: anyText,
  stepCount: count,
  maxSteps: fc.integer({ min: 1, max: 1000 }),
  hasRead: fc.boolean(),
  searchCount: count,
  readCount: count,
  emptyResults: fc.boolean(),
  contradictorySources: fc.boolean(),
  actionHistory: fc.array(action, { maxLength: 4 }),
  lastSearchResultsText: anyText,
  allReadContents: fc.array(anyText, { maxLength: 4 }),
  thought: anyText,
});
const expectation: fc.Arbitrary<CaseExpectation> = fc.oneof(
  fc.constant({ fires: false }),
  fc.constant({ fires: true }),
  fc.record({
    fires: fc.constant(true),
    type: fc.constant("INJECT_CONTEXT" as const),
    contextContains: anyText,
  }),
  fc.record({
    fires: fc.constant(true),
    type: fc.constant("MODIFY_ACTION" as const),
    newActionType: type,
    newActionArg: anyText,
  }),
);
const memory = fc.option(
  fc.dictionary(
    fc.oneof(anyText, fc.constant("k".repeat(2000))),
    fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
  ),
  { nil: undefined },
);
const anyCase: fc.Arbitrary<NewCase> = fc.record({
  name: anyText.map((text) => text.trim() || "a case"),
  context,
  memory,
  proposed: fc.oneof(action, fc.record({ type, arg: anyText, raw: anyText })),
  expect: expectation,
});

/** What can be compared: without places, and memory as JSON, in which the order of keys does not count. */
const plain = ({ name, context: ctx, memory: mem, proposed, expect: wanted }: NewCase): unknown =>
  structuredClone({
    name,
    context: ctx,
    memory: mem === undefined ? null : { ...(mem as object) },
    proposed,
    expect: wanted,
  });

const emptyCase: NewCase = {
  name: "one",
  context: {
    question: "Who?",
    stepCount: 0,
    maxSteps: 6,
    hasRead: false,
    searchCount: 0,
    readCount: 0,
    emptyResults: false,
    contradictorySources: false,
    actionHistory: [],
    lastSearchResultsText: "",
    allReadContents: [],
    thought: "",
  },
  memory: undefined,
  proposed: { type: "SEARCH", arg: "who" },
  expect: { fires: true },
};

/** A whole file, with the list indented. */
function fileOf(cases: readonly NewCase[]): string {
  const list = cases.map((one) => renderCase(one).replaceAll(/^(?=.)/gm, "  ")).join("\n");
  return cases.length === 0 ? "cases: []\n" : `cases:\n${list}`;
}

describe("renderCase", () => {
  it("is read back as the same cases, whatever their texts hold", () => {
    fc.assert(
      fc.property(fc.array(anyCase, { maxLength: 3 }), (cases) => {
        const { value, diagnostics } = parseCases(fileOf(cases), "cases.yaml", REGISTERED);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(value?.map(plain)).toEqual(cases.map(plain));
      }),
      { numRuns: 200 },
    );
  });

  it("survives a file in UTF-8", () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const text = fileOf([one]);
        expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text))).toBe(
          text,
        );
      }),
    );
  });

  it("writes what a person can read: bare words, blocks of lines, no marks that reorder text", () => {
    const text = renderCase(
      {
        ...emptyCase,
        context: {
          ...emptyCase.context,
          lastSearchResultsText: "doc_0 Walton\n  a family\n\nend",
          thought: "a\u202eb",
        },
      },
      "note of today\nsecond line",
    );
    expect(text).toBe(`# note of today
# second line
- name: one
  context:
    question: "Who?"
    stepCount: 0
    maxSteps: 6
    hasRead: false
    searchCount: 0
    readCount: 0
    lastSearchResultsText: |-
      doc_0 Walton
        a family

      end
    thought: "a\\u202eb"
  proposed:
    type: SEARCH
    arg: who
  expect:
    fires: true
`);
  });
});
