import { REGISTERED } from "../../../src/domains/registered.ts";
import fc from "fast-check";
import { expect, test, afterAll } from "vitest";
import { createChecker } from "../../../src/skill/checker.ts";
import { checkPf } from "../../../src/skill/pf-rules.ts";

const checker = createChecker(REGISTERED);
const afresh = createChecker(REGISTERED);
afterAll(() => {
  checker.dispose();
  afresh.dispose();
});

const codes = (source: string): string[] => checker.check("pf.ts", source).map((d) => d.code);

const PF = `import { injectContext, modifyAction, noop, ProgramFunction, type ActionType, type Intervention, type Json, type StepContext, type Teacher } from "hasp";

interface Hit { readonly id: string; readonly score: number }
type Kinds = Record<string, Hit[]>;
const PATTERN = /(?<year>\\d{4})/gu;

export default class Everything extends ProgramFunction {
  override needsTeacher = true;
  override maxFires = 3;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    const { question, actionHistory: [first, ...others], memory } = ctx;
    const kinds: Kinds = {};
    for (const [index, word] of question.split(/\\s+/).entries()) (kinds[word.at(0) ?? ""] ??= []).push({ id: word, score: index });
    const years = [...question.matchAll(PATTERN)].map((m) => Number(m.groups?.["year"] ?? 0)).toSorted((a, b) => a - b);
    const set = new Set<string>(others.map((o) => o.arg.normalize("NFC").toLowerCase()));
    const map = new Map(Object.entries(kinds).map(([key, hits]) => [key, hits.flatMap((h) => [h.score])] as const));
    const best = [...map.values()].flat().reduce((a, b) => Math.max(a, b), 0);
    const seen = Array.isArray(memory["seen"]) ? memory["seen"] : [];
    memory["seen"] = [...seen, arg] satisfies Json;
    const last = years.findLast((y) => y > 1900) ?? -1;
    function* counted(): Generator<number> { yield* [1, 2]; }
    const total = Array.from(counted(), (n) => n * 2).length + JSON.stringify({ a: 1 }, null, 2).length;
    const label = \`\${first?.type ?? "none"} \${best} \${total.toFixed(1)} \${String(last).padStart(4, "0")}\`;
    if (actionType === "other" || actionType === "invalid") return false;
    return set.has(label) || (actionType === "SEARCH" && /a/i.test(arg)) || isHit({ id: arg, score: 1 });
  }

  async intervene(ctx: StepContext, actionType: ActionType, arg: string, teacher?: Teacher): Promise<Intervention> {
    try {
      const [reply] = await Promise.all([teacher?.ask(arg, { maxTokens: 50, temperature: 0 })]);
      if (reply !== undefined) return modifyAction({ type: "SEARCH", arg: reply.trim(), reason: "asked" });
    } catch (error) {
      if (error instanceof Error) return noop(error.message);
    }
    const part: Pick<Hit, "id"> & Partial<Hit> = { id: arg };
    return part.score === undefined ? injectContext(ctx.question, part.id) : { type: "NOOP", reason: actionType };
  }
}

function isHit(value: unknown): value is Hit {
  return typeof value === "object" && value !== null && "id" in value && Object.hasOwn(value, "score");
}
`;

test("ordinary PF code needs nothing that the small library lacks", () => {
  expect(checker.check("pf.ts", PF)).toEqual([]);
});

test.each(["unknownName()", "globalThis.x", "ctx.lenght", "''.matchAll(1)"])(
  "%s is a type error",
  (expression) => {
    const found = codes(PF.replace("const kinds: Kinds = {};", `const kinds: Kinds = {}; ${expression};`));
    expect(found).toHaveLength(1);
  },
);

