import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { helpAt, proposalsAt } from "../../../src/app/config-help.ts";
import { keysOf } from "../../../src/evaluation/config-keys.ts";
import { TARGET_NAME, targetSchema } from "../../../src/model/target.ts";
import { configSchema } from "../../../src/evaluation/config-schema.ts";
import { CONFIG_KEYS } from "../../../src/evaluation/config-keys.ts";
import { parseWorkspaceConfig } from "../../../src/evaluation/workspace-config.ts";
import { KNOBS, type Knob } from "../../../src/model/control.ts";

/** The position of `|`, and the text without it. */
function marked(text: string): Parameters<typeof proposalsAt> {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  return [text.replace("|", ""), { line: before.length - 1, character: before.at(-1)?.length ?? 0 }];
}
const labels = (text: string) => proposalsAt(...marked(text)).map(({ label }) => label);

describe("Completion in hasp.yaml", () => {
  it("offers the keys that are not there yet", () => {
    expect(labels("|")).toEqual(CONFIG_KEYS.map(({ name }) => name));
    expect(labels("domain: web-search\nse|\nlibraries: [skills]\n")).not.toContain("domain");
    expect(labels("budgets:\n  max_steps: 3\n  |\nsetting: full")).toEqual([
      "max_search_calls",
      "max_read_calls",
      "teacher_max_tokens",
      "timeout_seconds",
    ]);
  });

  it("offers the values of a key", () => {
    expect(labels("setting: |")).toEqual(["full", "pf-only", "teacher-only", "prompt-only", "ra-agent"]);
    expect(labels("switches:\n  pf_only_mode: |")).toEqual(["true", "false"]);
    expect(labels("tools:\n    retriever: w|")).toContain("wikipedia");
  });

  it("is silent in comments and where nothing of ours stands", () => {
    for (const text of ["# |", "other:\n  |", "libraries:\n  - |", "setting: full # |"])
      expect(labels(text)).toEqual([]);
  });

  it("writes nothing that the reader would refuse", () => {
    const top = proposalsAt("", { line: 0, character: 0 });
    for (const { label, insert } of top) {
      if (insert.endsWith(": ")) continue;
      const inside = proposalsAt(`${label}:\n  `, { line: 1, character: 2 });
      for (const text of [`${insert}\n`, ...inside.map((key) => `${label}:\n  ${key.insert.trimEnd()}\n`)])
        if (!text.trimEnd().endsWith(":"))
          expect(parseWorkspaceConfig(text, "hasp.yaml").diagnostics).toEqual([]);
    }
  });

  it("tells what a key means", () => {
    expect(helpAt(...marked("selection:\n  pf_to|p_k: 3"))).toMatchObject({
      key: { about: KNOBS.pfTopK.about },
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 10 } },
    });
    expect(helpAt(...marked("selection:\n  pf_top_k: |3"))).toBeUndefined();
    expect(helpAt(...marked("pf_to|p_k: 3"))).toBeUndefined();
  });

  it("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(5), fc.nat(40), (text, line, character) => {
        proposalsAt(text, { line, character });
        helpAt(text, { line, character });
      }),
    );
  });
});

describe("Targets", () => {
  const text = "targets:\n  lab:\n    kind: slurm\n    \n  ";
  const labels = (line: number, character: number) =>
    proposalsAt(text, { line, character }).map(({ label }) => label);

  it("have keys below their names, and names of a person's own", () => {
    expect(labels(3, 4)).toEqual(expect.arrayContaining(["host", "partition", "setup"]));
    expect(labels(3, 4)).not.toContain("kind");
    expect(labels(4, 2)).toEqual([]);
    expect(labels(2, 10)).toEqual(["ssh", "slurm"]);
    expect(helpAt(text, { line: 2, character: 5 })?.key.name).toBe("kind");
    expect(helpAt(text, { line: 1, character: 3 })).toBeUndefined();
  });

  it("are groups by names in the schema, with all keys of a target", () => {
    const { properties } = configSchema() as { properties: Record<string, object> };
    expect(properties["targets"]).toMatchObject({
      patternProperties: { [TARGET_NAME.source]: { additionalProperties: false } },
    });
    expect(keysOf("targets").map(({ name }) => name)).toEqual(Object.keys(targetSchema.shape));
  });
});

describe("The table of knobs", () => {
  const knobs: readonly Knob[] = Object.values(KNOBS);

  it("is the schema's", () => {
    const { properties } = configSchema() as {
      properties: Record<string, { properties: Record<string, unknown> }>;
    };
    for (const knob of knobs) {
      const { name, group, about, fallback } = knob;
      expect(properties[group]?.properties[name]).toMatchObject({ description: about, default: fallback });
    }
  });

  it("is that of docs/settings.md, which gives a reason for each default", () => {
    const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \| ([^|]+) \| (.+?) \| ([^|]+) \|$/gm)];
    expect(
      rows.map(([, name, group, fallback, range, about]) => [name, group, fallback, range, about]),
    ).toEqual(
      knobs.map((knob) => [
        knob.name,
        knob.group,
        String(knob.fallback),
        knob.kind === "flag"
          ? "true, false"
          : `${knob.least}–${knob.most}${knob.whole ? "" : ", fractions too"}`,
        knob.about,
      ]),
    );
    for (const [, , , , , , why] of rows) expect(why).toMatch(/^(?:ours: |the paper)/);
  });
});
