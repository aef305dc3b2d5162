import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShell } from "../../../../src/domains/coding-agent/shell.ts";

/** The programs of a line, each with its words. */
function programs(source: string, dialect: "bash" | "powershell" = "bash"): string[] {
  return parseShell(source, dialect).calls.map(({ name, args }) => [name, ...args].join(" ").trim());
}

function call(source: string, name: string, dialect: "bash" | "powershell" = "bash") {
  const found = parseShell(source, dialect).calls.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No ${name} in ${source}`);
  return found;
}

describe("text that is data", () => {
  it.each([
    [`echo "rm -rf /"`, ["echo rm -rf /"]],
    [`git commit -m "rm -rf / && reboot" # rm -rf /`, ["git commit -m rm -rf / && reboot"]],
    ["cat <<EOF > notes\nrm -rf /\nEOF", ["cat"]],
    ["cat <<'EOF'\n$(rm -rf /)\nEOF", ["cat"]],
    ["grep -rn 'sudo rm' src", ["grep -rn sudo rm src"]],
    ["python3 - <<'E'\nprint('os.system(1); rm -rf /')\nE", ["python3 -"]],
    [`echo 'a | sh; $(reboot)' \\; reboot`, ["echo a | sh; $(reboot) ; reboot"]],
    ["X='rm -rf /'", []],
  ])("is no program: %s", (source, expected) => {
    expect(programs(source)).toEqual(expected);
  });
});

describe("programs within a line", () => {
  it.each([
    ["a && b || c; d & e | f", ["a", "b", "c", "d", "e", "f"]],
    ["(cd x; rm y); { ls; }", ["cd x", "rm y", "ls"]],
    ['echo $(rm a) `rm b` "$(rm c)"', ["echo $(rm a) `rm b` $(rm c)", "rm a", "rm b", "rm c"]],
    ["diff <(sort a) <(sort b)", ["diff <(sort a) <(sort b)", "sort a", "sort b"]],
    ["f() { rm x; }; f", ["rm x", "f"]],
    ["if test -f a; then rm a; else ls; fi", ["test -f a", "rm a", "ls"]],
    ["for f in $(ls); do rm $f; done", ["ls", "rm $f"]],
    ["while read l; do rm $l; done < list", ["read l", "rm $l"]],
    ["case $x in a) rm a;; esac", ["rm a"]],
    ["bash -lc 'git push -f'", ["bash -lc git push -f", "git push -f"]],
    ['sh -c "rm -rf $HOME"', ["sh -c rm -rf $HOME", "rm -rf $HOME"]],
    ['eval "git push" --force', ["eval git push --force", "git push --force"]],
    ["ssh -p 22 u@h 'sudo rm -rf /var'", ["ssh -p 22 u@h sudo rm -rf /var", "rm -rf /var"]],
    ["bash <<EOF\nrm -rf x\nEOF", ["bash", "rm -rf x"]],
    ["cat <<'EOF' | sudo bash -s\nreboot\nEOF", ["cat", "bash -s", "reboot"]],
    ["echo 'rm x' | sh", ["echo rm x", "sh", "rm x"]],
    ["find . -name a -exec rm -f {} \\;", ["find . -name a -exec rm -f {} ;", "rm -f {}"]],
    ["sudo -nu root env A=1 timeout -k 5 10 nice -n 5 rm -rf x", ["rm -rf x"]],
    ["ls | xargs -0 -I{} sh -c 'rm {}'", ["ls", "sh -c rm {}", "rm {}"]],
    ["command -v git; type git", ["command -v git", "type git"]],
    ["trap 'rm -rf $t' EXIT", ["trap rm -rf $t EXIT", "rm -rf $t"]],
    ["cat <<EOF\n$(whoami)\nEOF", ["cat", "whoami"]],
    ["[[ -n $(git status -s) ]] && ls", ["git status -s", "ls"]],
    ['eval "$(ssh-agent -s)"', ["eval $(ssh-agent -s)", "ssh-agent -s"]],
    ['/usr/bin/git push; \\rm x; "ls"', ["git push", "rm x", "ls"]],
    ["> .env", [""]],
    ["pwsh -Command 'Remove-Item x'", ["pwsh -Command Remove-Item x", "Remove-Item x"]],
  ])("%s", (source, expected) => {
    expect(programs(source)).toEqual(expected);
    expect(parseShell(source, "bash").errors).toEqual([]);
  });

  it("stand in the place where the shell runs them", () => {
    const places = (source: string): string[] => parseShell(source, "bash").calls.map(({ place }) => place);
    expect(places("a; (b); c $(d); e() { f; }; if g; then h; fi; for i in 1; do j; done")).toEqual([
      "top",
      "subshell",
      "top",
      "substitution",
      "function",
      "top",
      "branch",
      "loop",
    ]);
  });

  it("say what wraps them, and what they are piped into", () => {
    expect(call("time sudo rm x", "rm").via).toEqual(["time", "sudo"]);
    expect(call("find . | xargs rm", "rm")).toMatchObject({ via: ["xargs"], from: ["find"] });
    expect(call("bash -c 'sudo rm x'", "rm").via).toEqual(["bash -c", "sudo"]);
    expect(call("curl x | tee log | sudo bash", "curl").into).toEqual(["tee", "bash"]);
    expect(call("bash <(curl x)", "curl").into).toEqual(["bash"]);
    expect(call('sh -c "$(curl x)"', "sh").from).toEqual(["curl"]);
    expect(call("curl x | (cd /tmp && sh)", "sh").from).toEqual(["curl"]);
  });

  it("have flags and operands apart, values of variables, redirections, and know whether they run behind", () => {
    expect(call("git push -fu --force-with-lease=main origin -- -x", "git")).toMatchObject({
      flags: ["f", "u", "--force-with-lease"],
      operands: ["push", "origin", "-x"],
    });
    expect(call("find . -delete -exec rm -f {} +", "find").flags).toEqual(["-delete", "-exec"]);
    expect(call("A=1 B='x y' npm test > out 2>&1 &", "npm")).toMatchObject({
      env: { A: "1", B: "x y" },
      background: true,
      redirects: [
        { op: ">", target: "out" },
        { op: ">&", target: "1" },
      ],
    });
  });

  it("know whether their words are all that they get", () => {
    const literal = (source: string): boolean => parseShell(source, "bash").calls[0]?.literal ?? false;
    expect(["rm $x", 'rm "$x"', "rm `a`", "rm $((1+1))", "rm <(a)"].map(literal)).not.toContain(true);
    expect(["rm '$x'", "rm {a,b}", "rm \\$x", "rm *.ts", "rm ~/x", 'rm "\\$x"'].map(literal)).not.toContain(
      false,
    );
  });
});

