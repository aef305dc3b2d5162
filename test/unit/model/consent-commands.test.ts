import { expect, it } from "vitest";
import { consentIn, consentInLine } from "../../../src/model/consent-commands.ts";
import { refusedVariables, unusualVariables } from "../../../src/model/job-variables.ts";

it.each([
  [["hook", "trust", "--yes"], "hook trust"],
  [["--json", "links", "--yes", "allow", ".hasp"], "links allow"],
  [["job", "target", "allow", "lab"], "job target allow"],
  [["mcp", "trust"], "mcp trust"],
  [["hook", "status"], undefined],
  [["run", "--questions", "trust.jsonl"], undefined],
])("%j", (args, consent) => {
  expect(consentIn(args)).toBe(consent);
});

it.each([
  ["module load node; hasp hook trust --yes", "hook trust"],
  [`hasp "hook" 'tr'ust`, "hook trust"],
  ["true && hasp mcp \\\n trust", "mcp trust"],
  ["module load python/3.12", undefined],
])("%j", (line, consent) => {
  expect(consentInLine(line)).toBe(consent);
});

it("variables that decide on code are refused, keys are usual, others are named one by one", () => {
  const spec = {
    env: { HF_HOME: "hub", node_options: "--require x", OMP_NUM_THREADS: "2", HASP_PLAIN_HTTP: "http://x" },
    passEnv: ["OPENAI_API_KEY", "HASP_KEY_LLM_443", "HASP_PLAIN_HTTP", "DYLD_INSERT_LIBRARIES", "HASP_JOB"],
  };
  expect(refusedVariables(spec)).toEqual([
    "node_options",
    "HASP_PLAIN_HTTP",
    "DYLD_INSERT_LIBRARIES",
    "HASP_JOB",
  ]);
  expect(unusualVariables(spec)).toEqual([
    "HF_HOME",
    "node_options",
    "OMP_NUM_THREADS",
    "DYLD_INSERT_LIBRARIES",
    "HASP_JOB",
  ]);
});
