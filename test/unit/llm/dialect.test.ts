import { expect, test } from "vitest";
import { bodyOf, FIRST_DIALECT } from "../../../src/llm/dialect.ts";
import { ask } from "./support.ts";

test("half of a character is never sent, since some servers refuse the whole request for it", () => {
  const { messages } = bodyOf("m", ask("A cut smile: \uD83D"), FIRST_DIALECT);
  expect(messages).toEqual([{ role: "user", content: "A cut smile: \uFFFD" }]);
});
