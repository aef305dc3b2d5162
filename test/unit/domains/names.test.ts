import { readFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { AGENT, CODING_AGENT, WEB_SEARCH } from "../../../src/model/domain-names.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** `agent` is a word of many formats; as a domain it goes by its constant alone. */
const NAMES = REGISTERED.map(({ name }) => name).filter((name) => name !== AGENT);

/** A word of many meanings; it names a domain where it is compared with one, or given as one. */
const isMeant = ({ text, parent }: ts.StringLiteralLike): boolean =>
  text !== "code" || /domain/i.test(parent.getText());

/** Who may name a domain: its folder, the registry, and the constants for those that write records of one domain. */
const OWN = /^src\/domains\/(?:[a-z-]+\/|registered\.ts$)|^src\/model\/domain-names\.ts$/;
/** The page docs/coding-agent.md, of the help. */
const PAGES = new Set(["src/model/help-page.ts"]);
/** Hooks serve coding agents, and nobody else. */
const HOOKS = /^src\/agents\/hook\//;
/** Importers, hooks and the check of commands that a host runs write records of one domain; nobody else uses the constants. */
const WRITERS =
  /^src\/(?:trace\/|agents\/hook\/|platform\/hook-|cli\/hook-|(?:model\/domain-spec|app\/load-commands)\.ts$)/;

const sources = ["src", "webview"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.startsWith("webview/fixture/"))
    .filter((name) => !OWN.test(name)),
);

async function tree(name: string): Promise<ts.SourceFile> {
  return ts.createSourceFile(
    name,
    await readFile(path.join(ROOT, name), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
}

function collect(file: ts.SourceFile, of: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const one = of(node);
    if (one !== undefined) found.push(`${file.fileName}: ${one}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test("no value outside a domain's folder is its name", async () => {
  expect(sources.length).toBeGreaterThan(1_000);
  const found: string[] = [];
  for (const name of sources.filter((one) => !PAGES.has(one)))
    found.push(
      ...collect(await tree(name), (node) =>
        // Examples in help and messages may name one; a value that is one decides something.
        ts.isStringLiteralLike(node) && NAMES.includes(node.text) && isMeant(node) ? node.text : undefined,
      ),
    );
  expect(found).toEqual([]);
});

test("nobody imports a domain but the registry, and hooks the one that they serve", async () => {
  const found: string[] = [];
  for (const name of sources.filter((one) => !HOOKS.test(one)))
    found.push(
      ...collect(await tree(name), (node) =>
        ts.isImportDeclaration(node) &&
        ts.isStringLiteral(node.moduleSpecifier) &&
        NAMES.some((one) => node.moduleSpecifier.getText().includes(`/${one}/`))
          ? node.moduleSpecifier.getText()
          : undefined,
      ),
    );
  expect(found).toEqual([]);
});

test("only those that write records of one domain use its constant", async () => {
  const constants = new Map([
    [WEB_SEARCH, "WEB_SEARCH"],
    [CODING_AGENT, "CODING_AGENT"],
    [AGENT, "AGENT"],
  ]);
  const named = new Set(constants.values());
  const found: string[] = [];
  for (const name of sources.filter((one) => !WRITERS.test(one)))
    found.push(
      ...collect(await tree(name), (node) =>
        ts.isImportSpecifier(node) && named.has((node.propertyName ?? node.name).text)
          ? node.name.text
          : undefined,
      ),
    );
  expect(found).toEqual([]);
});
