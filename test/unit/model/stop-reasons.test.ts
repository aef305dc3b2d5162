import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { stopReasonWords } from "../../../src/model/stop-reasons.ts";

describe("words of stop reasons", () => {
  it("exist for every reason that docs/formats.md lists", async () => {
    const docs = await readFile("docs/formats.md", "utf8");
    const table = /### Stop reasons\n\n([\s\S]*?)\n\n/.exec(docs)?.[1] ?? "";
    const rows = table.split("\n").slice(2);
    const reasons = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? []),
    );
    expect(reasons).toContain("max_search_calls");
    expect(reasons.filter((reason) => stopReasonWords(reason) === reason)).toEqual([]);
  });

  it("are the reason itself where it is somebody else's", () => {
    expect(stopReasonWords("agent_limit")).toBe("agent_limit");
    expect(stopReasonWords("constructor")).toBe("constructor");
  });
});
