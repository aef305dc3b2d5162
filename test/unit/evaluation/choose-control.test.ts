import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseControl, type ControlSources } from "../../../src/evaluation/choose-control.ts";
import { libraryConflicts } from "../../../src/evaluation/control-conflicts.ts";
import { parseSets } from "../../../src/evaluation/control-set.ts";
import { parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";
import { DEFAULT_CONTROL, KNOBS, SETTING_CONTROL, SETTINGS } from "../../../src/model/control.ts";
import type { LibrarySkill } from "../../../src/harness/select/select.ts";
import { START_OF_FILE } from "../../../src/model/diagnostic.ts";
import type { Handler } from "../../../src/model/skill.ts";

const config = (text: string) => {
  const { value, diagnostics } = parseWorkspaceConfig(text, "hasp.yaml");
  expect(diagnostics).toEqual([]);
  return value;
};
const sets = (...list: string[]) => parseSets(list).value;
const named = (setting: (typeof SETTINGS)[number]) => ({
  setting,
  place: { file: `--setting ${setting}`, range: START_OF_FILE },
});
const told = (sources: ControlSources) =>
  chooseControl(sources).diagnostics.map(
    ({ severity, code, file, range }) =>
      `${severity} ${code} ${file}:${range.start.line}:${range.start.character}`,
  );

describe("The order of settings", () => {
  it("is the defaults where nobody says anything", () => {
    expect(chooseControl({})).toMatchObject({
      value: { setting: "full", control: DEFAULT_CONTROL },
      diagnostics: [],
    });
  });

  it.each(SETTINGS)("%s changes what the table says, and needs no comment", (setting) => {
    const { value, diagnostics } = chooseControl({ setting: named(setting) });
    expect(value.control).toEqual({ ...DEFAULT_CONTROL, ...SETTING_CONTROL[setting] });
    expect(diagnostics).toEqual([]);
  });

  it("lets later sources win, and --setting replace the file's setting alone", () => {
    const file = config(
      "setting: ra-agent\nselection: { pf_top_k: 5, pinned_skills: [a] }\nbudgets: { max_steps: 5 }",
    );
    const { control, setting } = chooseControl({
      config: file,
      setting: named("pf-only"),
      sets: sets("max_steps=7", "pinned_skills="),
      domain: { defaults: { handlerVoteThreshold: 3 } },
    }).value;
    expect(setting).toBe("pf-only");
    expect(control).toEqual({
      ...DEFAULT_CONTROL,
      pfOnlyMode: true,
      enableDifficultyGating: false,
      pfTopK: 5,
      maxSteps: 7,
      handlerVoteThreshold: 3,
    });
  });

  it("switches sites of the teacher off, and on again", () => {
    const file = config("teacher_sites: { retry: false, answer_format: false, pf_selector: true }");
    expect(
      chooseControl({ config: file, sets: sets("teacher_sites.retry=true") }).value.control.teacherSitesOff,
    ).toEqual(["answer_format"]);
  });

  it("any knob set within its range is what comes out", () => {
    const knobs = Object.entries(KNOBS);
    fc.assert(
      fc.property(fc.constantFrom(...knobs), fc.integer({ min: 0, max: 9 }), ([key, knob], n) => {
        const value = knob.kind === "flag" ? n % 2 === 0 : Math.min(knob.most, Math.ceil(knob.least) + n);
        const { control } = chooseControl({ sets: sets(`${knob.name}=${value}`) }).value;
        expect(control).toEqual({ ...DEFAULT_CONTROL, [key]: value });
      }),
    );
  });
});

describe("--set", () => {
  const codes = (...list: string[]) =>
    parseSets(list).diagnostics.map(({ code, range }) => `${code}@${range.start.character}`);

  it.each([
    ["pf_top_k", "HASP420@0"],
    ["=5", "HASP420@0"],
    ["", "HASP420@0"],
    ["pf_topk=5", "HASP413@0"],
    ["pf_top_k=", "HASP412@9"],
    ["pf_top_k=five", "HASP412@9"],
    ["pf_top_k=1e1", "HASP412@9"],
    ["pf_top_k= 5", "HASP412@9"],
    ["pf_top_k=2.5", "HASP412@9"],
    ["pf_top_k=101", "HASP415@9"],
    ["skills_enabled=yes", "HASP412@15"],
    ["skills_enabled=TRUE", "HASP412@15"],
    ["skills_enabled=1", "HASP412@15"],
    ["pinned_skills=a,B-c", "HASP419@16"],
    ["pinned_skills=a,,b", "HASP419@14"],
    ["teacher_sites.retries=false", "HASP413@0"],
    ["teacher_sites.retry=off", "HASP412@20"],
    ["__proto__=1", "HASP413@0"],
    ["constructor=1", "HASP413@0"],
  ])("%j is refused on its place, with what to do, and changes nothing", (argument, code) => {
    expect(codes(argument)).toEqual([code]);
    const { value, diagnostics } = parseSets([argument]);
    expect(diagnostics[0]).toMatchObject({
      file: `--set ${argument}`,
      next: expect.stringMatching(/./) as string,
    });
    expect(chooseControl({ sets: value }).value.control).toEqual(DEFAULT_CONTROL);
  });

  it.each([
    ["pf_topk=5", 'Did you mean "pf_top_k"?'],
    ["selection.pf_top_k=5", "Leave out the group: `--set pf_top_k=…`."],
    ["selection.pf_topk=5", 'Did you mean "pf_top_k"?'],
    ["setting=full", "Use `--setting`."],
    ["retry=false", "Did you mean `--set teacher_sites.retry=…`?"],
    ["handler.reasoning_error=false", "Did you mean `--set teacher_sites.handler.reasoning_error=…`?"],
    ["top_k=3", "Use `--retriever`, `--corpus` and `--top-k`."],
    ["skills_enabled=no", "Write `--set skills_enabled=false`."],
  ])("%s: %s", (argument, next) => {
    expect(parseSets([argument]).diagnostics.map((d) => d.next)).toEqual([next]);
  });

  it("takes the last of two, and says so", () => {
    expect(codes("pf_top_k=5", "pf_top_k=6")).toEqual(["HASP417@0"]);
    expect(sets("pf_top_k=5", "pf_top_k=6").knobs).toEqual({ pfTopK: 6 });
  });

  it("no argument makes it throw", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (list) => void parseSets(list)),
      { numRuns: 300 },
    );
  });
});

