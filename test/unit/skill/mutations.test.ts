import { REGISTERED } from "../../../src/domains/registered.ts";
import { afterAll, expect, test } from "vitest";
import { createChecker } from "../../../src/skill/checker.ts";
import { checkMutant, mutant, shippedFiles } from "../../support/mutations.ts";

const SEED = 7;
/** A first look; `npm run bench -- mutations` checks 100,000 of another seed. */
const COUNT = 200;
const checker = createChecker(REGISTERED);
afterAll(() => checker.dispose());

test(
  "200 mutated files of skills are checked without a crash, and most are found wrong",
  () => {
    const shipped = shippedFiles();
    let wrong = 0;
    for (let n = 0; n < COUNT; n++) {
      const one = mutant(shipped, SEED, n);
      try {
        wrong += checkMutant(one, checker) > 0 ? 1 : 0;
      } catch (error) {
        throw new Error(`Mutant ${n} of ${one.file}: ${JSON.stringify(one.text.slice(0, 300))}`, {
          cause: error,
        });
      }
    }
    expect(wrong).toBeGreaterThan(COUNT / 4);
  },
  // Twenty checks by TypeScript among them; seconds on an idle core, more on a busy one.
  60_000,
);

test("the same seed gives the same mutants", () => {
  const shipped = shippedFiles();
  for (let n = 0; n < 50; n++) expect(mutant(shipped, SEED, n)).toEqual(mutant(shipped, SEED, n));
  expect(mutant(shipped, SEED, 1).text).not.toBe(mutant(shipped, SEED + 1, 1).text);
});
