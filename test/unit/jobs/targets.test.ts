import { describe, expect, test } from "vitest";
import { readTargets } from "../../../src/jobs/targets.ts";

const problems = (fields: object, name = "lab") =>
  readTargets({ [name]: fields }).diagnostics.map(({ code, message, next }) => ({ code, message, next }));

describe("targets by their names", () => {
  test("are read with what they leave out", () => {
    const { value, diagnostics } = readTargets({
      lab: { kind: "slurm", host: "login.example" },
      box: { kind: "ssh", host: "me@box", folder: "/scratch/me", setup: ["module load python"] },
      here: { kind: "slurm" },
    });
    expect(diagnostics).toEqual([]);
    expect(value).toEqual([
      { name: "lab", target: { kind: "slurm", host: "login.example", folder: "~/hasp" } },
      {
        name: "box",
        target: { kind: "ssh", host: "me@box", folder: "/scratch/me", setup: ["module load python"] },
      },
      { name: "here", target: { kind: "slurm", folder: "~/hasp" } },
    ]);
  });

  test("with a misspelt key are named with the key that was meant", () => {
    expect(problems({ kind: "slurm", parttion: "gpu" })).toEqual([
      {
        code: "HASP796",
        message: "The target lab: there is no key `parttion`.",
        next: "Did you mean `partition`?",
      },
    ]);
  });

  test.each([
    ["-oProxyCommand=touch x", /must not begin with/],
    ["gpu node", /must be a host/],
    ["gpu\nHost other", /must be/],
  ])("cannot have the host %j", (host, words) => {
    const found = problems({ kind: "ssh", host });
    expect(found[0]?.code).toBe("HASP796");
    expect(found.map(({ message }) => message).join(" ")).toMatch(words);
  });

  test.each([
    [{ kind: "ssh" }, /needs a `host`/],
    [{ kind: "cloud", host: "x" }, /kind/],
    [{ kind: "ssh", host: "x", folder: "relative" }, /absolute path/],
    [{ kind: "ssh", host: "x", setup: ["a\nb"] }, /single line/],
    [{ kind: "slurm", options: ["rm -rf"] }, /option of sbatch/],
  ])("cannot be %j", (fields, words) => {
    expect(
      problems(fields)
        .map(({ message }) => message)
        .join(" "),
    ).toMatch(words);
  });

  test("that can be used come with the findings about the others", () => {
    const { value, diagnostics } = readTargets({
      "bad name": { kind: "slurm" },
      good: { kind: "slurm" },
      none: 3,
    });
    expect(value.map(({ name }) => name)).toEqual(["good"]);
    expect(diagnostics).toHaveLength(2);
  });
});
