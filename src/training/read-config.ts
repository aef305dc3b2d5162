import { readNamed, type TextFiles } from "../app/named-text.ts";
import { checked, need } from "../app/refusal.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic, type Range } from "../model/diagnostic.ts";
import { experimentConfigSchema, type ExperimentConfig, type ExperimentName } from "../model/experiment.ts";
import type { z } from "../model/zod.ts";
import { sourceText } from "../skill/source-text.ts";
import { didYouMean } from "../skill/suggest.ts";
import { jsonOf } from "../skill/yaml-json.ts";
import { readYaml, type YamlValue } from "../skill/yaml-tree.ts";
import { shippedConfig, SHIPPED_CONFIGS } from "./shipped-configs.ts";

/** The configuration that a person wants. */
export interface ConfigOrder {
  readonly name: ExperimentName;
  /** A YAML or JSON file with the values that differ from the shipped configuration. */
  readonly file?: string | undefined;
  /** Single values, `train.learning_rate=1e-3`, which come after the file. */
  readonly sets?: readonly string[] | undefined;
}

/** A place in which a person wrote a value. */
interface Place {
  readonly file: string;
  readonly range: Range;
}

type Path = readonly string[];
type Found = Omit<Diagnostic, "severity">;

/** Values that a person wrote, and where. */
interface Layer {
  readonly value: unknown;
  /** The key (`isKey`) or the value at a path. */
  readonly place: (path: Path, isKey: boolean) => Place | undefined;
}

const nameOf = (path: Path): string => path.join(".");

function refuse(problems: readonly Found[]): never {
  const diagnostics = problems.map((one): Diagnostic => ({ severity: "error", ...one }));
  return need<never>({ value: undefined, diagnostics });
}

type Entries = Readonly<Record<string, unknown>>;
const isEntries = (value: unknown): value is Entries =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `over` on top of `base`, key by key. A group of another kind takes the place of the whole group. */
export function merged(base: unknown, over: unknown): unknown {
  if (!isEntries(base) || !isEntries(over)) return over;
  if (over["kind"] !== undefined && over["kind"] !== base["kind"]) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, Object.hasOwn(over, key) ? merged(base[key], over[key]) : base[key]]),
  );
}

function yamlAt(root: YamlValue, path: Path, isKey: boolean): Range | undefined {
  let [at, range] = [root, undefined as Range | undefined];
  for (const [depth, key] of path.entries()) {
    if (at.kind === "list") {
      const item = at.items[Number(key)];
      if (item === undefined) return range;
      [at, range] = [item, item.range];
      continue;
    }
    const entry = at.kind === "map" ? at.entries.get(key) : undefined;
    if (entry === undefined) return range;
    range = isKey && depth === path.length - 1 ? entry.keyRange : entry.value.range;
    at = entry.value;
  }
  return range;
}

function parseFile(text: string, file: string): Layer {
  const { root, problems } = readYaml(text, sourceText(text), 0);
  const next = "Write the values that differ as YAML, such as `train: {epochs: 3}`.";
  const [broken] = problems;
  if (broken !== undefined)
    refuse([
      {
        code: "HASP682",
        message: `The file cannot be read: ${broken.message}.`,
        next,
        file,
        range: broken.range,
      },
    ]);
  if (root === undefined) return { value: {}, place: () => undefined };
  if (root.kind !== "map")
    refuse([{ code: "HASP682", message: "The file holds no keys.", next, file, range: root.range }]);
  return {
    value: jsonOf(root),
    place(path, isKey) {
      const range = yamlAt(root, path, isKey);
      return range && { file, range };
    },
  };
}

const KEY = /^[a-z_]+(?:\.[a-z_]+)*$/;

/** A single value as a layer: `train.epochs=3` is `{train: {epochs: 3}}`. */
function parseSet(argument: string): Layer {
  const file = `--set ${argument}`;
  const equals = argument.indexOf("=");
  const key = argument.slice(0, Math.max(0, equals));
  const next = "Write it as in `--set train.learning_rate=1e-3`.";
  if (!KEY.test(key))
    refuse([
      { code: "HASP682", message: "--set takes a key and a value.", next, file, range: START_OF_FILE },
    ]);
  const source = sourceText(argument);
  const { root, problems } = readYaml(argument.slice(equals + 1), source, equals + 1);
  const [broken] = problems;
  if (broken !== undefined)
    refuse([{ code: "HASP682", message: `${broken.message}.`, next, file, range: broken.range }]);
  const path = key.split(".");
  const given: unknown = root === undefined ? null : jsonOf(root);
  return {
    value: path.reduceRight((inner: unknown, name) => ({ [name]: inner }), given),
    place: (asked) =>
      asked.every((part, i) => i >= path.length || part === path[i])
        ? { file, range: source.range(0, argument.length) }
        : undefined,
  };
}