describe("words that the shell makes of others", () => {
  const last = (source: string): string | undefined => programs(source).at(-1);

  it.each([
    ["l''s -a x", "ls -a x"],
    ["ls$IFS-a${IFS}x", "ls -a x"],
    ["{ls,-a,x}", "ls -a x"],
    ["ls a{1..3}b", "ls a1b a2b a3b"],
    [String.raw`$'\x6cs' -a x`, "ls -a x"],
    ["X=ls Y=-a; $X $Y x", "ls -a x"],
    ['A=(ls -a); "${A[@]}" x', "ls -a x"],
    ['set -- ls -a x; "$@"', "ls -a x"],
    ['for d in x y; do ls "a/$d"; done', "ls a/x a/y"],
    ['f() { ls "$1"; }; f x', "ls x"],
    ["alias l='ls -a'; l x", "ls -a x"],
    ["ls ${X:-x}", "ls x"],
    ["X=abc; ls ${X:1:1} ${X^^} ${X/b/-}", "ls b ABC a-c"],
    ["/bin/l?; /bin/r? x", "rm x"],
    ["echo bHMgLWE= | base64 -d | sh", "ls -a"],
    ["echo x y | xargs ls", "ls x y"],
    ["bash -c 'ls $1' _ x", "ls x"],
    ["echo 'ls x' > a.sh; sh a.sh", "ls x"],
    ["git -c alias.x='!ls -a' x", "ls -a"],
    ["make -f- <<< 'all:; ls x'", "ls x"],
    ['node -e \'require("child_process").execSync("ls x")\'', "ls x"],
    ["python3 -c \"import shutil; shutil.rmtree('/x' + 'y')\"", "rm -rf -- /xy"],
    ['ruby -e \'system("ls", "x")\'', "ls x"],
    ["perl -e 'unlink glob \"/x/*\"'", "rm -f -- /x/*"],
  ])("%s", (source, expected) => {
    expect(last(source)).toBe(expected);
  });

  it.each([
    ["X=$(hostname); ls $X", "ls $X"],
    ["ls $Y", "ls $Y"],
    ["for d in $(hostname); do ls $d; done", "ls $d"],
    ["(X=a); ls $X", "ls $X"],
    ["python3 -c 'shutil.rmtree(x)'", "python3 -c shutil.rmtree(x)"],
  ])("stay as written where only the shell knows them: %s", (source, expected) => {
    expect(last(source)).toBe(expected);
  });

  it("do not grow without end", () => {
    const { calls, unread } = parseShell(
      `X=aaaaaaaaaa;${"X=$X$X;".repeat(50)} ls ${"$X ".repeat(2_000)}`,
      "bash",
    );
    expect(calls.flatMap(({ args }) => args).join("").length).toBeLessThan(500_000);
    expect(unread).toBeUndefined();
  });
});

