import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONFIG_KEYS } from "../../../src/evaluation/config-keys.ts";
import { DEFAULT_LIBRARIES, parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";

const read = (text: string) => parseWorkspaceConfig(text, "hasp.yaml");
const said = (text: string) =>
  read(text).diagnostics.map(({ code, range }) => `${code}@${range.start.line}:${range.start.character}`);

describe("hasp.yaml", () => {
  it("names the libraries in use", () => {
    const { value, diagnostics } = read("libraries:\n  - builtin:web-search\n  - agents/skills\n");
    expect(diagnostics).toEqual([]);
    expect(value.libraries).toEqual([
      { kind: "builtin", domain: "web-search" },
      { kind: "folder", path: "agents/skills" },
    ]);
  });

  it.each(["", "# nothing\n", "---\n", "switches:\n  # skills_enabled: false\ntools:\n"])(
    "may leave everything out: %j",
    (text) => {
      const { value, diagnostics } = read(text);
      expect(diagnostics).toEqual([]);
      expect(value).toMatchObject({
        libraries: DEFAULT_LIBRARIES,
        domain: undefined,
        setting: undefined,
        control: { knobs: {}, pinnedSkills: undefined },
        tools: { retriever: undefined, corpus: undefined, topK: undefined },
      });
    },
  );

  it("holds every kind of knob, the teacher's sites and the tools", () => {
    const { value, diagnostics } = read(`
domain: web-search
setting: pf-only
switches: { enable_retry: false }
selection: { pf_top_k: 5, high_priority_threshold: 0.9, pinned_skills: [citation_mismatch] }
runtime: { max_rounds: 1 }
budgets: { timeout_seconds: 0.5 }
teacher_sites: { answer_format: false, pf: false, handler.reasoning_error: true }
tools: { retriever: wikipedia, corpus: corpus\\all.jsonl, top_k: 3 }
`);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({
      domain: "web-search",
      setting: { setting: "pf-only" },
      tools: { retriever: "wikipedia", corpus: "corpus/all.jsonl", topK: 3 },
    });
    expect(value.control.knobs).toEqual({
      enableRetry: false,
      pfTopK: 5,
      highPriorityThreshold: 0.9,
      maxRounds: 1,
      timeoutSeconds: 0.5,
    });
    expect(value.control.pinnedSkills).toEqual(["citation_mismatch"]);
    expect([...value.control.teacherSites]).toEqual([
      ["answer_format", false],
      ["pf", false],
      ["handler.reasoning_error", true],
    ]);
    expect(value.control.places.get("pf_top_k")?.range.start).toEqual({ line: 4, character: 13 });
  });

  it.each([
    ["libraries: [/etc]", "HASP414@0:12"],
    ["libraries:\n  - skills\n  - ../../elsewhere", "HASP414@2:4"],
    ["libraries:\n  - C:\\skills", "HASP414@1:4"],
    ["libraries: skills", "HASP412@0:11"],
    ["libraris: [skills]", "HASP413@0:0"],
    ["libraries: [skills", "HASP410@0:18"],
    ["- skills", "HASP411@0:0"],
    ["setting: fulll", "HASP419@0:9"],
    ["setting: 3", "HASP412@0:9"],
    ["domain: web", "HASP419@0:8"],
    ["switches: [skills_enabled]", "HASP412@0:10"],
    ["switches:\n  skills_enabled: no", "HASP412@1:18"],
    ['selection: { pf_top_k: "5" }', "HASP412@0:23"],
    ["selection: { pf_top_k: 5.5 }", "HASP412@0:23"],
    ["selection: { pf_top_k: .inf }", "HASP412@0:23"],
    ["selection: { pf_top_k: 0 }", "HASP415@0:23"],
    ["selection: { pf_top_k: }", "HASP412@0:23"],
    ["selection: { pf_topk: 5 }", "HASP413@0:13"],
    ["budgets:\n  pf_top_k: 5", "HASP413@1:2"],
    ["pf_top_k: 5", "HASP413@0:0"],
    ["selection: { pinned_skills: citation_mismatch }", "HASP412@0:28"],
    ["selection: { pinned_skills: [citation-mismatch] }", "HASP419@0:29"],
    ["selection: { pinned_skills: [1] }", "HASP412@0:29"],
    ["teacher_sites: { retries: false }", "HASP413@0:17"],
    ["teacher_sites: { handler.Reasoning: false }", "HASP413@0:17"],
    ["teacher_sites: { retry: off }", "HASP412@0:24"],
    ["budgets: { max_steps: 3, max_steps: 4 }", "HASP410@0:25"],
    ["setting: full\nsetting: pf-only", "HASP410@1:0"],
    ["tools: { url: http://127.0.0.1/retrieve }", "HASP418@0:9"],
    ["tools: { retriever: http://127.0.0.1/retrieve }", "HASP418@0:20"],
    ["tools: { retriever: wikipdia }", "HASP419@0:20"],
    ["tools: { corpus: ../secrets.jsonl }", "HASP414@0:17"],
    ["tools: { top_k: 21 }", "HASP415@0:16"],
    ["policy: openai:gpt-4o", "HASP418@0:0"],
    ["trainer: { python: ./python }", "HASP418@0:0"],
  ])("%j is refused on its place, with what to do", (text, code) => {
    expect(said(text)).toContain(code);
    for (const { next } of read(text).diagnostics) expect(next).toBeTruthy();
  });

  it.each([
    ["selection: { pf_topk: 5 }", 'Did you mean "pf_top_k"?'],
    ["budgets:\n  pf_top_k: 5", "It belongs under `selection:`."],
    ["budgets:\n  pf_topk: 5", 'Did you mean "pf_top_k", under `selection:`?'],
    ["pf_top_k: 5", "It belongs under `selection:`."],
    ["budgets: { setting: full }", "It belongs at the top of the file."],
    ["swiches: {}", 'Did you mean "switches"?'],
    ["setting: pfonly", 'Did you mean "pf-only"?'],
    ["switches: { skills_enabled: no }", "Write `skills_enabled: false`."],
    ['selection: { pf_top_k: "5" }', "Write `pf_top_k: 5`."],
    ["selection: { pf_top_k: 1000 }", "Write `pf_top_k: 100`."],
    ["teacher_sites: { answer_formt: false }", 'Did you mean "answer_format"?'],
  ])("%j: %s", (text, next) => {
    expect(read(text).diagnostics.map((d) => d.next)).toEqual([next]);
  });

  it("names targets, each with its keys", () => {
    const { value, diagnostics } = read(`
targets:
  lab: { kind: slurm, host: gpu-cluster, partition: gpu, setup: [module load python/3.12] }
  box: { kind: ssh, host: me@box, folder: /data/hasp }
`);
    expect(diagnostics).toEqual([]);
    expect(value.targets).toEqual([
      {
        name: "lab",
        target: {
          kind: "slurm",
          host: "gpu-cluster",
          folder: "~/hasp",
          setup: ["module load python/3.12"],
          partition: "gpu",
        },
      },
      { name: "box", target: { kind: "ssh", host: "me@box", folder: "/data/hasp" } },
    ]);
  });

  it.each([
    ["targets: { lab: { kind: slurm, partion: gpu } }", "HASP413@0:31", 'Did you mean "partition"?'],
    ["targets: { lab: { kind: slurm, pyhton: p } }", "HASP413@0:31", 'Did you mean "python"?'],
    ["targets: { a/b: { kind: slurm } }", "HASP796@0:11", "Rename it."],
    ["targets: { lab: { kind: k8s } }", "HASP796@0:24", "docs/jobs.md"],
    ["targets: { lab: { kind: ssh } }", "HASP796@0:11", "Add `host:`"],
    ["targets: { lab: { kind: ssh, host: -oProxyCommand=x } }", "HASP796@0:35", "docs/jobs.md"],
    ["targets: { lab: 3 }", "HASP796@0:16", "docs/jobs.md"],
    ["targets: [lab]", "HASP412@0:9", "Write `targets:`"],
  ])("reports a target that cannot be used: %s", (text, at, next) => {
    const { value, diagnostics } = read(text);
    expect(value.targets).toEqual([]);
    expect(said(text)).toEqual([at]);
    expect(diagnostics[0]?.next).toContain(next);
  });

  it("keeps what is good beside what is not, and of two equal keys the first", () => {
    const { value } = read(
      "selection: { pf_top_k: 7, pf_top_k: 8, nonsense: 1 }\nbudgets: { max_steps: -1, max_read_calls: 2 }",
    );
    expect(value.control.knobs).toEqual({ pfTopK: 7, maxReadCalls: 2 });
  });

  it("no text makes it throw, and every complaint lies in the text", () => {
    const key = fc.constantFrom(
      ...CONFIG_KEYS.flatMap(({ name, shape }) =>
        shape.kind === "group" ? [name, ...shape.keys.map((one) => one.name)] : [name],
      ),
    );
    const bit = fc.oneof(
      fc.string({ unit: "binary" }),
      key,
      fc.constantFrom(": ", "\n  ", "\n", "- ", "{", "}", "[", "]", "true", "1", "&a", "*a", "? ", "!!x "),
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), (bits) => {
        const text = bits.join("");
        const lines = text.split(/\r\n|\n|\r/);
        for (const { range } of read(text).diagnostics) {
          const { line, character } = range.start;
          expect(line).toBeLessThan(lines.length);
          expect(character).toBeLessThanOrEqual(lines[line]?.length ?? 0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
