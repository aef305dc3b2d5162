import { describe, expect, it } from "vitest";
import { changesOf } from "../../../../src/domains/coding-agent/changes.ts";

const changes = (type: string, input: unknown, there: readonly string[] = []) =>
  changesOf({ type, arg: JSON.stringify(input) }, { isThere: (path) => there.includes(path) });

describe("what a call writes", () => {
  it("is the whole file of a Write, which makes or replaces it", () => {
    expect(changes("Write", { path: "a", content: "x" })).toEqual([
      { path: "a", kind: "create", after: "x" },
    ]);
    expect(changes("Write", { path: "a", content: "x" }, ["a"])).toEqual([
      { path: "a", kind: "replace", after: "x" },
    ]);
  });

  it("is the text of an Edit before and after, and a new file where there is none before", () => {
    expect(changes("Edit", { path: "a", oldText: "x", newText: "y" })).toEqual([
      { path: "a", kind: "replace", before: "x", after: "y" },
    ]);
    expect(changes("Edit", { path: "a", oldText: "", newText: "y" })).toEqual([
      { path: "a", kind: "create", after: "y" },
    ]);
    expect(
      changes("MultiEdit", {
        path: "a",
        edits: [{ oldText: "x", newText: "y" }, 3, { path: "b", oldText: "", newText: "z" }],
      }),
    ).toEqual([
      { path: "a", kind: "replace", before: "x", after: "y" },
      { path: "b", kind: "create", after: "z" },
    ]);
  });

  it("is each hunk of a patch in its own form", () => {
    const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ function f
 keep
-old
+new
@@
-x
+y
*** Add File: c.txt
+one
+two
*** Delete File: d.txt
*** End Patch`;
    expect(changes("Patch", { patch })).toEqual([
      { path: "src/a.ts", kind: "delete", after: "" },
      { path: "src/b.ts", kind: "replace", before: "keep\nold", after: "keep\nnew" },
      { path: "src/b.ts", kind: "replace", before: "x", after: "y" },
      { path: "c.txt", kind: "create", after: "one\ntwo" },
      { path: "d.txt", kind: "delete", after: "" },
    ]);
  });

  it("is each hunk of a unified diff, where removed lines may look like headers", () => {
    const patch = `diff --git a/x.sql b/x.sql
--- a/x.sql
+++ b/x.sql
@@ -1,2 +1,2 @@
--- a comment
+-- another
 select 1;
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hi
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
`;
    expect(changes("Patch", { patch })).toEqual([
      { path: "x.sql", kind: "replace", before: "-- a comment\nselect 1;", after: "-- another\nselect 1;" },
      { path: "new.txt", kind: "create", after: "hi" },
      { path: "gone.txt", kind: "delete", after: "" },
    ]);
  });

  it("is nothing for other tools and broken inputs", () => {
    expect(changes("Bash", { command: "rm x" })).toEqual([]);
    expect(changes("Edit", { oldText: 3 })).toEqual([]);
    expect(changesOf({ type: "Write", arg: '{"path": "a' })).toEqual([]);
    expect(changesOf({ type: "MultiEdit", arg: '{"edits": "all"}' })).toEqual([]);
    expect(changesOf({ type: "Patch", arg: '{"patch": "hello"}' })).toEqual([]);
  });
});

describe("the file that a call names", () => {
  const patchOf = (path: string): object => ({
    patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`,
  });
  const diffOf = (path: string): object => ({ patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b` });

  it.each([
    ["/repo", "/repo/src/a.ts", "src/a.ts"],
    ["/repo", "src/a.ts", "src/a.ts"],
    ["/repo", "./src/a.ts", "src/a.ts"],
    ["/repo", "src/../src//a.ts", "src/a.ts"],
    ["/repo/", "/repo/./src/a.ts", "src/a.ts"],
    ["/repo", "/repo2/src/a.ts", "/repo2/src/a.ts"],
    ["/repo", "/repo/../etc/hosts", "/repo/../etc/hosts"],
    ["/repo", "Src/A.ts", "Src/A.ts"],
    [String.raw`C:\Repo`, String.raw`c:\repo\src\a.ts`, "src/a.ts"],
    [String.raw`C:\Repo`, "C:/Repo/src/a.ts", "src/a.ts"],
    [String.raw`C:\Repo`, String.raw`src\a.ts`, "src/a.ts"],
    [String.raw`C:\Repo`, String.raw`.\src\A.ts`, "src/A.ts"],
    [String.raw`C:\Repo`, String.raw`D:\src\a.ts`, String.raw`D:\src\a.ts`],
    [undefined, "./src/a.ts", "src/a.ts"],
  ])("in %s: a patch of %s is one of %s", (cwd, path, expected) => {
    const found = changesOf({ type: "Patch", arg: JSON.stringify(patchOf(path)) }, { cwd });
    expect(found.map((change) => change.path)).toEqual([expected]);
    const edit = { path, oldText: "a", newText: "b" };
    const edits = [
      changesOf({ type: "Edit", arg: JSON.stringify(edit) }, { cwd }),
      changesOf({ type: "MultiEdit", arg: JSON.stringify({ edits: [edit] }) }, { cwd }),
      changesOf({ type: "Write", arg: JSON.stringify({ path, content: "b" }) }, { cwd }),
    ];
    expect(edits.map(([change]) => change?.path)).toEqual([expected, expected, expected]);
  });

  it("of a unified diff is the same", () => {
    const found = changesOf({ type: "Patch", arg: JSON.stringify(diffOf("./src/a.ts")) }, { cwd: "/repo" });
    expect(found.map(({ path }) => path)).toEqual(["src/a.ts"]);
  });
});
