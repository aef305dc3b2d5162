import { Command } from "commander";
import { expect, test } from "vitest";
import { RETRIEVER, toolsIn, toolsOf, type RetrieverOptions } from "../../../src/cli/retriever-options.ts";
import { parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";

function parsed(...words: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of Object.values(RETRIEVER)) command.addOption(option);
  const options = command.parse(words, { from: "user" }).opts<RetrieverOptions>();
  return { options, isGiven: (name: string) => command.getOptionValueSource(name) === "cli" };
}

const { value: config } = parseWorkspaceConfig(
  "tools: { retriever: wikipedia, top_k: 3, corpus: c.jsonl }",
  "hasp.yaml",
);
const { value: empty } = parseWorkspaceConfig("", "hasp.yaml");

test("without a word the corpus is searched, five results at a time", () => {
  const { options, isGiven } = parsed();
  const tools = { retriever: "corpus", url: undefined, language: "en", concurrency: 0, topK: 5 };
  expect(toolsOf(options, empty, isGiven)).toEqual({ tools, corpus: undefined });
});

test("hasp.yaml speaks where the command line is silent", () => {
  const silent = parsed();
  expect(toolsOf(silent.options, config, silent.isGiven)).toMatchObject({
    tools: { retriever: "wikipedia", topK: 3 },
    corpus: "c.jsonl",
  });
  const spoken = parsed("--retriever", "corpus", "--top-k", "5");
  expect(toolsOf(spoken.options, config, spoken.isGiven).tools).toMatchObject({
    retriever: "corpus",
    topK: 5,
  });
});

test("a domain that searches nothing takes no tools of hasp.yaml, and refuses options about searches", () => {
  const domain = { name: "estimate" };
  const silent = parsed();
  expect(toolsIn(domain, silent.options, config, silent.isGiven)).toMatchObject({
    tools: { retriever: "corpus", topK: 5 },
    corpus: undefined,
  });
  const spoken = parsed("--top-k", "5");
  expect(() => toolsIn(domain, spoken.options, config, spoken.isGiven)).toThrow(
    'Runs of the domain "estimate" search nothing: --top-k has no use there.',
  );
  const searching = { ...domain, needsPassages: () => true };
  expect(toolsIn(searching, silent.options, config, silent.isGiven).corpus).toBe("c.jsonl");
});
