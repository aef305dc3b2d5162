import { expect, test } from "vitest";
import { REGISTERED } from "../../../../src/domains/registered.ts";
import { interfaceText } from "../../../../src/evolve/author/interface-text.ts";
import { stepContextSchema } from "../../../../src/model/step-context.ts";

/** Fields of a coding agent alone. */
const CODING = new Set([
  "cwd",
  "call",
  "command",
  "changes",
  "deletes",
  "gone",
  "repeated",
  "world",
  "files",
  "commands",
  "checks",
  "prompts",
  "project",
  "lastEditAt",
]);

test.each(REGISTERED)("an author for $name is shown every field, and how to answer", (domain) => {
  const text = interfaceText(domain);
  const fields = Object.keys(stepContextSchema.shape).filter(
    (name) => domain.callsTools === true || !CODING.has(name),
  );
  for (const name of [...fields, "memory"]) expect(text).toMatch(new RegExp(`readonly ${name}\\??: `));
  for (const name of [
    "modifyAction(",
    "injectContext(",
    "noop(",
    "abstract shouldActivate(",
    "abstract intervene(",
  ])
    expect(text).toContain(name);
  expect(text).not.toMatch(/@example|vote\?\(|\* {0,1}$/m);
  for (const type of domain.actionTypes) expect(text).toContain(JSON.stringify(type));
});

test("tools are shown where there are some, and searches where one can search", () => {
  const [web = "", coding = ""] = ["web-search", "coding-agent"].map((name) => {
    const domain = REGISTERED.find((one) => one.name === name);
    return domain && interfaceText(domain);
  });
  expect(web).toContain("function freshQuery(");
  expect(web).not.toContain("ShellCommand");
  expect(coding).toContain("interface CodingContext extends StepContext");
  expect(coding).not.toContain("freshQuery");
});
