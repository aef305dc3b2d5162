import { describe, expect, test } from "vitest";
import { loadCommandsIn } from "../../../src/skill/load-commands.ts";

const HEAD = "---\nname: deploy\ndescription: Use it to deploy.\n---\n";
const commands = (body: string): string[] =>
  loadCommandsIn(`${HEAD}${body}`).commands.map(({ command }) => command);

describe("A command that runs when a skill is loaded", () => {
  test.each([
    ["in a sentence", "State: !`git status`.\n", ["git status"]],
    ["at the start of a line", "!`git status`\n", ["git status"]],
    ["in a list", "- !`ls -la`\n- !`pwd`\n", ["ls -la", "pwd"]],
    ["in a block", "```!\ngit status\ngit log -1\n```\n", ["git status\ngit log -1"]],
    ["in a block on one line", "```! date\n```\n", ["date"]],
    ["in a block within a list", "1. Look:\n   ```!\n   date\n   ```\n", ["date"]],
    ["over two lines", "!`echo a\necho b`\n", ["echo a\necho b"]],
    ["with Windows line ends", "```!\r\na\r\nb\r\n```\r\n", ["a\nb"]],
    [
      "in a fenced block of another kind, which Claude Code does not look at",
      "```sh\n!`date`\n```\n",
      ["date"],
    ],
  ])("is found %s", (_, body, wanted) => expect(commands(body)).toEqual(wanted));

  test.each([
    ["behind a letter", "no!`date`\n"],
    ["in code between backticks", "Write `` x !`date` `` for it.\n".replaceAll("``", "`")],
    ["without an exclamation mark", "`date`\n"],
    ["that is empty", "!`` and !` `\n"],
    ["in an open block", "```!\ndate\n"],
    ["in plain blocks", "```\ndate\n```\n"],
  ])("is none %s", (_, body) => expect(commands(body)).toEqual([]));

  test("is none in the frontmatter", () => {
    expect(loadCommandsIn("---\nname: a\ndescription: 'Say !`date`'\n---\n\nText\n").commands).toEqual([]);
  });

  test("has the place of what stands there", () => {
    const [one] = loadCommandsIn(`${HEAD}\n🚀 !\`date\`\n`).commands;
    expect(one?.range).toEqual({ start: { line: 5, character: 3 }, end: { line: 5, character: 10 } });
  });

  test.each([
    ["allowed-tools: Bash", "Bash"],
    ["allowed-tools: Bash(*), Read", "Bash(*)"],
    ["allowed-tools: Read, Bash(git push:*)", "Bash(git push:*)"],
    ["allowed-tools: Bash(git:*) Read", "Bash(git:*)"],
    ["allowed-tools: Bash(git push *)", "Bash(git push *)"],
    ["allowed-tools:\n  - Read\n  - Bash(git * origin)", "Bash(git * origin)"],
    ["allowed-tools: [Bash(git push origin)]", "Bash(git push origin)"],
    ["allowed-tools: Read Bash(gi:*) Bash(git pull:*) Bash(push) BashOutput", undefined],
    ["license: MIT", undefined],
  ])("is allowed by %j: %s", (key, wanted) => {
    const text = HEAD.replace("---\n", `---\n${key}\n`);
    expect(loadCommandsIn(`${text}!\`git push origin\`\n`).commands[0]?.allowedBy).toBe(wanted);
  });

  test("is PowerShell's where the skill says so", () => {
    expect(loadCommandsIn(`${HEAD.replace("name:", "shell: powershell\nname:")}!\`ls\`\n`).tool).toBe(
      "PowerShell",
    );
  });

  test("is found in a file of a megabyte in no time", () => {
    const start = performance.now();
    for (const piece of ["!`", "```!\n", "`", "```! \n\n\n", "!`a` ", "![`"])
      commands(piece.repeat(1_000_000 / piece.length));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
