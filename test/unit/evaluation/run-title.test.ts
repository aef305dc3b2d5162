import { expect, test } from "vitest";
import { runTitle } from "../../../src/evaluation/run-title.ts";

const NOON = new Date(2026, 10, 22, 9, 5).toISOString();
const questions = { file: "data/hotpot.dev.jsonl", hash: "0" };
const titled = (policy: string, shard?: string): string =>
  runTitle({ questions, policy, setting: "pf-only", ...(shard !== undefined && { shard }) }, NOON);

test("a run is named by its question file, model, setting and time", () => {
  expect(titled("openai:gpt-4o-mini")).toBe("hotpot.dev · gpt-4o-mini · pf-only · 22 Nov, 09:05");
});

test("a model has its own name, without its place", () => {
  const models = ["http://127.0.0.1:8000/v1#qwen", "https://host/v1#org/llama-3", "vscode:copilot/gpt-4o"];
  expect(models.map((model) => titled(model).split(" · ")[1])).toEqual(["qwen", "llama-3", "gpt-4o"]);
  const told = ["gpt-4o at https://api.openai.com/v1", "/models/tiny.gguf at http://127.0.0.1:8080/v1"];
  expect(told.map((model) => titled(model).split(" · ")[1])).toEqual(["gpt-4o", "tiny.gguf"]);
  expect(titled("recorded:.hasp/runs/first#1").split(" · ")[1]).toBe("recorded");
});

test("a shard says which part it is", () => {
  expect(titled("openai:gpt-4o-mini", "2/8")).toContain(" · pf-only · part 2/8 · ");
});
