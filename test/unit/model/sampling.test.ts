import { expect, it } from "vitest";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { defaultSampling } from "../../../src/model/sampling.ts";

it("gives a policy 512 tokens, or as many as its domain says", () => {
  expect(defaultSampling(webSearch)).toEqual({ temperature: 0, maxTokens: 512 });
  expect(defaultSampling({ ...webSearch, maxTokens: 4_096 })).toEqual({ temperature: 0, maxTokens: 4_096 });
});