/** Names of the keys at a path, as the shipped configurations have them. */
function keysAt(path: Path): readonly string[] {
  const groups = (Object.keys(SHIPPED_CONFIGS) as ExperimentName[]).map((name) =>
    path.reduce((at: unknown, key) => (isEntries(at) ? at[key] : undefined), shippedConfig(name)),
  );
  const keys = groups.flatMap((group) => (isEntries(group) ? Object.keys(group) : []));
  return [...new Set(path[0] === "start" ? [...keys, "folder"] : keys)];
}

type Issue = z.core.$ZodIssue;

const WORDS: Readonly<Record<string, string>> = {
  "train.learning_rate": "must be a number over 0, or a list with one for each iteration",
  "rollout.top_p": "must lie between 0 and 1",
  "train.warmup": "must be a share of the steps, between 0 and 1",
};

function wrongValue(issue: Issue, path: Path): Pick<Found, "message" | "next"> {
  const name = nameOf(path);
  if (issue.code === "invalid_value") {
    const choices = issue.values.map(String);
    return {
      message: `${name} cannot be ${described(issue.input)}.`,
      next: didYouMean(String(issue.input), choices),
    };
  }
  const why =
    WORDS[name] ?? issue.message.replace(/^Invalid input: /, "").replace(/^Too (?:small|big): /, "");
  return { message: `${name}: ${why}.`, next: "docs/experiments.md lists the keys and their values." };
}

const described = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "left out";

/** The problems of a configuration, each where the person wrote it. */
function problemsOf(
  issues: readonly Issue[],
  layers: readonly Layer[],
  name: ExperimentName,
): readonly Found[] {
  const placed = (path: Path, isKey: boolean): Place =>
    layers.map((layer) => layer.place(path, isKey)).findLast((place) => place !== undefined) ?? {
      file: `${name}.yaml`,
      range: START_OF_FILE,
    };
  return issues.flatMap((issue): readonly Found[] => {
    const path = issue.path.map(String);
    if (issue.code !== "unrecognized_keys")
      return [{ code: "HASP684", ...wrongValue(issue, path), ...placed(path, false) }];
    return issue.keys.map((key) => ({
      code: "HASP683",
      message: `There is no key ${JSON.stringify(nameOf([...path, key]).slice(0, 80))} in a configuration of an experiment.`,
      next: didYouMean(key, keysAt(path)),
      ...placed([...path, key], true),
    }));
  });
}

/** Values that make an experiment what it is; another one has others. */
const FIXED = ["experiment", "loop", "method"] as const;

/** Contradictions between values, each with the path of the one to change. */
function contradictions(
  config: ExperimentConfig,
  name: ExperimentName,
): readonly { path: Path; message: string; next: string }[] {
  const shipped = shippedConfig(name);
  const found: { path: Path; message: string; next: string }[] = FIXED.filter(
    (key) => config[key] !== shipped[key],
  ).map((key) => ({
    path: [key],
    message: `${key} of ${name.toUpperCase()} is ${shipped[key]}, not ${config[key]}.`,
    next: "Leave it out, or run the experiment that has it.",
  }));
  if (config.evolve?.preset !== shipped.evolve?.preset)
    found.push({
      path: ["evolve"],
      message:
        shipped.evolve === null
          ? `${name.toUpperCase()} keeps its library as it is, so nothing evolves.`
          : `The library of ${name.toUpperCase()} evolves by the preset ${shipped.evolve.preset}.`,
      next: "Leave out `evolve`, or change its epochs alone.",
    });
  const rates = config.train.learning_rate;
  if (Array.isArray(rates) && rates.length !== config.iterations)
    found.push({
      path: ["train", "learning_rate"],
      message: `train.learning_rate has ${counted(rates.length, "learning rate")} for ${counted(config.iterations, "iteration")}.`,
      next: "Give one for each iteration, or a single number.",
    });
  return found;
}

/**
 * The configuration of an experiment: the shipped one, a person's file on top, then single values. Refused are a file that cannot be read
 * (HASP682), a key that there is not (HASP683), a value that does not fit (HASP684), and values that contradict each other (HASP685).
 */
export function readExperimentConfig(
  order: ConfigOrder,
  files: TextFiles,
): Promise<Checked<ExperimentConfig>> {
  const { name, file, sets = [] } = order;
  return checked(async () => {
    const layers: Layer[] = [];
    if (file !== undefined) layers.push(parseFile(need(await readNamed(files, file)).text, file));
    layers.push(...sets.map(parseSet));
    const whole = layers.reduce((config: unknown, { value }) => merged(config, value), shippedConfig(name));
    const parsed = experimentConfigSchema.safeParse(whole, { reportInput: true });
    if (!parsed.success) return refuse(problemsOf(parsed.error.issues, layers, name));
    const wrong = contradictions(parsed.data, name);
    if (wrong.length === 0) return parsed.data;
    return refuse(
      wrong.map(({ path, ...rest }) => ({
        code: "HASP685",
        ...rest,
        ...(layers.map((layer) => layer.place(path, false)).findLast((place) => place !== undefined) ?? {
          range: START_OF_FILE,
        }),
      })),
    );
  });
}
