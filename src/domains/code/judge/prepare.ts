import { parseJson } from "../../../model/read-json.ts";
import { z } from "../../../model/zod.ts";
import { jsonEntries } from "../../../trace/json-entries.ts";
import { referenceOf } from "./answer-source.ts";
import type { Encoded, Oracle } from "./compare.ts";
import { judgeProgram, type JudgedRun } from "./judge-program.ts";
import type {
  AssertsMaterial,
  CallsMaterial,
  Material,
  MethodMaterial,
  ScriptsMaterial,
  UnittestMaterial,
} from "./material.ts";
import { encodedIn, LOADING, readTests, runProgram, type ProgramRun, type Running } from "./run-program.ts";
import {
  cut,
  limitFor,
  shownCall,
  shownJsonCall,
  type DriverCall,
  type PreparedTests,
  type Test,
} from "./tests.ts";

/** Tests that can be run here, or why they cannot. */
export type Prepared = PreparedTests | { readonly why: string };

/** Time that a reference solution may take for all tests, in milliseconds. */
const REFERENCE_MS = 120_000;
/** EvalPlus takes floats for equal that differ by less. */
const FLOATS = 1e-6;

export const NO_TESTS = { why: "it has no tests" };
export const UNKNOWN_FORM = { why: "its tests have a form that is not known" };
const UNCOMPARED = { why: "its tests expect a value that cannot be compared" };
const TOO_LARGE = { why: "its tests take more time or memory than is allowed" };

/** Why a reference solution does not run here. The same words for one cause, since they are counted. */
function whyNot(problem: string): string {
  const [, module] =
    /(?:No module named|The module|The package|Missing optional dependency) '(\w+)/.exec(problem) ?? [];
  if (module !== undefined) return `needs ${module}, which is not installed here`;
  return "its reference solution fails its tests here";
}

/** The first problem of a run of a reference solution whose values are wanted. */
function problemOf({ reports, isLoaded }: ProgramRun, tests: number): string | undefined {
  const loading = reports.get(LOADING);
  if (loading?.kind === "raised") return loading.words;
  if (!isLoaded) return "it is not loaded";
  for (let i = 0; i < tests; i++) {
    const one = reports.get(i);
    if (one?.kind === "raised") return one.words;
    if (one?.kind !== "value") return "a test has no value";
  }
  return undefined;
}

const callsRequest =
  (calls: readonly DriverCall[]): PreparedTests["requestFor"] =>
  (source) => ({ do: "calls", source, calls });

/** HumanEval's task of this name takes any root of the polynomial that it is given, as EvalPlus has it. */
function rootOf(entry: string, json: string, absolute: number): Oracle | undefined {
  const [coefficients] =
    entry === "find_zero" ? (z.tuple([z.array(z.number())]).safeParse(parseJson(json)).data ?? []) : [];
  return coefficients && { kind: "root", coefficients, absolute };
}

/** Functions whose expected values the reference solution computes, in a process of its own. */
async function prepareCalls(material: CallsMaterial, running: Running): Promise<Prepared> {
  const { entry, tolerance, groups, check } = material;
  if (check !== undefined) {
    const test: Test = { name: "base", group: "base", wanted: { kind: "inside" }, limitMs: REFERENCE_MS };
    return limited(material, { tests: [test], requestFor: callsRequest([{ check }]) }, running);
  }
  const inputs = groups.flatMap(({ name, inputs: list }) =>
    [...jsonEntries(list)].map(({ source }, i) => ({ group: name, name: `${name} ${i + 1}`, json: source })),
  );
  const requestFor = callsRequest(inputs.map(({ json }) => ({ entry, json })));
  const limits = { limitOf: () => REFERENCE_MS, wholeMs: REFERENCE_MS };
  const run = await runProgram(requestFor(referenceOf(material) ?? ""), limits, running);
  const problem = problemOf(run, inputs.length);
  if (run.end.kind === "stopped") return TOO_LARGE;
  if (problem !== undefined) return { why: whyNot(problem) };
  const tests = inputs.map(({ group, name, json }, i): Test => {
    const report = run.reports.get(i);
    const value = report?.kind === "value" ? report.value : { shown: "", isUnequal: true };
    const absolute = tolerance === 0 && value.isFloats === true ? FLOATS : tolerance;
    const oracle = rootOf(entry, json, absolute) ?? ({ kind: "near", absolute } as const);
    const limitMs = limitFor(run.seconds.get(i));
    return {
      group,
      name,
      input: shownJsonCall(entry, json),
      wanted: { kind: "value", value, oracle },
      limitMs,
    };
  });
  return { tests, requestFor };
}

/** Every answer would wait in vain for a value that equals nothing. */
const areComparable = ({ tests }: PreparedTests): boolean =>
  tests.every(({ wanted }) => wanted.kind !== "value" || wanted.value.isUnequal !== true);

interface ReadTest {
  readonly call: DriverCall;
  readonly test: Omit<Test, "limitMs">;
}

const text = z.string();
/** A line of the reader: what it runs of a row may write there too. */
const readLineSchema = z.union([
  z.object({ check: text }),
  z.object({
    entry: text,
    python: text,
    wraps: z.array(text),
    oracle: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("near"), absolute: z.number() }),
      z.object({ kind: z.literal("isclose"), relative: z.number(), absolute: z.number() }),
    ]),
    expected: z.preprocess(
      encodedIn,
      z.custom<Encoded>((value) => value !== undefined),
    ),
  }),
]);

