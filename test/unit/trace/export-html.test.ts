import { expect, test } from "vitest";
import { contextRulesOf } from "../../../src/domains/registry.ts";
import { EPISODE_SCHEMA, type Episode } from "../../../src/model/episode.ts";
import { exportHtml, MAX_PAGE_CHARS, type HtmlExport } from "../../../src/trace/export-html.ts";

function episode(id: string, question = "who?"): Episode {
  return {
    schema: EPISODE_SCHEMA,
    id,
    questionId: "q",
    sample: 1,
    outcome: "unjudged",
    length: 0,
    question,
    source: "test",
    facts: { domain: "web-search", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 8 },
    library: [],
    steps: [],
    stopReason: "answered",
  };
}

const parts = (more: Partial<HtmlExport> = {}): HtmlExport => ({
  bundle: { script: "start()", style: "body{}", formulas: "draw()", python: "colour()" },
  title: "A run",
  episodes: [{ episode: episode("one") }],
  rulesOf: () => contextRulesOf("web-search"),
  domains: ["web-search"],
  formulaDomains: [],
  programDomains: [],
  sha256: (text) => `<${text}>`,
  ...more,
});

function data(html: string | undefined, id: string): unknown {
  const [, json] = new RegExp(`id="${id}">(.*?)</script>`).exec(html ?? "") ?? [];
  return JSON.parse(json ?? "null");
}

test("the page's policy names its own script and style, each as it stands in the page", () => {
  const { value } = exportHtml(parts());
  expect(value).toContain("script-src 'sha256-<start()>'");
  expect(value).toContain("style-src 'sha256-<body{}>'");
  expect(value).toContain("<script>start()</script>");
  expect(value).toContain("default-src 'none'");
});

test("what draws formulas is in pages of episodes that have some, ahead of the view and named by the policy", () => {
  const { value } = exportHtml(parts({ formulaDomains: ["web-search"] }));
  expect(value).toContain("script-src 'sha256-<draw()>' 'sha256-<start()>'");
  expect(value).toContain("<script>draw()</script>\n<script>start()</script>");
  expect(exportHtml(parts({ formulaDomains: ["another"] })).value).not.toContain("draw()");
});

test("what colours programs is in pages of episodes that have some", () => {
  const { value } = exportHtml(parts({ programDomains: ["web-search"] }));
  expect(value).toContain("script-src 'sha256-<colour()>' 'sha256-<start()>'");
  expect(value).toContain("<script>colour()</script>\n<script>start()</script>");
  expect(value).toContain('"programDomains":["web-search"]');
  expect(exportHtml(parts({ programDomains: ["another"] })).value).not.toContain("colour()");
});

test("what would end or confuse the script's element is written as an escape", () => {
  const script = 'a("<!--","</script>","<SCRIPT","<b>")';
  const { value } = exportHtml(parts({ bundle: { script, style: "", formulas: "", python: "" } }));
  expect(value).toContain('a("\\x3c!--","\\x3c/script>","\\x3cSCRIPT","<b>")');
});

test("a title is text, with a mark where it has something that nobody can see", () => {
  const { value } = exportHtml(parts({ title: 'a </title><b> "&" \u202e \ud800 \u001b' }));
  expect(value).toContain("<title>a &lt;/title&gt;&lt;b&gt; &quot;&amp;&quot; \ufffd \ufffd \ufffd</title>");
});

test("of the notes, those on the page's episodes are in it", () => {
  const note = (id: string, episodeId: string) => ({ id, episodeId, when: "2026-11-20", kind: "good" });
  const { value } = exportHtml(parts({ notes: [note("a", "one"), note("b", "another")] }));
  expect(data(value, "hasp-run")).toMatchObject({ notes: [{ id: "a" }] });
});

test("the list holds the beginning of a long question, the episode all of it", () => {
  const question = "why ".repeat(1000);
  const { value } = exportHtml(parts({ episodes: [{ episode: episode("one", question) }] }));
  expect(data(value, "hasp-run")).toMatchObject({
    opened: { episodes: [{ question: question.slice(0, 200) }] },
  });
  expect(data(value, "hasp-episode-0")).toMatchObject({ episode: { question } });
});

test("more than a browser opens gladly is refused, with what to do", () => {
  const large = { episode: episode("large", "x".repeat(MAX_PAGE_CHARS / 4)) };
  const { value, diagnostics } = exportHtml(parts({ episodes: [large, large, large, large] }));
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: "HASP570", next: expect.stringContaining("--episode") }]);
});

test("texts that escapes make many times longer are refused too, and do not end the program", () => {
  const { diagnostics } = exportHtml(
    parts({ episodes: [{ episode: episode("large", "<".repeat(MAX_PAGE_CHARS / 4)) }] }),
  );
  expect(diagnostics).toMatchObject([{ code: "HASP570" }]);
});
