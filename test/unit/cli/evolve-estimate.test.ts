import { expect, test } from "vitest";
import { togetherText } from "../../../src/cli/commands/evolve.ts";

test("an estimate without any price is unknown, not $0.00", () => {
  expect(togetherText([{ dollars: undefined }, { dollars: undefined }])).toBe("price unknown");
  expect(togetherText([{ dollars: 0 }, { dollars: 0.5 }])).toMatch(
    /^at most about \$0\.50, and --max-dollars/,
  );
  expect(togetherText([{ dollars: 0.0004 }])).toMatch(/^at most about \$0\.00040, /);
  expect(togetherText([{ dollars: undefined }, { dollars: 0.5 }])).toMatch(
    /^at most about \$0\.50 on models with a price; no price is known of the other models/,
  );
});