describe("Contradictions", () => {
  it.each([
    ["switches: { pf_only_mode: true, enable_program_functions: false }", "error HASP416 hasp.yaml:0:12"],
    ["switches: { pf_only_mode: true, skills_enabled: false }", "error HASP416 hasp.yaml:0:12"],
    ["setting: ra-agent\nswitches: { pf_only_mode: true }", "warning HASP416 hasp.yaml:1:12"],
    ["switches: { enable_skill_handlers: true, skills_enabled: false }", "error HASP416 hasp.yaml:0:12"],
    ["switches: { enable_teacher: false }\nteacher_sites: { retry: true }", "error HASP416 hasp.yaml:1:17"],
    [
      "switches: { enable_teacher: false }\nteacher_sites: { retry: false }",
      "information HASP416 hasp.yaml:1:17",
    ],
    ["setting: pf-only\nteacher_sites: { retry: true }", "warning HASP416 hasp.yaml:1:17"],
    ["teacher_sites: { pf: false, pf.retrieval_failure: true }", "error HASP416 hasp.yaml:0:28"],
    ["budgets: { max_search_calls: 0 }\ntools: { retriever: wikipedia }", "warning HASP416 hasp.yaml:0:11"],
    ["budgets: { max_search_calls: 0 }", "warning HASP416 hasp.yaml:0:11"],
    [
      "tools: { retriever: teacher-snippet }\nteacher_sites: { search_snippet: false }",
      "error HASP416 hasp.yaml:1:17",
    ],
    ["tools: { retriever: http, corpus: a.jsonl }", "warning HASP416 hasp.yaml:0:26"],
    ["runtime: { max_rounds: 1 }", "information HASP416 hasp.yaml:0:11"],
    ["budgets: { max_steps: 2 }", "information HASP416 hasp.yaml:0:11"],
    ["setting: prompt-only\nswitches: { enable_program_functions: true }", "warning HASP416 hasp.yaml:1:12"],
  ])("%j", (text, expected) => {
    expect(told({ config: config(text) })).toContain(expected);
  });

  it("between the file and the command line stand where they were said", () => {
    expect(
      told({
        config: config("switches: { enable_program_functions: false }"),
        sets: sets("pf_only_mode=true"),
      }),
    ).toEqual(["error HASP416 --set pf_only_mode=true:0:0"]);
    expect(
      told({ config: config("switches: { enable_program_functions: true }"), setting: named("prompt-only") }),
    ).toEqual(["warning HASP416 hasp.yaml:0:12"]);
  });

  it("are none in a file that says the defaults aloud", () => {
    const file = config(
      "switches: { skills_enabled: true, enable_skill_handlers: true, pf_only_mode: false }",
    );
    expect(told({ config: file })).toEqual([]);
  });
});

