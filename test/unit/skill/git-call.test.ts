import { describe, expect, it } from "vitest";
import { gitCall } from "../../../src/skill/git-call.ts";

const read = (line: string) => {
  const [name = "", ...args] = line.split(" ");
  return gitCall({ name, args });
};

describe("the command of a call of git", () => {
  it("comes after git's own switches", () => {
    expect(read("git push -f origin")).toEqual({ command: "push", args: ["-f", "origin"] });
    expect(read("git -C lib -c a.b=push --no-pager --git-dir .git reset --hard")).toEqual({
      command: "reset",
      args: ["--hard"],
      folder: "lib",
    });
  });

  it("is not there for other programs, and for git alone", () => {
    expect(read("hub push")).toBeUndefined();
    expect(read("git --version")).toBeUndefined();
    expect(read("git -C lib")).toBeUndefined();
  });
});
