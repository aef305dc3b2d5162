import { describe, expect, it } from "vitest";
import { filesOf } from "../../../../src/domains/coding-agent/command-files.ts";
import { writesInProgram, writesOfFile } from "../../../../src/domains/coding-agent/program-writes.ts";
import { parseShell } from "../../../../src/domains/coding-agent/shell.ts";

const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  "fix.py": ["src/clock.py"],
  "change.diff": ["src/hands.py"],
};

/** `kind path` of each thing that a command line does to a file. */
const effects = (source: string): string[] =>
  filesOf(parseShell(source, "bash"), "/repo", (path) => SCRIPTS[path] ?? []).effects.map(
    ({ kind, path }) => `${kind} ${path}`,
  );

const PATCH = "--- a/src/clock.py\n+++ b/src/clock.py\n@@ -1 +1 @@\n-a\n+b\n";

describe("what a command line does to files", () => {
  it.each([
    ["sed -i 's/a/b/' src/clock.py", ["replace src/clock.py"]],
    ["sed -i.bak -e 's/a/b/' -e '3d' /repo/src/clock.py", ["replace src/clock.py"]],
    ["sed -i '' 's/a/b/' clock.py", ["replace clock.py"]],
    ["cd src && sed -i '1i import os' clock.py hands.py", ["replace src/clock.py", "replace src/hands.py"]],
    ["perl -pi -e 's/a/b/' clock.py", ["replace clock.py"]],
    ["perl -0pi -e 's/a/b/' clock.py", ["replace clock.py"]],
    ["awk -i inplace '{print}' clock.py", ["replace clock.py"]],
    ["cat <<'EOF' > src/new.py\nx = 1\nEOF", ["create src/new.py"]],
    ["cat > src/new.py <<'EOF'\nx > 1\nEOF", ["create src/new.py"]],
    ["echo 'x = 1' >> src/clock.py", ["replace src/clock.py"]],
    ["printf 'a' | tee src/clock.py", ["create src/clock.py"]],
    ["tee -a src/clock.py <<EOF\na\nEOF", ["replace src/clock.py"]],
    ["python gen.py > src/table.py", ["create src/table.py"]],
    ["npm test > out.txt 2>&1", []],
    ["pytest -q 2>&1 | tee test.log", []],
    ["mv tmp.py src/clock.py", ["create src/clock.py", "delete tmp.py"]],
    ["mv a.py b.py src/", ["create src/a.py", "delete a.py", "create src/b.py", "delete b.py"]],
    ["cp src/clock.py src/clock.py.bak", ["create src/clock.py.bak"]],
    ["cp -t src a.py", ["create src/a.py"]],
    [`patch -p1 <<'EOF'\n${PATCH}EOF`, ["replace src/clock.py"]],
    [`git apply - <<'EOF'\n${PATCH}EOF`, ["replace src/clock.py"]],
    ["git apply change.diff", ["replace src/hands.py"]],
    ["patch -p1 < change.diff", ["replace src/hands.py"]],
    ["patch -p1 -i change.diff", ["replace src/hands.py"]],
    ["git apply --check change.diff", []],
    ["python fix.py", ["replace src/clock.py"]],
    ["python3 -W ignore ./fix.py --all", ["replace src/clock.py"]],
    [
      "python - <<'EOF'\np = 'src/clock.py'\nt = open(p).read()\nopen(p, 'w').write(t)\nEOF",
      ["replace src/clock.py"],
    ],
    ["python -c \"open('src/clock.py', 'w').write('x')\"", ["replace src/clock.py"]],
    ["node -e \"require('fs').writeFileSync('src/clock.js', 'x')\"", ["replace src/clock.js"]],
    ["python -c \"print(open('src/clock.py').read())\"", []],
    ["touch src/__init__.py", ["create src/__init__.py"]],
    ["rm src/old.py && rm -rf build", ["delete src/old.py", "delete build"]],
    ["cd tests; rm -f test_try.py ../try.py", ["delete tests/test_try.py", "delete try.py"]],
    ["rm /repo/test_*.py", ["delete test_*.py"]],
    ["git rm -q src/old.py", ["delete src/old.py"]],
    ["git mv src/a.py src/b.py", ["create src/b.py", "delete src/a.py"]],
    ["git checkout -- src/clock.py", ["undo src/clock.py"]],
    ["git checkout src", ["undo src"]],
    ["git restore src/clock.py", ["undo src/clock.py"]],
    ["git restore --staged src/clock.py", []],
    ["git checkout -b fix", []],
    ["git reset --hard", ["undo ."]],
    ["git stash", ["stash ."]],
    ["git stash pop", ["unstash ."]],
    ["git stash list", []],
    ["git clean -fd", ["clean ."]],
    ["f() { rm a.py; }", []],
  ])("%s", (source, expected) => {
    expect(effects(source)).toEqual(expected);
  });

  it("tells the last call of the line, whose failure is that of the line", () => {
    const { effects: found } = filesOf(parseShell("sed -i s/a/b/ a.py\nsed -i s/a/b/ b.py", "bash"), "/repo");
    expect(found.map(({ path, isLast }) => [path, isLast])).toEqual([
      ["a.py", false],
      ["b.py", true],
    ]);
  });
});

describe("what a program writes, by its text", () => {
  it.each([
    ["open('a.py', 'w').write(x)", ["a.py"]],
    ["with open(r'src/a.py', mode='a') as f: f.write(x)", ["src/a.py"]],
    ["file_path = 'src/a.py'\nwith open(file_path, 'r+') as f: f.write(x)", ["src/a.py"]],
    ["p = Path('src/a.py')\np.write_text(p.read_text())", ["src/a.py"]],
    ["Path('src/a.py').write_text(x)", ["src/a.py"]],
    ["for line in fileinput.input('src/a.py', inplace=True): print(line)", ["src/a.py"]],
    ["for p in ['src/a.py', 'src/b.py']:\n  open(p, 'w').write(x)", ["src/a.py", "src/b.py"]],
    ["const f = 'src/a.ts'; fs.writeFileSync(f, text)", ["src/a.ts"]],
    ["File.write('a.rb', x)", ["a.rb"]],
    ["open('a.py').read()", []],
    ["open('a.py', 'rb')", []],
    ["print('open a.py')", []],
  ])("%s", (code, expected) => {
    expect(writesInProgram(code)).toEqual(expected);
  });

  it("is known of scripts and patches alone, and of a long text in little time", () => {
    expect(writesOfFile("fix.py", "open('a.py', 'w')")).toEqual(["a.py"]);
    expect(writesOfFile("fix.diff", PATCH)).toEqual(["src/clock.py"]);
    expect(writesOfFile("notes.txt", "open('a.py', 'w')")).toEqual([]);
    expect(writesInProgram(`open(${"(".repeat(60_000)}`)).toEqual([]);
    expect(writesInProgram("open( ".repeat(20_000)).length).toBe(0);
  });
});
