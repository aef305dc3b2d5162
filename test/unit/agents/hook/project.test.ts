import { expect, it } from "vitest";
import { projectChecks } from "../../../../src/agents/hook/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ scripts: { test: "vitest run", lint: "eslint .", "check:lint": "x" } }),
  "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n",
  "go.mod": "module example",
};

it("a project in several languages has a test command of each, and one command of every other kind", async () => {
  expect(await projectChecks(async (name) => FILES[name])).toEqual([
    { kind: "test", command: "npm test" },
    { kind: "lint", command: "npm run lint" },
    { kind: "test", command: "pytest" },
    { kind: "test", command: "go test ./..." },
  ]);
});
