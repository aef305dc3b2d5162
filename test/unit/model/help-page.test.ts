import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HELP_ANCHORS, HELP_PAGES, helpFile, type HelpPage } from "../../../src/model/help-page.ts";
import { ROOT } from "../../support/core.ts";

/** As VS Code's Markdown preview names a heading. */
function slug(heading: string): string {
  const text = heading.replaceAll(/[*_`]/g, "").trim().toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(path.join(ROOT, file), "utf8").replaceAll(/^```[^]*?^```/gm, "");
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading)));
}

/** Links of a page to other files and headings of the repository. */
function linksOf(file: string): readonly { readonly file: string; readonly anchor: string }[] {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^\w+:/.test(target)) return [];
    const [to = "", anchor = ""] = target.split("#");
    return [{ file: to === "" ? file : path.posix.join(path.posix.dirname(file), to), anchor }];
  });
}

const files = (Object.keys(HELP_PAGES) as HelpPage[]).map(helpFile);

describe("Pages of help", () => {
  it("are the pages of docs/", () => {
    const shipped = readdirSync(path.join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
    expect(files.toSorted()).toEqual(shipped.map((name) => `docs/${name}`).toSorted());
  });

  it.each(Object.entries(HELP_ANCHORS))("%s has the headings that views link to", (page, anchors) => {
    const present = anchorsOf(helpFile(page as HelpPage));
    expect(anchors.filter((anchor) => !present.has(anchor))).toEqual([]);
  });

  it.each(files)("%s links to shipped pages and to headings that they have", (file) => {
    const broken = linksOf(file).filter(({ file: to, anchor }) => {
      if (!to.startsWith("docs/") || !existsSync(path.join(ROOT, to))) return true;
      return anchor !== "" && !anchorsOf(to).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});