function readTest(line: z.infer<typeof readLineSchema>, group: string, number: number): ReadTest {
  const name = `${group} ${number}`;
  if ("check" in line) {
    const { check } = line;
    return { call: { check }, test: { name, group, input: cut(check.trim()), wanted: { kind: "inside" } } };
  }
  const { entry, python, wraps, oracle, expected } = line;
  const wanted = { kind: "value", value: expected, oracle } as const;
  return { call: { entry, python, wraps }, test: { name, group, input: shownCall(entry, python), wanted } };
}

/** Tests in Python, or why they cannot be run. */
async function readGroup(
  group: string,
  request: Readonly<Record<string, unknown>>,
  running: Running,
): Promise<readonly ReadTest[] | { readonly why: string }> {
  const { lines, isStopped } = await readTests(request, running);
  if (isStopped) return TOO_LARGE;
  if (lines.at(-1)?.[0] !== "end") return UNKNOWN_FORM;
  const tests = lines
    .filter(([kind]) => kind === "test")
    .map(([, line]) => readLineSchema.safeParse(line).data);
  if (!tests.every((line) => line !== undefined)) return UNKNOWN_FORM;
  return tests.map((line, i) => readTest(line, group, i + 1));
}

async function prepareAsserts(material: AssertsMaterial, running: Running): Promise<Prepared> {
  const { imports, asserts, plus } = material;
  const base = await readGroup("base", { do: "asserts", imports, asserts }, running);
  const more = plus === undefined ? [] : await readGroup("plus", { do: "results", test: plus }, running);
  if ("why" in base) return base;
  if ("why" in more) return more;
  const read = [...base, ...more];
  const requestFor = callsRequest(read.map(({ call }) => call));
  return limited(
    material,
    { tests: read.map(({ test }) => ({ ...test, limitMs: REFERENCE_MS })), requestFor },
    running,
  );
}

/** The tests with the limits that follow from the reference solution, which must pass them here. */
async function limited(
  material: Material,
  prepared: PreparedTests,
  running: Running,
  leastMs?: number,
): Promise<Prepared> {
  if (!areComparable(prepared)) return UNCOMPARED;
  const judged = await judgeProgram(referenceOf(material) ?? "", prepared, running);
  if (judged.run.end.kind === "stopped") return TOO_LARGE;
  if (judged.ended !== "passed") return { why: whyNot(judged.first?.actual ?? "") };
  const tests = timed(prepared.tests, judged, leastMs);
  return { ...prepared, tests };
}

const timed = (tests: readonly Test[], { run }: JudgedRun, leastMs?: number): readonly Test[] =>
  tests.map((test, i) => ({ ...test, limitMs: limitFor(run.seconds.get(i), leastMs) }));

/** Limit of a unit test, which may do anything, in milliseconds. */
const UNIT_MS = 30_000;

async function prepareUnittest(material: UnittestMaterial, running: Running): Promise<Prepared> {
  const { test } = material;
  const wanted = { kind: "inside", isClass: true } as const;
  const only: Test = { name: "tests", group: "tests", wanted, limitMs: UNIT_MS };
  const requestFor: PreparedTests["requestFor"] = (source) => ({ do: "unittest", source, test });
  return limited(material, { tests: [only], requestFor }, running, UNIT_MS);
}

/** Limit of a test without a reference solution, in milliseconds. */
const SCRIPT_MS = 10_000;

function prepareScripts({ tests: given }: ScriptsMaterial): Prepared {
  const requestFor: PreparedTests["requestFor"] = (source) => ({
    do: "scripts",
    source,
    inputs: given.map(({ input }) => input),
  });
  const tests = given.map(({ input, output }, i): Test => {
    const wanted = { kind: "output", text: output } as const;
    return { name: `test ${i + 1}`, group: "tests", input: cut(input), wanted, limitMs: SCRIPT_MS };
  });
  return { tests, requestFor };
}

async function prepareMethod({ entry, tests: given }: MethodMaterial, running: Running): Promise<Prepared> {
  const { lines } = await readTests({ do: "values", values: given.map(({ output }) => output) }, running);
  const values = lines.flatMap(([kind, value]) => (kind === "value" ? [value as Encoded] : []));
  if (values.length !== given.length) return UNKNOWN_FORM;
  const calls = given.map(({ input }) => ({
    entry,
    json: `[${input.trim().split("\n").join(",")}]`,
    // JSON has no tuples, so that a list is expected where an answer may give one.
    wraps: ["listed"],
  }));
  if (calls.some(({ json }) => parseJson(json) === undefined)) return UNKNOWN_FORM;
  const tests = calls.map(({ json }, i): Test => {
    const value: Encoded = values[i] ?? { shown: "", isUnequal: true };
    const oracle = { kind: "near", absolute: value.isFloats === true ? FLOATS : 0 } as const;
    const wanted = { kind: "value", value, oracle } as const;
    const input = shownJsonCall(entry, json);
    return { name: `test ${i + 1}`, group: "tests", input, wanted, limitMs: SCRIPT_MS };
  });
  return { tests, requestFor: callsRequest(calls) };
}

/** Reads the tests of a question, and runs its reference solution. Rejects where nothing could be started, and with the signal's reason on abort. */
export async function prepare(material: Material, running: Running): Promise<Prepared> {
  const prepared = await prepareKind(material, running);
  if ("why" in prepared) return prepared;
  // Every answer would pass them all.
  if (prepared.tests.length === 0) return NO_TESTS;
  return areComparable(prepared) ? prepared : UNCOMPARED;
}

async function prepareKind(material: Material, running: Running): Promise<Prepared> {
  switch (material.kind) {
    case "calls":
      return prepareCalls(material, running);
    case "asserts":
      return prepareAsserts(material, running);
    case "unittest":
      return prepareUnittest(material, running);
    case "scripts":
      return prepareScripts(material);
    case "method":
      return prepareMethod(material, running);
  }
}
