import { describe, expect, it } from "vitest";
import { EXPERIMENTS, type ExperimentName } from "../../../src/model/experiment.ts";
import { readExperimentConfig } from "../../../src/training/read-config.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";

const FILE = "mine.yaml";

const read = (name: ExperimentName, text: string | undefined, ...sets: string[]) =>
  readExperimentConfig(
    { name, file: text === undefined ? undefined : FILE, sets },
    { readText: async () => (text === undefined ? { kind: "absent" } : { kind: "text", text }) },
  );

/** `mine.yaml:2:3 HASP683 message → next` */
async function problems(...args: Parameters<typeof read>): Promise<readonly string[]> {
  const { diagnostics } = await read(...args);
  return diagnostics.map(
    ({ code, message, next, file, range }) =>
      `${file}:${range.start.line + 1}:${range.start.character + 1} ${code} ${message} → ${next}`,
  );
}

describe("a configuration", () => {
  it.each(EXPERIMENTS)("is the shipped one of %s without anything else", async (name) => {
    expect(await read(name, undefined)).toEqual({ value: shippedConfig(name), diagnostics: [] });
  });

  it("takes what a file says over the shipped values, group by group", async () => {
    const text =
      "model: models/tiny\ntrain:\n  epochs: 2\n  lora: {rank: 4}\nrollout:\n  retriever: corpus\n";
    const shipped = shippedConfig("e2");
    const { value } = await read("e2", text);
    expect(value).toEqual({
      ...shipped,
      model: "models/tiny",
      train: { ...shipped.train, epochs: 2, lora: { ...shipped.train.lora, rank: 4 } },
      rollout: { ...shipped.rollout, retriever: "corpus" },
    });
  });

  it("takes single values over those of the file, and the last of two", async () => {
    const sets = ["train.learning_rate=1e-3", "train.epochs=5", "train.epochs=4", "train.lora=null"];
    const { value } = await read("e1", "train: {epochs: 2, learning_rate: 2e-3, seed: 7}\n", ...sets);
    expect(value?.train).toMatchObject({ learning_rate: 1e-3, epochs: 4, lora: null, seed: 7 });
  });

  it("takes a start of another kind as a whole, and one of the same kind key by key", async () => {
    const adapter = await read("e2", "start: {kind: adapter, folder: warm}\n");
    expect(adapter.value?.start).toEqual({ kind: "adapter", folder: "warm" });
    const longer = await read("e2", undefined, "start.epochs=3");
    expect(longer.value?.start).toEqual({ kind: "sft", epochs: 3, learning_rate: 1e-5 });
  });

  it("takes a learning rate for each iteration", async () => {
    expect(
      (await read("e2", undefined, "train.learning_rate=[1e-3, 5e-4]")).value?.train.learning_rate,
    ).toEqual([1e-3, 5e-4]);
  });

  it("is what JSON says as well, and an empty file changes nothing", async () => {
    expect((await read("e1", '{"train": {"epochs": 3}}')).value?.train.epochs).toBe(3);
    expect((await read("e1", "# nothing\n")).value).toEqual(shippedConfig("e1"));
  });
});

describe("a mistake in a configuration", () => {
  it.each<[string, ExperimentName, string | undefined, string[], string[]]>([
    [
      "a misspelt key",
      "e1",
      "train:\n  epoch: 3\n",
      [],
      [
        'mine.yaml:2:3 HASP683 There is no key "train.epoch" in a configuration of an experiment. → Did you mean "epochs"?',
      ],
    ],
    [
      "a key that is like none",
      "e1",
      "evaluate: {banana: 3}\n",
      [],
      [
        'mine.yaml:1:12 HASP683 There is no key "evaluate.banana" in a configuration of an experiment. → Use one of: split, limit, when.',
      ],
    ],
    [
      "a misspelt single value",
      "e1",
      undefined,
      ["train.learning_rat=3"],
      [
        '--set train.learning_rat=3:1:1 HASP683 There is no key "train.learning_rat" in a configuration of an experiment. → Did you mean "learning_rate"?',
      ],
    ],
    [
      "a word that is no choice",
      "e1",
      "train:\n  precision: bf17\n",
      [],
      ['mine.yaml:2:14 HASP684 train.precision cannot be "bf17". → Did you mean "bf16"?'],
    ],
    [
      "a text in place of a number",
      "e1",
      "train: {learning_rate: fast}\n",
      [],
      [
        "mine.yaml:1:24 HASP684 train.learning_rate: must be a number over 0, or a list with one for each iteration. → docs/experiments.md lists the keys and their values.",
      ],
    ],
    [
      "too many learning rates",
      "e2",
      undefined,
      ["train.learning_rate=[1e-3, 1e-4, 1e-5]"],
      [
        "--set train.learning_rate=[1e-3, 1e-4, 1e-5]:1:1 HASP685 train.learning_rate has 3 learning rates for 2 iterations. → Give one for each iteration, or a single number.",
      ],
    ],
    [
      "another method",
      "e1",
      "method: rs\n",
      [],
      [
        "mine.yaml:1:9 HASP685 method of E1 is sft, not rs. → Leave it out, or run the experiment that has it.",
      ],
    ],
    [
      "an evolution in open loop",
      "e1",
      "evolve: {preset: e4, epochs: 1}\n",
      [],
      [
        "mine.yaml:1:9 HASP685 E1 keeps its library as it is, so nothing evolves. → Leave out `evolve`, or change its epochs alone.",
      ],
    ],
    [
      "a file that is no YAML",
      "e1",
      "train: [1\n",
      [],
      [expect.stringMatching(/^mine\.yaml:\d+:\d+ HASP682 The file cannot be read: /)],
    ],
    [
      "a list in place of keys",
      "e1",
      "- 1\n",
      [],
      [expect.stringMatching(/^mine\.yaml:1:1 HASP682 The file holds no keys\./)],
    ],
    [
      "a single value without its key",
      "e1",
      undefined,
      ["fast"],
      [
        "--set fast:1:1 HASP682 --set takes a key and a value. → Write it as in `--set train.learning_rate=1e-3`.",
      ],
    ],
  ])("is told with its place: %s", async (_name, experiment, text, sets, expected) => {
    expect(await problems(experiment, text, ...sets)).toEqual(expected);
  });

  it("comes with all others", async () => {
    const found = await problems("e1", "train: {epoch: 3, precision: bf17}\nrollot: {}\n");
    expect(found.map((line) => line.split(" ")[0])).toEqual(
      expect.arrayContaining(["mine.yaml:1:9", "mine.yaml:1:30", "mine.yaml:2:1"]),
    );
    expect(found).toHaveLength(3);
  });
});
