import { REGISTERED } from "../../../src/domains/registered.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCases } from "../../../src/skill/parse-cases.ts";

const parse = (text: string) => parseCases(text, "cases.yaml", REGISTERED);
const codes = (text: string): string[] => parse(text).diagnostics.map((d) => d.code);

const ONE = `cases:
  - name: nothing read
    context:
      question: Who?
      actionHistory: [{ type: SEARCH, arg: a }, { type: SEARCH, arg: b }]
    memory: { warned: [1, true, null, { a: x }] }
    proposed: { type: FINAL, arg: "42" }
    expect: { fires: true, type: MODIFY_ACTION, newActionType: READ, newActionArg: doc_0 }
`;

test("a case is read with its place, its memory, and the fields that follow from others", () => {
  const { value, diagnostics } = parse(ONE);
  expect(diagnostics).toEqual([]);
  const [only] = value ?? [];
  expect(only?.range.start).toEqual({ line: 1, character: 10 });
  expect(only?.context).toMatchObject({
    question: "Who?",
    searchCount: 2,
    readCount: 0,
    hasRead: false,
    stepCount: 2,
    maxSteps: 15,
    thought: "",
  });
  expect(only?.memory).toEqual({ warned: [1, true, null, { a: "x" }] });
  expect(only?.expect).toEqual({
    fires: true,
    type: "MODIFY_ACTION",
    newActionType: "READ",
    newActionArg: "doc_0",
  });
});

test("what a case says counts over what would follow", () => {
  const { value } = parse(
    ONE.replace("question: Who?", "stepCount: 7\n      hasRead: true\n      maxSteps: 8"),
  );
  expect(value?.[0]?.context).toMatchObject({ stepCount: 7, hasRead: true, readCount: 1, maxSteps: 8 });
});

test("slips are named with the likely word", () => {
  const slip = parse(ONE.replace("question:", "questoin:")).diagnostics[0];
  expect(slip).toMatchObject({ code: "HASP303", next: 'Did you mean "question"?' });
  expect(slip?.range.start).toEqual({ line: 3, character: 6 });
  expect(parse(ONE.replace("type: FINAL", "type: final")).diagnostics[0]).toMatchObject({
    code: "HASP304",
    next: 'Did you mean "FINAL"?',
  });
  expect(parse(ONE.replace("MODIFY_ACTION", "MODIFY")).diagnostics[0]).toMatchObject({ code: "HASP304" });
  expect(parse(ONE.replace('"42"', "42")).diagnostics[0]).toMatchObject({
    code: "HASP302",
    next: 'Write `arg: "42"`.',
  });
});

test("an expectation that nothing could meet is refused", () => {
  expect(codes(ONE.replace("fires: true", "fires: false"))).toEqual(["HASP306", "HASP306", "HASP306"]);
  expect(codes(ONE.replace("type: MODIFY_ACTION", "type: INJECT_CONTEXT"))).toEqual(["HASP306", "HASP306"]);
});

test("missing parts are named; the good cases beside them still count", () => {
  expect(codes("")).toEqual(["HASP301"]);
  expect(codes("cases: []")).toEqual(["HASP307"]);
  expect(codes("cases: [1]")).toEqual(["HASP302"]);
  expect(codes("cases:\n  - name: a\n")).toEqual(["HASP301", "HASP301"]);
  expect(codes("cases: [")[0]).toBe("HASP300");
  expect(codes("a\0b")).toEqual(["HASP300"]);
  expect(codes(`${ONE}${ONE.slice(7)}`)).toEqual(["HASP305"]);
  const { value, diagnostics } = parse(`${ONE}  - name: broken\n    proposed: { type: FINAL }\n`);
  expect(value).toHaveLength(1);
  expect(diagnostics).toHaveLength(1);
});

test("no text makes it throw", () => {
  const part = fc.constantFrom(
    "cases:",
    "\n  - ",
    "name: a",
    "\n    ",
    "expect:",
    "{",
    "}",
    "fires: true",
    "proposed:",
    "type: X",
    "[",
    "]",
    "memory: ",
    "context:",
    "&a",
    "*a",
    "\0",
    ": ",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(part, { maxLength: 25 }).map((p) => p.join("")),
    fc
      .tuple(fc.nat(ONE.length), fc.nat(20), fc.string({ maxLength: 6 }))
      .map(([at, cut, put]) => ONE.slice(0, at) + put + ONE.slice(at + cut)),
  );
  fc.assert(
    fc.property(text, (t) => void parse(t)),
    { numRuns: 300 },
  );
});