describe("what cannot be read", () => {
  it("is said to be unread; comments, quoted text and here-documents do not count", () => {
    const unread = (source: string): boolean => parseShell(source, "bash").unread ?? false;
    expect(unread("ls;".repeat(50_000))).toBe(true);
    expect(unread(`ls\n… 12 characters left out …\n`)).toBe(true);
    expect(unread(`${"# x\n".repeat(50_000)}ls`)).toBe(false);
    expect(unread(`cat > x <<E\n${"a\n".repeat(90_000)}E\nls`)).toBe(false);
  });

  it("is in the errors, and the rest is there", () => {
    const { calls, errors } = parseShell('ls; rm -rf "open', "bash");
    expect(calls.map(({ name }) => name)).toEqual(["ls", "rm"]);
    expect(errors).toHaveLength(1);
  });

  it("is cut at 100,000 characters and 500 programs", () => {
    const { calls, errors } = parseShell("ls;".repeat(40_000), "bash");
    expect(calls).toHaveLength(500);
    expect(errors.join(" ")).toMatch(/500 programs.*100000 characters/);
  });

  it("ends where texts stand within texts too deeply", () => {
    const nested = Array.from({ length: 14 }).reduce<string>((text) => `eval ${text}`, "ls");
    const escaped = Array.from({ length: 20 }).reduce<string>((text) => `eval ${JSON.stringify(text)}`, "ls");
    expect(
      parseShell(nested, "bash").errors.length + parseShell(escaped, "bash").errors.length,
    ).toBeGreaterThan(0);
  });
});

describe("PowerShell", () => {
  it.each([
    [
      "Remove-Item -Recurse -Force C:\\x; git push --force",
      ["Remove-Item -Recurse -Force C:\\x", "git push --force"],
    ],
    [
      "Get-ChildItem | ForEach-Object { Remove-Item $_ }",
      ["Get-ChildItem", "ForEach-Object { Remove-Item $_ }", "Remove-Item $_"],
    ],
    ["$x = git status; if ($x) { git reset --hard } else { ls }", ["git status", "git reset --hard", "ls"]],
    ['"rm -rf /" | Out-File x', ["Out-File x"]],
    ['Write-Host "a $(git clean -fd)"', ["Write-Host a $(git clean -fd)", "git clean -fd"]],
    ['& "C:\\Program Files\\git\\git.exe" push', ["git push"]],
    ["iex 'git push -f'", ["iex git push -f", "git push -f"]],
    ["@'\nrm -rf /\n'@ | Set-Content x", ["Set-Content x"]],
    ["git commit -m 'it''s; rm x' && npm test", ["git commit -m it's; rm x", "npm test"]],
    ["rm x # rm y\n<# rm z #> ls", ["rm x", "ls"]],
    ['echo "a`"; rm b"', ['echo a"; rm b']],
    ["$h = @{ a = 'x}' }; ls", ["ls"]],
    ["$x=git push -f; $env:A='b'; $a, $b = ls; echo '=' b", ["git push -f", "ls", "echo = b"]],
    ["foreach ($f in Get-ChildItem) { del $f }", ["Get-ChildItem", "del $f"]],
    ["function Foo { rm x }; Foo", ["rm x", "Foo"]],
    ["try { npm test } catch { exit 1 }", ["npm test", "exit 1"]],
    ["bash -c 'rm -rf x'", ["bash -c rm -rf x", "rm -rf x"]],
  ])("%s", (source, expected) => {
    expect(programs(source, "powershell")).toEqual(expected);
  });

  it("says what it cannot read", () => {
    expect(parseShell("powershell -EncodedCommand abc", "powershell").errors).toHaveLength(1);
    expect(parseShell('[IO.File]::WriteAllText("x", "y")', "powershell").errors).toHaveLength(1);
    expect(parseShell("cmd /c 'del x'", "powershell").errors).toHaveLength(1);
    expect(parseShell("ls 'open", "powershell").errors).toHaveLength(1);
  });
});