test.each([
  "Date.now()",
  "new Date()",
  "Math.random()",
  "setTimeout(() => 1)",
  "fetch('x')",
  "console.log('x')",
  "process.exit()",
  "new WeakRef({})",
  "eval('1')",
  "new Function('1')",
  "require('fs')",
  "import('node:fs')",
  "new Intl.NumberFormat()",
])("%s is left to the rule that refuses it", (expression) => {
  expect(codes(PF.replace("const kinds: Kinds = {};", `const kinds: Kinds = {}; ${expression};`))).toEqual(
    [],
  );
});

test("a typo in an action type, a written context and a wrong answer are found where they stand", () => {
  const typo = checker.check(
    "skills/a/pf.ts",
    PF.replace('actionType === "SEARCH"', 'actionType === "SERCH"'),
  );
  expect(typo).toHaveLength(1);
  expect(typo[0]).toMatchObject({ code: "TS2367", severity: "error", file: "skills/a/pf.ts" });
  const line = PF.split("\n").findIndex((l) => l.includes('actionType === "SEARCH"'));
  expect(typo[0]?.range.start.line).toBe(line);
  expect(
    codes(PF.replace("const kinds: Kinds = {};", "const kinds: Kinds = {}; ctx.question = '';")),
  ).toEqual(["TS2540"]);
  expect(
    codes(PF.replace("const kinds: Kinds = {};", "const kinds: Kinds = {}; ctx.actionHistory.push();")),
  ).toEqual(["TS2339"]);
  expect(codes(PF.replace('modifyAction({ type: "SEARCH",', 'modifyAction({ type: "other",'))).toEqual([
    "TS2322",
  ]);
  expect(codes(PF.replace("type Teacher } from", "Teacher } from"))).toEqual(["TS1484"]);
});

test("a syntax error is told, and the next version of the file is checked afresh", () => {
  expect(codes(PF.replace("const kinds: Kinds = {};", "const kinds: = {};")).length).toBeGreaterThan(0);
  expect(codes(PF)).toEqual([]);
  checker.warmUp();
  expect(codes(PF)).toEqual([]);
});

/** What a person types, deletes and pastes, half of it leaving the text broken. */
const TYPED = [
  "",
  "x",
  ";",
  "{",
  "}",
  "(",
  "`",
  "${",
  "/*",
  "*/",
  "//",
  "\n",
  "=>",
  "<",
  '"',
  "é",
  "\0",
].concat(
  "return Date.now();",
  "private held = 1;",
  "async ",
  'import { noop } from "hasp";\n',
  "const PATTERN = /x/gu;\n",
);
const edits = fc.array(
  fc.record({ at: fc.nat(PF.length), cut: fc.nat(40), typed: fc.constantFrom(...TYPED) }),
  { minLength: 1, maxLength: 6 },
);

test("what is typed bit by bit is judged as if the whole had been read anew", () => {
  fc.assert(
    fc.property(edits, (steps) => {
      let source = PF;
      for (const { at, cut, typed } of steps) {
        source = source.slice(0, at) + typed + source.slice(at + cut);
        const now = checkPf(checker, "pf.ts", source, REGISTERED);
        // Nothing of this remains to be kept for the next text.
        afresh.check("pf.ts", "export {};");
        expect(now).toEqual(checkPf(afresh, "pf.ts", source, REGISTERED));
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);

test("a missing comma is still named once a later mistake is gone", () => {
  const comma = PF.replace("Intervention, type Json", "Intervention type Json");
  checkPf(checker, "pf.ts", comma.replace("interface Hit", "interface Hit const PATTERN = 1;\n"), REGISTERED);
  expect(checkPf(checker, "pf.ts", comma, REGISTERED)).toMatchObject([
    { code: "TS1005", message: "',' expected." },
  ]);
});

test("the same text again is not checked again, and is told the same", () => {
  const wrong = PF.replace("const kinds: Kinds = {};", "const kinds: Kinds = 1;");
  const first = checker.check("pf.ts", wrong);
  const { tree } = checker;
  expect(checker.check("pf.ts", wrong)).toEqual(first);
  expect(checker.tree).toBe(tree);
  expect(checker.check("pf.ts", PF)).toEqual([]);
});