describe("A choice and a library", () => {
  const skill = (skillId: string, program: boolean, kind?: Handler["kind"]): LibrarySkill => ({
    skill: { skillId, ...(kind !== undefined && { handler: { kind } }) } as unknown as LibrarySkill["skill"],
    ...(program && { program: { skillId, priority: 0.5 } }),
    promptOnly: !program,
  });
  const library = [skill("read_first", true, "code"), skill("ask_twice", false, "llm"), skill("hint", false)];
  const against = (...list: string[]) => {
    const { value } = chooseControl({ sets: sets("handler_vote_threshold=1", ...list) });
    return libraryConflicts(value, library).map(
      ({ severity, message, next }) => `${severity}: ${message} ${next ?? ""}`,
    );
  };

  it("that fit have nothing to say", () => {
    expect(against("pinned_skills=read_first", "teacher_sites.handler.ask_twice=false")).toEqual([]);
  });

  it("that do not are told, with the likely id", () => {
    expect(against("pinned_skills=read_frist")).toEqual([
      'warning: No skill of the library is called "read_frist", so it cannot be pinned. Did you mean "read_first"?',
    ]);
    expect(against("pinned_skills=hint")).toEqual([
      expect.stringContaining("information: hint has no Program Function"),
    ]);
    expect(against("teacher_sites.pf.read_frist=false")).toEqual([
      expect.stringContaining('Did you mean "pf.read_first"?'),
    ]);
  });

  it("names the place that sets what cannot be fulfilled, and no file where it is a default", () => {
    const placeOf = (sources: ControlSources): (string | undefined)[] =>
      libraryConflicts(chooseControl(sources).value, library).map(({ file }) => file);
    expect(placeOf({})).toEqual([undefined]);
    expect(placeOf({ config: config("runtime: { handler_vote_threshold: 2 }") })).toEqual(["hasp.yaml"]);
    expect(placeOf({ sets: sets("handler_vote_threshold=2") })).toEqual(["--set handler_vote_threshold=2"]);
  });

  it("say nothing of votes where neither the skills nor the threshold are a person's own", () => {
    const shipped = library.map((one) => ({ ...one, shipped: true }));
    expect(libraryConflicts(chooseControl({}).value, shipped)).toEqual([]);
    expect(libraryConflicts(chooseControl({}).value, [...shipped, ...library])).toHaveLength(1);
    const chosen = ["handler_vote_threshold=4", "enable_skill_handlers=true"].map((set) =>
      libraryConflicts(chooseControl({ sets: sets(set) }).value, shipped),
    );
    expect(chosen).toEqual([[expect.anything()], [expect.anything()]]);
  });

  it("say when no vote can ever override a FINAL", () => {
    expect(against("handler_vote_threshold=2")).toEqual([
      expect.stringContaining("takes more than 2 votes, and at most 2 can vote"),
    ]);
    expect(against("handler_vote_threshold=2", "enable_skill_handlers=false")).toEqual([]);
    // Without a teacher the one that asks it abstains.
    expect(against("pf_only_mode=true")).toEqual([expect.stringContaining("at most 1 can vote")]);
  });
});
