import { REGISTERED } from "../../../src/domains/registered.ts";
import { afterAll, describe, expect, it } from "vitest";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { caseDiagnostics, runCases } from "../../../src/analysis/run-cases.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { openCore, readFolders } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function run(yaml: string) {
  const folders = await readFolders(core.compiler, ...PAPER);
  const library = await openLibrary(folders, core.host);
  const { value, diagnostics } = parseCases(yaml, "cases.yaml", REGISTERED);
  expect(diagnostics).toEqual([]);
  const id = "insufficient_exploration";
  expect(library.active.map(({ skill }) => skill.skillId)).toContain(id);
  return runCases(id, value ?? [], webSearch, core.host);
}

const caseOf = (context: string, expected: string): string => `cases:
  - name: mine
    context: { question: Where does the Danube rise?, maxSteps: 8, ${context} }
    proposed: { type: FINAL, arg: here }
    expect: ${expected}
`;

describe("the cases of a skill", () => {
  // That they hold: golden/cli.test.ts.
  it("are at least three where a shipped skill fires and three near misses", async () => {
    for (const { cases, folder } of await readFolders(core.compiler, ...PAPER)) {
      const [fires, others] = [true, false].map((is) =>
        cases.filter(({ expect: { fires } }) => fires === is),
      );
      expect([folder, fires?.length]).toEqual([folder, expect.toSatisfy((count: number) => count >= 3)]);
      expect([folder, others?.length]).toEqual([folder, expect.toSatisfy((count: number) => count >= 3)]);
    }
  });

  it("fail with expected against actual, on the case's place in cases.yaml", async () => {
    const [result] = await run(caseOf("searchCount: 1, stepCount: 1", "{ fires: false }"));
    expect(result).toMatchObject({
      passed: false,
      expected: "does not fire",
      actual: 'fires → MODIFY_ACTION READ "doc_0"',
    });
    const diagnostic = result === undefined ? undefined : caseDiagnostics(result, "cases.yaml")[0];
    expect(diagnostic).toMatchObject({
      code: "HASP310",
      severity: "error",
      file: "cases.yaml",
      // On the value of `fires`, which is what differs.
      range: { start: { line: 4, character: 21 }, end: { line: 4, character: 26 } },
    });
  });

  it("are marked at each field that differs, with what it is and what came", async () => {
    const wrong = "{ fires: true, type: MODIFY_ACTION, newActionType: SEARCH, newActionArg: doc_9 }";
    const [result] = await run(caseOf("searchCount: 1, stepCount: 1", wrong));
    if (result === undefined) throw new Error("no result");
    const marks = caseDiagnostics(result, "cases.yaml").map(({ message, range }) => {
      const { line, character } = range.start;
      return [message.replace(/^.*: expected /, ""), line, character];
    });
    const at = (text: string): number => `    expect: ${wrong}`.indexOf(text);
    expect(marks).toEqual([
      ["`newActionType` SEARCH, but it is READ", 4, at("SEARCH")],
      ['`newActionArg` "doc_9", but it is "doc_0"', 4, at("doc_9")],
    ]);
  });

  it("fail when the intervention is of another kind, action or argument", async () => {
    const state = "searchCount: 1, stepCount: 1";
    const expected = [
      "INJECT_CONTEXT",
      "MODIFY_ACTION, newActionType: SEARCH",
      "MODIFY_ACTION, newActionArg: doc_9",
    ];
    for (const type of expected) {
      const [result] = await run(caseOf(state, `{ fires: true, type: ${type} }`));
      expect(result?.passed).toBe(false);
    }
  });
});
