import { expect, test } from "vitest";
import { askedOf } from "../../../../src/app/run/inputs.ts";

type Inputs = Parameters<typeof askedOf>[0];

const questions = Array.from({ length: 40 }, (_, i) => ({
  id: `q${i}`,
  question: `Which is n${i}?`,
  gold: [],
}));
const inputs = { questions } as unknown as Inputs;
const ids = (part: Parameters<typeof askedOf>[1]) => askedOf(inputs, part).map(({ id }) => id);

test("the shards of a limited run make up that very run", () => {
  const whole = ids({ limit: 11 });
  expect(whole).toEqual(questions.slice(0, 11).map(({ id }) => id));
  const shards = [1, 2, 3].map((index) => ids({ limit: 11, shard: { index, of: 3 } }));
  expect(shards.flat().toSorted()).toEqual(whole.toSorted());
  expect(shards.every((shard) => shard.length < whole.length)).toBe(true);
});
