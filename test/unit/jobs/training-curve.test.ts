import { beforeEach, describe, expect, it } from "vitest";
import { columnsOf, curveCsv, placePoint, trainingCurve } from "../../../src/jobs/training-curve.ts";
import { metricsSchema, type TrainingMetrics } from "../../../src/model/job.ts";

const encoder = new TextEncoder();
const texts = new Map<string, string>();
const files = {
  stat: async (path: string) => {
    const text = texts.get(path);
    return text === undefined
      ? undefined
      : { size: encoder.encode(text).length, isFile: true, isFolder: false, mtimeMs: 0 };
  },
  read: async (path: string, from: number, length: number) =>
    encoder.encode(texts.get(path) ?? "").slice(from, from + length),
  append: async () => undefined,
} as unknown as Parameters<typeof trainingCurve>[0];

const row = (step: number, loss: string, iteration = 1): string =>
  `{"step": ${step}, "iteration": ${iteration}, "loss": ${loss}, "num_tokens": ${step * 100}}\n`;
const point = (step: number, iteration = 1): TrainingMetrics => metricsSchema.parse({ step, iteration });
const ONE = { path: "/t/1/metrics.jsonl", name: "train/1/metrics.jsonl" };
const TWO = { path: "/t/2/metrics.jsonl", name: "train/2/metrics.jsonl" };

describe("The points of a training", () => {
  beforeEach(() => texts.clear());

  it("come once each, as its files grow", async () => {
    const curve = trainingCurve(files);
    expect(await curve.grow([ONE])).toBeUndefined();
    texts.set(ONE.path, row(10, "0.9") + row(20, "0.8"));
    expect(await curve.grow([ONE])).toBe(0);
    texts.set(ONE.path, row(10, "0.9") + row(20, "0.8") + row(30, "0.7") + '{"step": 40, "it');
    expect(await curve.grow([ONE])).toBe(2);
    expect(await curve.grow([ONE])).toBeUndefined();
    expect(curve.points().map(({ step, loss }) => [step, loss])).toEqual([
      [10, 0.9],
      [20, 0.8],
      [30, 0.7],
    ]);
    expect(curve.troubles(false)).toEqual([]);
    expect(curve.troubles(true)).toEqual(["train/1/metrics.jsonl ends in half a line, which is left out."]);
  });

  it("of a resumed training replace those behind its checkpoint, with their troubles", async () => {
    const curve = trainingCurve(files);
    texts.set(ONE.path, row(10, "0.9") + row(20, "0.8") + row(30, "NaN"));
    await curve.grow([ONE]);
    expect(curve.troubles(false)).toEqual(["loss is NaN from step 30 on (line 3 of train/1/metrics.jsonl)."]);
    texts.set(ONE.path, row(10, "0.9") + row(15, "0.7") + row(25, "0.6"));
    expect(await curve.grow([ONE])).toBe(1);
    expect(curve.points().map(({ step }) => step)).toEqual([10, 15, 25]);
    expect(curve.troubles(false)).toEqual([]);
  });

  it("of a trainer that only appends are replaced from the step on that it writes again", () => {
    const points = [10, 20, 30].map((step) => point(step));
    expect(placePoint(points, point(20))).toBe(1);
    expect(points.map(({ step }) => step)).toEqual([10, 20]);
    expect(placePoint(points, point(5, 2))).toBe(2);
    expect(placePoint(points, point(15))).toBe(1);
    expect(points.map(({ step, iteration }) => [iteration, step])).toEqual([
      [1, 10],
      [1, 15],
    ]);
  });

  it("of several iterations are in their order, by file or as the lines say", async () => {
    const curve = trainingCurve(files);
    texts.set(ONE.path, row(10, "0.9") + row(20, "0.8"));
    texts.set(TWO.path, row(10, "0.5"));
    const both = [
      { ...ONE, iteration: 1 },
      { ...TWO, iteration: 2 },
    ];
    expect(await curve.grow(both)).toBe(0);
    expect(curve.points().map(({ iteration, step }) => [iteration, step])).toEqual([
      [1, 10],
      [1, 20],
      [2, 10],
    ]);
    texts.set(TWO.path, row(10, "0.5") + row(20, "0.4"));
    expect(await curve.grow(both)).toBe(3);
    texts.set(ONE.path, row(10, "0.9") + row(20, "0.8") + row(30, "0.7"));
    expect(await curve.grow(both)).toBe(2);
    expect(curve.points()).toHaveLength(5);
  });

  it("are columns with NaN where there is no number", () => {
    const columns = columnsOf([point(10), { ...point(20), loss: 0.5 }]);
    expect([...columns.step]).toEqual([10, 20]);
    expect([...columns.loss]).toEqual([Number.NaN, 0.5]);
  });

  it("are rows of CSV, in which a title may have commas and quotes", () => {
    const points = [{ ...point(10), loss: 0.5, num_tokens: 1000, learning_rate: 1e-5 }, point(20, 2)];
    expect(curveCsv([{ title: 'a "b", c', points }])).toBe(
      'run,iteration,step,num_tokens,loss,mean_token_accuracy,entropy,grad_norm,learning_rate,epoch\n"a ""b"", c",1,10,1000,0.5,,,,0.00001,\n"a ""b"", c",2,20,,,,,,,\n',
    );
  });
});
