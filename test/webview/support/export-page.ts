import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { browserBundle } from "../../../scripts/lib/browser-bundle.mts";
import {
  contextRulesOf,
  domainNames,
  formulaDomains,
  programDomains,
} from "../../../src/domains/registry.ts";
import { exportHtml, type EpisodeToExport, type HtmlExport } from "../../../src/trace/export-html.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** Writes pages as `hasp export --to html` does, from the sources. */
export async function pageWriter(): Promise<
  (episodes: readonly EpisodeToExport[], more?: Partial<HtmlExport>) => string
> {
  const [script, style, formulas, python] = await Promise.all([
    browserBundle("webview/export/main.ts"),
    browserBundle("webview/export/page.css"),
    browserBundle("webview/formulas/main.ts"),
    browserBundle("webview/python/main.ts"),
  ]);
  const utf8 = new TextDecoder();
  const font = await readFile(path.join(ROOT, "node_modules/@vscode/codicons/dist/codicon.ttf"), "base64");
  return (episodes, more = {}) => {
    const { value, diagnostics } = exportHtml({
      bundle: {
        script: utf8.decode(script),
        style: utf8.decode(style),
        formulas: utf8.decode(formulas),
        python: utf8.decode(python),
        font,
      },
      title: "Exported run",
      episodes,
      rulesOf: ({ facts }) => contextRulesOf(facts.domain),
      domains: domainNames(),
      formulaDomains: formulaDomains(),
      programDomains: programDomains(),
      sha256: (text) => createHash("sha256").update(text, "utf8").digest("base64"),
      ...more,
    });
    if (value === undefined) throw new Error(diagnostics[0]?.message);
    return value;
  };
}
