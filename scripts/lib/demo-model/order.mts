/** The command line of `npm run demo:model`. */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";

import { SETTINGS, type Setting } from "../../../src/model/control.ts";
import { ROOT, SAMPLES } from "../paths.mts";
import { stop } from "../report.mts";

export const PLAIN = "plain";
/** A way to answer the questions: `plain` for the script, else a setting of the product, and skills behind a plus sign. */
export type Side = string;

/** The lists of shipped skills. */
const LISTS: readonly string[] = ["paper", "worth"];

/** How the product is asked for a side. */
interface Way {
  readonly setting: Setting;
  /** Further words of its command line. */
  readonly words: readonly string[];
}

export const USAGE = `npm run demo:model -- --url <endpoint> [--model <name>] [--settings plain,ra-agent,pf-only,full:10] [-o <folder>]
  --url        an OpenAI-compatible endpoint: http://127.0.0.1:11434/v1 (Ollama), :1234/v1 (LM Studio), :8080/v1 (llama.cpp), :8000/v1 (vLLM)
  --model      a model of it (default: the only one that it lists)
  --settings   plain (a script of its own) and settings of \`hasp run\`, each with its own count after a colon
               (default: plain,ra-agent,pf-only,prompt-only,full; the teacher of \`full\` is the same model);
               behind a plus sign a list of shipped skills or a folder of skills: pf-only+paper:20,pf-only+skills/mine
  --count      questions of a setting without a count (default: 10)
  --offset     leave out the first questions (default: 0)
  --questions  a file as \`hasp run\` reads it (default: 100 questions of HotpotQA where ../shared/data has them, else the sample's 12)
  --corpus     the passages to search (default: those that come with the questions)
  --set        a knob of \`hasp run\`, e.g. timeout_seconds=1800; again for more
  --report     print the table of what is in the folder, and ask nothing
  --built      with dist/ as it is
  --cli        the built \`hasp\` of another checkout, to measure that one (default: dist/hasp.cjs of this one)
  -o           the folder of all files; the same command goes on with what is there (default: .hasp/real-model)
A key comes from the environment, as for \`hasp run --help\`.`;

export interface Asked {
  readonly side: Side;
  /** Undefined: the plain script answers. */
  readonly way: Way | undefined;
  readonly count: number;
}

export interface Order {
  readonly url: string | undefined;
  readonly model: string | undefined;
  readonly asked: readonly Asked[];
  readonly offset: number;
  readonly questions: string;
  /** Undefined: the passages that come with the questions. */
  readonly corpus: string | undefined;
  readonly sets: readonly string[];
  readonly isReport: boolean;
  readonly isBuilt: boolean;
  /** The built command line that answers. */
  readonly cli: string;
  readonly folder: string;
}

const DATA = resolve(ROOT, "../shared/data/hotpotqa/distractor-100.jsonl");

/** HotpotQA where its data are, else the questions of the sample. */
function defaultInputs(): Pick<Order, "questions" | "corpus"> {
  return existsSync(DATA)
    ? { questions: DATA, corpus: undefined }
    : { questions: resolve(SAMPLES, "questions.jsonl"), corpus: resolve(SAMPLES, "corpus/passages.jsonl") };
}

/** Passages of the sample belong to its own questions alone. */
function inputsOf({ questions, corpus }: ReturnType<typeof valuesOf>) {
  const usual = defaultInputs();
  return {
    questions: questions === undefined ? usual.questions : resolve(questions),
    corpus: corpus !== undefined ? resolve(corpus) : questions === undefined ? usual.corpus : undefined,
  };
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw stop(`${option} ${text} is not a whole number of ${least} or more.\n${USAGE}`);
}

/** The words that give a side its skills. Stops where there is no such list or folder. */
function wordsFor(library: string): readonly string[] {
  if (LISTS.includes(library)) return ["--triggers", library];
  const folder = resolve(library);
  if (existsSync(folder)) return ["--skills", folder];
  throw stop(
    `There are no skills ${JSON.stringify(library)}: name a folder, or a list of shipped skills (${LISTS.join(", ")}).`,
  );
}

/** The side that a word of --settings names, and how it is asked. */
function sideOf(name: string): Pick<Asked, "side" | "way"> {
  if (name === PLAIN) return { side: PLAIN, way: undefined };
  const plus = name.indexOf("+");
  const [wanted, library] = plus < 0 ? [name, undefined] : [name.slice(0, plus), name.slice(plus + 1)];
  const setting = SETTINGS.find((one) => one === wanted);
  if (setting === undefined)
    throw stop(`Unknown setting ${JSON.stringify(wanted)}. Settings: ${[PLAIN, ...SETTINGS].join(", ")}.`);
  if (library === undefined) return { side: setting, way: { setting, words: [] } };
  return { side: `${setting}+${basename(library)}`, way: { setting, words: wordsFor(library) } };
}

function askedOf(text: string, count: number): readonly Asked[] {
  const asked = text.split(",").map((word) => {
    const [name = "", own] = word.trim().split(":");
    return { ...sideOf(name), count: own === undefined ? count : wholeNumber("--settings", own, 1) };
  });
  const twice = asked.find(({ side }, i) => asked.findIndex((one) => one.side === side) < i);
  if (twice !== undefined) throw stop(`The setting ${twice.side} is named twice.`);
  return asked;
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: "string" },
        model: { type: "string" },
        settings: { type: "string", default: "plain,ra-agent,pf-only,prompt-only,full" },
        count: { type: "string" },
        offset: { type: "string", default: "0" },
        questions: { type: "string" },
        corpus: { type: "string" },
        set: { type: "string", multiple: true, default: [] },
        report: { type: "boolean", default: false },
        cli: { type: "string", default: resolve(ROOT, "dist/hasp.cjs") },
        built: { type: "boolean", default: false },
        output: { type: "string", short: "o", default: ".hasp/real-model" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw stop(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** Undefined where help is asked for. */
export function orderOf(args: readonly string[]): Order | undefined {
  const values = valuesOf(args);
  if (values.help) return undefined;
  const { url, model, set: sets, report: isReport, built: isBuilt } = values;
  if (url === undefined && !isReport) throw stop(`--url is missing.\n${USAGE}`);
  const count = wholeNumber("--count", values.count ?? "10", 1);
  return {
    url,
    model,
    asked: askedOf(values.settings, count),
    offset: wholeNumber("--offset", values.offset, 0),
    ...inputsOf(values),
    sets,
    isReport,
    isBuilt,
    cli: resolve(values.cli),
    folder: resolve(values.output),
  };
}
