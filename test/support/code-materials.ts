import type { Material } from "../../src/domains/code/judge/material.ts";

/** Functions with inputs that JSON.parse would change, and floats. */
export const CALLS = {
  kind: "calls",
  entry: "half",
  prompt: 'import math\n\ndef half(n):\n    """Give half of a number."""\n',
  solution: "    return n // 2 if isinstance(n, int) else n / 2\n",
  tolerance: 0,
  groups: [
    { name: "base", inputs: "[[4], [1.0], [18014398509481986]]" },
    { name: "plus", inputs: "[[-3], [0.3]]" },
  ],
} satisfies Material;

export const ASSERTS = {
  kind: "asserts",
  imports: ["import math"],
  asserts: [
    "assert area(2) == (4, 'cm')",
    "assert math.isclose(area(1.5)[0], 2.25, rel_tol=0.001)",
    "assert not area(0)[0]",
    "assert set(area(3)) == {9, 'cm'}",
  ],
  solution: "def area(side):\n    return (side * side, 'cm')\n",
} satisfies Material;

export const UNITTEST = {
  kind: "unittest",
  entry: "shout",
  prompt: "import json\ndef shout(text):\n",
  solution: "    return json.loads(json.dumps(text)).upper()",
  test: `import unittest
class TestCases(unittest.TestCase):
    def test_word(self):
        self.assertEqual(shout("a"), "A")
    def test_empty(self):
        self.assertEqual(shout(""), "")
`,
} satisfies Material;

export const SCRIPTS = {
  kind: "scripts",
  tests: [
    { input: "2\n1 2\n", output: "3\n" },
    { input: "1\n-5\n", output: "-5.0" },
  ],
} satisfies Material;

export const METHOD = {
  kind: "method",
  entry: "pairs",
  tests: [{ input: "[1, 2, 3]\n3", output: "[[1, 2]]" }],
} satisfies Material;

/** A test that no program can forge, of which each answer is asked one thing. */
export const ECHO = {
  kind: "calls",
  entry: "echo",
  prompt: "def echo(x):\n",
  solution: "    return x\n",
  tolerance: 0,
  groups: [{ name: "base", inputs: '[[1], ["a"], [[1, 2]]]' }],
} satisfies Material;
