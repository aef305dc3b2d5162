import { Command } from "commander";
import { expect, test } from "vitest";
import {
  CONTROL,
  controlFor,
  readConfig,
  withoutErrors,
  type ControlOptions,
} from "../../../src/cli/control-options.ts";
import { DEFAULT_CONTROL } from "../../../src/model/control.ts";

function parsed(...args: string[]): ControlOptions {
  const command = new Command("run").exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of Object.values(CONTROL)) command.addOption(option);
  return command.parse(args, { from: "user" }).opts();
}

const config = (text: string) => readConfig({ readText: async () => ({ kind: "text", text }) });

test("the command line goes over hasp.yaml, and --set over --setting", async () => {
  const { value } = await config("setting: ra-agent\nselection: { pf_top_k: 5 }\nbudgets: { max_steps: 9 }");
  const options = parsed("--setting", "pf-only", "--set", "max_steps=3", "--set", "enable_retry=false");
  expect(controlFor(options, value)).toMatchObject({
    value: {
      setting: "pf-only",
      control: {
        ...DEFAULT_CONTROL,
        pfOnlyMode: true,
        enableDifficultyGating: false,
        pfTopK: 5,
        maxSteps: 3,
        enableRetry: false,
      },
    },
    diagnostics: [
      { code: "HASP416", severity: "information", message: expect.stringContaining("pf_top_k") as string },
    ],
  });
});

test("nothing said is the defaults", () => {
  expect(controlFor(parsed(), undefined).value.control).toEqual(DEFAULT_CONTROL);
});

test("an error ends the command with all of them, a warning does not", () => {
  const bad = controlFor(parsed("--set", "pf_topk=1", "--set", "max_steps=0"), undefined);
  expect(() => withoutErrors(bad)).toThrow(/HASP413[^]*HASP415/);
  const warned = controlFor(parsed("--set", "max_search_calls=0"), undefined);
  expect(warned.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(withoutErrors(warned).control.maxSearchCalls).toBe(0);
});

test("a hasp.yaml that cannot be read is told, and is none", async () => {
  const denied = Object.assign(new Error("no"), { code: "EACCES" });
  const locked = await readConfig({ readText: async () => Promise.reject(denied) });
  expect(locked.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(["HASP404 hasp.yaml"]);
  const huge = await readConfig({ readText: async () => ({ kind: "too-large", size: 2_000_000 }) });
  expect(huge.diagnostics.map(({ code }) => code)).toEqual(["HASP410"]);
  const absent = await readConfig({ readText: async () => ({ kind: "absent" }) });
  expect(absent).toMatchObject({ diagnostics: [], value: { setting: undefined } });
});
