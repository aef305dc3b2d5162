import { expect, it } from "vitest";
import { formatDiagnostic } from "../../../src/cli/format-diagnostic.ts";
import { START_OF_FILE } from "../../../src/model/diagnostic.ts";

const found = {
  code: "HASP416",
  severity: "warning",
  message: "Nobody votes.",
  range: START_OF_FILE,
} as const;

it("names line and column in a file", () => {
  expect(formatDiagnostic({ ...found, file: "hasp.yaml" })).toBe(
    "hasp.yaml:1:1  warning  HASP416  Nobody votes.",
  );
});

it("names no line where there is no file, or where an option of the command line is meant", () => {
  expect(formatDiagnostic(found)).toBe("warning  HASP416  Nobody votes.");
  const onOption = { ...found, file: "--set max_steps=1", next: "Leave it out." };
  expect(formatDiagnostic(onOption)).toBe(
    "--set max_steps=1  warning  HASP416  Nobody votes.\n    → Leave it out.",
  );
});
