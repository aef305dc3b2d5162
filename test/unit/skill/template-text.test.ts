import { expect, test } from "vitest";
import { hasTemplateText, templateDiagnostics, templatePlaces } from "../../../src/skill/template-text.ts";

test.each([
  ['const A = "TODO(template): say it"; // mine', "TODO(template): say it", "say it"],
  [
    'const A = `TODO(template): \\`npm test\\` of ${all} "x"`;',
    'TODO(template): \\`npm test\\` of ${all} "x"',
    '\\`npm test\\` of ${all} "x"',
  ],
  ['const A = "TODO(template): ends with \\\\";', "TODO(template): ends with \\\\", "ends with \\\\"],
  ["  return /* TODO(template) */ a && b;\r\n", "/* TODO(template) */ a && b", "a && b"],
  ["    arg: /* TODO(template) */ ctx.question,\n", "/* TODO(template) */ ctx.question", "ctx.question"],
  ['- TODO(template): It\'s a "list".\n', 'TODO(template): It\'s a "list".', 'It\'s a "list".'],
  ['  - name: "TODO(template): one"\n', "TODO(template): one", "one"],
  ['description: "TODO(template): Use when."', "TODO(template): Use when.", "Use when."],
])("the template's text in %j is found whole", (source, whole, text) => {
  const [place, ...others] = templatePlaces(source);
  expect(others).toEqual([]);
  expect(source.slice(place?.start, place?.end)).toBe(whole);
  expect(place?.text).toBe(text);
  const [finding] = templateDiagnostics("pf.ts", source);
  expect(finding).toMatchObject({ code: "HASP431", severity: "information" });
  expect(finding?.fixes?.[0]?.edits[0]?.newText).toBe(text);
});

test("a person's own TODO is theirs", () => {
  const own = "// TODO: shorter\nconst A = 'TODO(ann): x';";
  expect(hasTemplateText(own)).toBe(false);
  expect(templatePlaces(own)).toEqual([]);
});
