import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ASSIST_TOOLS, inputSchema } from "../../../src/agents/assist/tools.ts";
import { ASSIST_TOOL_NAMES, MCP_PROVIDER } from "../../../src/extension/contributions.ts";

interface Manifest {
  readonly contributes: {
    readonly languageModelTools: readonly Readonly<Record<string, unknown>>[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
  };
}

const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
const { contributes } = JSON.parse(text) as Manifest;

test("the manifest names the tools that there are, as the code describes them", () => {
  const shown = contributes.languageModelTools.map(
    ({ name, displayName, modelDescription, inputSchema: schema }) => ({
      name,
      displayName,
      modelDescription,
      schema,
    }),
  );
  const expected = ASSIST_TOOLS.map((tool) => ({
    name: tool.name,
    displayName: tool.title,
    modelDescription: tool.description,
    schema: inputSchema(tool),
  }));
  expect(shown).toEqual(expected);
  expect(ASSIST_TOOL_NAMES).toEqual(ASSIST_TOOLS.map(({ name }) => name));
  expect(contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([MCP_PROVIDER]);
});
