import { agent } from "../../../src/domains/agent/agent.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { REGISTERED } from "../../../src/domains/registered.ts";
import vm from "node:vm";
import { expect, test } from "vitest";
import { createChecker } from "../../../src/skill/checker.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkPf } from "../../../src/skill/pf-rules.ts";
import { scaffoldSkill, type NewSkill } from "../../../src/skill/scaffold.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { judge } from "./run-in-node.ts";

const REQUESTS: readonly NewSkill[] = [
  {
    name: "shorten-queries",
    description: "Use when a query is: too long.",
    domain: webSearch,
    kind: "rewrite",
  },
  {
    name: "read-first",
    title: 'Read "first": now',
    description: "Line one\nline --- two # not a comment",
    domain: agent,
    kind: "inject",
  },
  { name: "program-function", description: "- a list?", domain: agent, kind: "rewrite" },
];

test.each(REQUESTS)("a new skill $name validates clean and its cases hold", (request) => {
  const files = scaffoldSkill(request);
  const skill = parseSkill(
    files.get("SKILL.md") ?? "",
    { file: "SKILL.md", folder: request.name },
    REGISTERED,
  );
  expect(skill.diagnostics).toEqual([]);
  expect(skill.value?.description).toBe(request.description.replaceAll("\n", " ").replace("---", "—"));
  const source = files.get("pf.ts") ?? "";
  const checker = createChecker(REGISTERED);
  expect(checkPf(checker, "pf.ts", source, REGISTERED)).toEqual([]);
  checker.dispose();
  const cases = parseCases(files.get("cases.yaml") ?? "", "cases.yaml", REGISTERED);
  expect(cases.diagnostics).toEqual([]);
  expect(cases.value?.length).toBeGreaterThan(1);
  const code = transpile(source, "pf.ts").value ?? "";
  for (const { context, proposed, expect: wanted } of cases.value ?? []) {
    expect(judge(code, context, proposed.type, proposed.arg).activated).toBe(wanted.fires);
  }
});

test("the starter PFs decide what their cases say", () => {
  for (const request of REQUESTS) {
    const files = scaffoldSkill(request);
    const script = (transpile(files.get("pf.ts") ?? "", "pf.ts").value ?? "")
      .replaceAll(/^import .*$/gm, "")
      .replace("export default class", "PF = class");
    const [first] = parseCases(files.get("cases.yaml") ?? "", "cases.yaml", REGISTERED).value ?? [];
    if (first === undefined) throw new Error("no case");
    const answer: unknown = vm.runInNewContext(
      `${script}\n;JSON.stringify(new PF().intervene(ctx, type, arg))`,
      {
        PF: undefined,
        ProgramFunction: Object,
        modifyAction: (c: { arg: string }) => ({ newActionArg: c.arg }),
        injectContext: (contextText: string) => ({ contextText }),
        ctx: first.context,
        type: first.proposed.type,
        arg: first.proposed.arg,
      },
    );
    const { newActionArg } = first.expect;
    expect(String(answer)).toContain(newActionArg ?? 'contextText":"TODO(template): ');
  }
});

test("lines about the failure are a list in SKILL.md, of which none is a heading or frontmatter", () => {
  const [request] = REQUESTS;
  if (request === undefined) throw new Error("no request");
  const notes = ["Seen: one\n## Handler\ntwo", "---"];
  const text = scaffoldSkill({ ...request, notes }).get("SKILL.md") ?? "";
  expect(text.endsWith("\n## The failure that it is made from\n\n- Seen: one ## Handler two\n- ---\n")).toBe(
    true,
  );
  expect(parseSkill(text, { file: "SKILL.md", folder: request.name }, REGISTERED).diagnostics).toEqual([]);
  expect(scaffoldSkill({ ...request, notes: [] }).get("SKILL.md")).toBe(
    scaffoldSkill(request).get("SKILL.md"),
  );
});
