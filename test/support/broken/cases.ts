import { type FixableRow, caseFile, ok } from "./parts.ts";

export const BROKEN_CASES: readonly FixableRow[] = [
  [
    "HASP300",
    caseFile(`  - name: late: too late\n    ${ok}\n    expect: { fires: true }\n`),
    "1:10 l",
    "Put the text in quotes",
  ],
  [
    "HASP300",
    caseFile(`  - name: la\0te\n    ${ok}\n    expect: { fires: true }\n`),
    "1:12 \u0000",
    "Delete the NUL characters",
  ],
  [
    "HASP301",
    `- name: late\n  ${ok}\n  expect: { fires: true }\n`,
    "0:0 - name: late",
    "Put cases: above the list",
  ],
  [
    "HASP301",
    `name: late\n${ok}\nexpect: { fires: true }\n`,
    "0:0 name: late",
    "Put the case into a list cases",
  ],
  ["HASP301", "\n", "0:0", "Add an example"],
  ["HASP301", caseFile(`  - ${ok}\n    expect: { fires: true }\n`), "1:4 proposed: { type: FI", "Add a name"],
  ["HASP301", caseFile(`  - name: late\n    expect: { fires: true }\n`), "1:4", "Add a proposed action"],
  ["HASP301", caseFile(`  - name: late\n    ${ok}\n`), "1:4", "Add expect: { fires: true }"],
  [
    "HASP301",
    caseFile(`  - name: late\n    ${ok}\n    expect: { type: NOOP }\n`),
    "3:12 { type: NOOP }",
    "Add fires: true",
  ],
  [
    "HASP301",
    caseFile(`  - name: late\n    proposed: { arg: x }\n    expect: { fires: true }\n`),
    "2:14 { arg: x }",
    "Add type: SEARCH",
  ],
  [
    "HASP302",
    caseFile(`  - name: late\n    proposed: { type: FINAL, arg: 42 }\n    expect: { fires: true }\n`),
    "2:34 42",
    'Write arg: "42"',
  ],
  [
    "HASP302",
    caseFile(`  - name: late\n    context: { searchCount: -2 }\n    ${ok}\n    expect: { fires: true }\n`),
    "2:28 -2",
    "Write searchCount: 0",
  ],
  [
    "HASP302",
    caseFile(`  - name: late\n    memory: [1]\n    ${ok}\n    expect: { fires: true }\n`),
    "2:12 [1]",
    "Delete memory",
  ],
  [
    "HASP303",
    caseFile(`  - name: late\n    contxt: {}\n    ${ok}\n    expect: { fires: true }\n`),
    "2:4 contxt",
    "Write context",
  ],
  [
    "HASP304",
    caseFile(`  - name: late\n    proposed: { type: Final, arg: x }\n    expect: { fires: true }\n`),
    "2:22 Final",
    "Write FINAL",
  ],
  [
    "HASP304",
    caseFile(`  - name: late\n    ${ok}\n    expect: { fires: true, type: MODIFY }\n`),
    "3:33 MODIFY",
    "Delete type",
  ],
  [
    "HASP305",
    caseFile(
      `  - { name: late, ${ok}, expect: { fires: true } }\n  - { name: late, ${ok}, expect: { fires: true } }\n`,
    ),
    "2:12 late",
    "Name it late (2)",
  ],
  [
    "HASP306",
    caseFile(`  - name: late\n    ${ok}\n    expect:\n      fires: false\n      type: NOOP\n`),
    "5:6 type",
    "Delete type",
  ],
  ["HASP307", "cases: []\n", "0:7 []", "Add an example"],
];
