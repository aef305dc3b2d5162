/** A task for a program with its tests, and what a policy replies: its draft, and its revision where the draft is held back. */
export interface CodeTask {
  readonly id: string;
  readonly question: string;
  readonly material: object;
  readonly draft: string;
  readonly revision?: string;
}

const scripts = (...tests: readonly (readonly [input: string, output: string])[]): object => ({
  kind: "scripts",
  tests: tests.map(([input, output]) => ({ input: `${input}\n`, output: `${output}\n` })),
});
const reply = (...lines: readonly string[]): string =>
  `I write it down.\n\n\`\`\`python\n${lines.join("\n")}\n\`\`\``;

const FERRY = [
  "def trips(cars, places):",
  '    """Trips of a ferry that has this many places."""',
  "    full, rest = divmod(cars, places)",
];

/** Ten tasks: one is fixed by its revision, some are answered wrong in different ways, the others right. */
export const CODE_TASKS: readonly CodeTask[] = [
  {
    id: "ferry",
    question:
      "Read the number of cars and the places of a ferry from one line. Print how many trips it takes.",
    material: scripts(["12 4", "3"], ["13 4", "4"], ["0 4", "0"]),
    draft: reply(
      ...FERRY,
      "    return full + (1 if remainder else 0)",
      "",
      "print(trips(*map(int, input().split())))",
    ),
    revision: reply(
      ...FERRY,
      "    return full + (1 if rest else 0)",
      "",
      "print(trips(*map(int, input().split())))",
    ),
  },
  {
    id: "beads",
    question:
      "Write a class Solution with a method lengths(beads) that gives the length of each run of equal beads.",
    material: {
      kind: "method",
      entry: "lengths",
      tests: [
        { input: "[7, 7, 1]", output: "[2, 1]" },
        { input: "[4]", output: "[1]" },
      ],
    },
    draft: reply(
      "class Solution:",
      "    def lengths(self, beads):",
      "        runs = []",
      "        for i, bead in enumerate(beads):",
      "            if i and bead == beads[i - 1]:",
      "                runs[-1] += 1",
      "            else:",
      "                runs.append(0)",
      "        return runs",
    ),
  },
  {
    id: "tiles",
    question:
      "Write tiles(width, height), which counts the tiles of one foot that a floor of whole feet takes.",
    material: {
      kind: "unittest",
      entry: "tiles",
      prompt: "def tiles(width, height):\n",
      solution: "    return width * height\n",
      test: `import unittest

class TestCases(unittest.TestCase):
    def test_floor(self):
        self.assertEqual(tiles(3, 4), 12)

    def test_no_floor(self):
        self.assertEqual(tiles(0, 9), 0)
`,
    },
    draft: reply("def tiles(width, height):", "    return width * height"),
  },
  {
    id: "bells",
    question: "Read an hour from 0 to 23. Print how often a clock strikes then, which counts to twelve.",
    material: scripts(["3", "3"], ["12", "12"], ["0", "12"]),
    draft: reply("print(int(input()) % 12)"),
  },
  {
    id: "shelves",
    question: "Read the widths of books from one line, and print the sum of the two widest.",
    material: scripts(["3 5 4", "9"], ["2 2", "4"]),
    draft: reply("widths = sorted(map(int, input().split()))", "print(widths[-1] + widths[-2])"),
  },
  {
    id: "keys",
    question: "Read a word and print the letter that it has most often. There is only one such letter.",
    material: scripts(["kitten", "t"], ["a", "a"]),
    draft: reply("word = input()", "print(max(word, key=word.count))"),
  },
  {
    id: "ladder",
    question: "Read n and print the sum of the first n odd numbers.",
    material: scripts(["3", "9"], ["0", "0"]),
    draft: reply("print(int(input()) ** 2)"),
  },
  {
    id: "rain",
    question: "Read millimetres of rain of some days from one line. Print the mean with one digit.",
    material: scripts(["1 2 3", "2.0"], ["5", "5.0"]),
    draft: reply("days = [float(day) for day in input().split()]", 'print(f"{sum(days) / len(days):.1f}")'),
  },
  {
    id: "stairs",
    question: "Read a word and print it backwards.",
    material: scripts(["stairs", "sriats"], ["a", "a"]),
    draft: reply("print(input()[::-1])"),
  },
  {
    id: "post",
    question:
      "Read the weights of letters from one line. Print the postage: 1 for each full or begun 20 grams.",
    material: scripts(["20 21", "3"], ["5", "1"]),
    draft: reply("print(sum(-(-int(weight) // 20) for weight in input().split()))"),
  },
];
