import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import ts from "typescript";
import { expect, test } from "vitest";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { CONFIG_FILE, TSCONFIG_FILE, typeFiles, workspaceFiles } from "../../../src/skill/workspace-files.ts";

test("hasp.yaml names the libraries of each domain that ships skills", () => {
  const domains = [
    webSearch,
    { ...webSearch, name: "toy" },
    { ...webSearch, name: "silent", shipsSkills: false },
  ];
  const text = workspaceFiles(domains).get(CONFIG_FILE);
  expect(text).toContain("# `builtin:web-search` and `builtin:toy` are those that came with HASP Studio.");
  expect(text).toContain("libraries:\n  - builtin:web-search\n  - builtin:toy\n  - skills\n");
});

/** TypeScript as an editor runs it: on the files of a workspace, by its tsconfig.json. Here the files are in memory. */
function diagnose(extra: Readonly<Record<string, string>>): string[] {
  const files = new Map(
    [...typeFiles([webSearch]), ...Object.entries(extra)].map(([path, text]) => [`/w/${path}`, text]),
  );
  const inFolder = (folder: string): string[] =>
    [...files.keys()].filter((path) => path.startsWith(`${folder.replace(/\/$/, "")}/`));
  const { config, error } = ts.readConfigFile(`/w/${TSCONFIG_FILE}`, (path) => files.get(path));
  expect(error).toBeUndefined();
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    fileExists: (path) => files.has(path),
    readFile: (path) => files.get(path),
    readDirectory: (folder) => inFolder(folder).filter((path) => path.endsWith(".ts")),
  };
  const parsed = ts.parseJsonConfigFileContent(config, host, "/w/skills");
  expect(parsed.errors).toEqual([]);
  const compiler: ts.CompilerHost = {
    getSourceFile: (path, target) => {
      const text = files.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    },
    getDefaultLibFileName: () => "/nowhere/lib.d.ts",
    writeFile: () => undefined,
    getCurrentDirectory: () => "/w/skills",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (path) => files.has(path),
    readFile: (path) => files.get(path),
    directoryExists: (folder) => inFolder(folder).length > 0,
  };
  const program = ts.createProgram({ rootNames: parsed.fileNames, options: parsed.options, host: compiler });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      (d) => `${d.file?.fileName ?? ""} TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`,
    );
}

const pf =
  scaffoldSkill({ name: "a", description: "d", domain: webSearch, kind: "inject" }).get("pf.ts") ?? "";

test("an editor's own TypeScript is happy with a pf.ts three folders down", () => {
  expect(diagnose({ "skills/web/a/pf.ts": pf })).toEqual([]);
});

test("the same editor sees an error in a PF, and in no other file", () => {
  const found = diagnose({
    "skills/web/a/pf.ts": pf.replace("!ctx.hasRead", "!ctx.hasReed"),
    "skills/web/b/pf.ts": pf,
  });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("/w/skills/web/a/pf.ts TS2551");
});

test("a clock is left to the rule that refuses it, and an unknown name is an error", () => {
  const found = (expression: string): string[] =>
    diagnose({ "skills/web/a/pf.ts": pf.replace("!ctx.hasRead", expression) });
  expect(found("Date.now() > 1")).toEqual([]);
  expect(found("clock() > 1")[0]).toContain("TS2304");
});
