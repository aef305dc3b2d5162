import { parseJson } from "../../model/read-json.ts";
import type { RowValues } from "../dataset-entry.ts";
import { writeMaterial } from "./judge/material.ts";

interface Example {
  readonly input: string;
  readonly output: string;
}

/** Tests as a list, or as JSON of one. What is packed otherwise, as private tests may be, is not read. */
function examplesIn(value: unknown): readonly Example[] {
  const list = typeof value === "string" ? parseJson(value) : value;
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).flatMap((one) => {
    const { input, output } = typeof one === "object" && one !== null ? (one as RowValues) : {};
    return typeof input === "string" && typeof output === "string" ? [{ input, output }] : [];
  });
}

/** The method that a class is to have: by the row's facts, else by its starter code. */
function methodOf({ metadata, starter_code: starter }: RowValues): string | undefined {
  const facts = typeof metadata === "string" ? parseJson(metadata) : metadata;
  const { func_name: name } = typeof facts === "object" && facts !== null ? (facts as RowValues) : {};
  if (typeof name === "string" && name !== "") return name;
  return typeof starter === "string" ? /\bdef[ \t]+(\w+)/.exec(starter)?.[1] : undefined;
}

/** The judge's material of a problem of a contest, with its public tests and the private ones that can be read; undefined without tests. */
export function contestMaterial(values: RowValues): string | undefined {
  const tests = [values["public_test_cases"], values["private_test_cases"]].flatMap(examplesIn);
  if (tests.length === 0) return undefined;
  const entry = methodOf(values);
  return writeMaterial(entry === undefined ? { kind: "scripts", tests } : { kind: "method", entry, tests });
}