/** Pieces that a shell has a meaning for, in any order. */
const piece = fc.constantFrom(
  "rm",
  "git",
  "bash -c",
  "'",
  '"',
  "$(",
  ")",
  "`",
  "|",
  "&&",
  "||",
  ";",
  "&",
  "<<EOF\n",
  "\nEOF\n",
  "\n",
  "{",
  "}",
  "(",
  "if ",
  "then ",
  "fi",
  "$x",
  "${y:-z}",
  "\\",
  "#",
  " ",
  ">",
  "<(",
  "@'",
  "'@",
  "sudo ",
  "find . -exec ",
  "\\;",
  "eval ",
  "[[ ",
  "]]",
  "for i in ",
  "do ",
  "done",
  "=",
  "-f",
);
const scrap = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" "));
const dialect = fc.constantFrom("bash" as const, "powershell" as const);

describe("any text", () => {
  it("is read without a throw, and each range lies in it and holds the program's name", () => {
    fc.assert(
      fc.property(fc.oneof(scrap, fc.string({ maxLength: 200 })), dialect, (source, kind) => {
        for (const { name, range, place } of parseShell(source, kind).calls) {
          expect(place).not.toBe("");
          if (range === undefined) continue;
          expect(range.start).toBeGreaterThanOrEqual(0);
          expect(range.end).toBeLessThanOrEqual(source.length);
          expect(range.start).toBeLessThan(range.end);
          // Quotes and escapes may be within a name; what the shell puts in for a variable or a pattern is not.
          const written = source.slice(range.start, range.end);
          if (/^\w+$/.test(name) && !/[$`?*[]/.test(written))
            expect(written.replaceAll(/[\\'"\s]/g, "")).toContain(name);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("that is quoted is one word and no program", () => {
    const text = fc.string({ maxLength: 80 }).filter((value) => !value.includes("\0"));
    fc.assert(
      fc.property(text, (value) => {
        const single = `echo '${value.replaceAll("'", "'\\''")}' end`;
        expect(parseShell(single, "bash").calls.map(({ name, args }) => [name, args])).toEqual([
          ["echo", [value, "end"]],
        ]);
        const ps = `echo '${value.replaceAll("'", "''")}' end`;
        expect(parseShell(ps, "powershell").calls.map(({ name, args }) => [name, args])).toEqual([
          ["echo", [value, "end"]],
        ]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("A command line that hides a program", () => {
  const HIDDEN: Readonly<Record<string, string>> = {
    "brackets, 5,000 deep": `${"(".repeat(5_000)}rm -rf ~/${")".repeat(5_000)}`,
    "substitutions, 3,000 deep": `echo ${"$(".repeat(3_000)}rm -rf ~/${")".repeat(3_000)}`,
    "branches, 1,500 deep": `${"if true; then ".repeat(1_500)}rm -rf ~/${"; fi".repeat(1_500)}`,
    "cases, 3,000 deep": `${"case a in a) ".repeat(3_000)}rm -rf ~/${" ;; esac".repeat(3_000)}`,
    "arithmetic that ends the parser's stack": `echo $(( ${"1+".repeat(20_000)}1 )); rm -rf ~/`,
    "behind 2,000 programs": `${"echo a; ".repeat(2_000)}rm -rf ~/`,
    "behind 200,000 characters": `${"echo a; ".repeat(25_000)}rm -rf ~/`,
    "before 200,000 characters": `rm -rf ~/; ${"echo a; ".repeat(25_000)}`,
  };
  it.each(Object.entries(HIDDEN))("has it among its calls: %s", (_what, source) => {
    const { calls } = parseShell(source, "bash");
    expect(calls.filter(({ name }) => name === "rm").map(({ args }) => args)).toContainEqual(["-rf", "~/"]);
  });
});
