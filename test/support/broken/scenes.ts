import {
  BROKEN_BY_HAND,
  BROKEN_FOR_CASES,
  BROKEN_WHEN_RUN,
  type ByHandRow,
  CASE_THAT_FAILS,
  GOOD_PF,
} from "./by-hand.ts";
import { BROKEN_CASES } from "./cases.ts";
import { type FixableRow, pf, SHOULD, INTERVENE, skill } from "./parts.ts";
import { BROKEN_PF } from "./pf.ts";
import { BROKEN_SKILL_MD } from "./skill-md.ts";

/** Files of a library by their path in it; undefined is one that is to be deleted, a folder with all that is in it. */
export type Files = Readonly<Record<string, string | undefined>>;

/** A library of its own in which one rule is broken, and the way out of it. */
export interface BrokenScene {
  readonly code: `HASP${number}`;
  readonly files: Files;
  /** The file that is marked. */
  readonly file: string;
  /** Where, `line:character` from 0, and the first 20 characters of what is marked there. */
  readonly at: string;
  /** The title of the fix, or what a person writes where there is none. */
  readonly way: { readonly fix: string } | { readonly fixed: Files };
}

const SKILL = "late-read";
const inSkill = (name: string, text: string): Files => ({
  [`${SKILL}/SKILL.md`]: skill(""),
  [`${SKILL}/${name}`]: text,
});

const WITH_PF = { [`${SKILL}/pf.ts`]: GOOD_PF };
/** A SKILL.md without a key of ours is another product's, unless a PF stands beside it. */
const besides = (text: string): Files => (text.includes("metadata:") ? {} : WITH_PF);

const fixable =
  (name: string) =>
  ([code, text, at, fix]: FixableRow): BrokenScene => ({
    code,
    files: { ...(name === "SKILL.md" ? besides(text) : {}), ...inSkill(name, text) },
    file: `${SKILL}/${name}`,
    at,
    way: { fix },
  });

const byHand =
  (beside: Files) =>
  ([code, name, text, at, fixed]: ByHandRow): BrokenScene => ({
    code,
    files: { ...beside, ...inSkill(name, text) },
    file: `${SKILL}/${name}`,
    at,
    way: { fixed: { [`${SKILL}/${name}`]: fixed } },
  });

/** Each has all that it takes in one file of one skill, and its first fix fixes it. */
export const FIXABLE: readonly BrokenScene[] = [
  ...BROKEN_SKILL_MD.map(fixable("SKILL.md")),
  ...BROKEN_PF.map(fixable("pf.ts")),
  ...BROKEN_CASES.map(fixable("cases.yaml")),
];

/** Each has all that it takes in one file of one skill, and no fix. */
export const BY_HAND: readonly BrokenScene[] = BROKEN_BY_HAND.map(byHand({}));

/** What reading the files does not show: the PF has to run. */
const WHEN_RUN: readonly BrokenScene[] = [
  ...BROKEN_WHEN_RUN.map(byHand({})),
  ...BROKEN_FOR_CASES.map(byHand(WITH_PF)),
  {
    code: "HASP310",
    files: { ...WITH_PF, ...inSkill("cases.yaml", CASE_THAT_FAILS) },
    file: `${SKILL}/cases.yaml`,
    at: "4:21 false",
    way: { fix: "Expect what the PF does now" },
  },
];

const PROMPT_LIKE = pf(
  SHOULD.replace("!ctx.hasRead", '!ctx.hasRead && "FINAL" !== "SEARCH".slice(1)') + INTERVENE,
);

const ON_FINAL = pf(
  SHOULD.replace("ctx: StepContext", "_ctx: StepContext, type: ActionType").replace(
    "!ctx.hasRead",
    'type === "FINAL"',
  ) + INTERVENE.replace('"Read first."', '"Read first.".trim()'),
);

const one = (name: string, hasp: string): string => skill(hasp && `    ${hasp}\n`).replace("late-read", name);
/** Two skills by their names, each with a key of ours. No other scene has these names: an editor knows the skills of all. */
const two = (skills: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(skills).map(([name, key]) => [`${name}/SKILL.md`, one(name, key)]));

/** What takes more than one file or skill. */
const TOGETHER: readonly BrokenScene[] = [
  {
    code: "HASP122",
    files: { [`${SKILL}/SKILL.md`]: skill("    handler: code\n"), ...WITH_PF },
    file: `${SKILL}/SKILL.md`,
    at: "6:13 code",
    way: { fix: "Delete handler" },
  },
  {
    code: "HASP123",
    files: {
      [`${SKILL}/SKILL.md`]: skill("    applicable_phases: [search]\n    applicable_modes: [web-search]\n"),
      [`${SKILL}/pf.ts`]: ON_FINAL,
    },
    file: `${SKILL}/SKILL.md`,
    at: "6:23 [search]",
    way: { fix: "Write applicable_phases: [answer]" },
  },
  {
    code: "HASP217",
    files: inSkill("pf.ts", PROMPT_LIKE),
    file: `${SKILL}/pf.ts`,
    at: "0:0",
    way: { fix: "Say it as the phase instruction pre_final, and delete the PF" },
  },
  {
    code: "HASP401",
    files: two({ first: "skill_id: same", second: "skill_id: same" }),
    file: "second/SKILL.md",
    at: "6:14 same",
    way: { fix: "Write skill_id: second" },
  },
  {
    code: "HASP402",
    files: inSkill("cases.yaml", `# ${"Data. ".repeat(1_700_000)}\n`),
    file: `${SKILL}/cases.yaml`,
    at: "0:0",
    way: { fixed: { [`${SKILL}/cases.yaml`]: undefined } },
  },
  {
    code: "HASP404",
    files: inSkill("cases.yaml/first.yaml", "A folder where a file belongs.\n"),
    file: `${SKILL}/cases.yaml`,
    at: "0:0",
    way: { fixed: { [`${SKILL}/cases.yaml`]: undefined } },
  },
  {
    code: "HASP405",
    files: two({ older: "skill_id: twice", newer: "skill_id: twice\n    version: 2" }),
    file: "older/SKILL.md",
    at: "6:14 twice",
    way: { fixed: { "older/SKILL.md": one("older", "skill_id: twice\n    version: 3") } },
  },
  {
    code: "HASP406",
    files: two({ replaced: "skill_id: replaced", follower: "supersedes: [replaced]" }),
    file: "replaced/SKILL.md",
    at: "6:14 replaced",
    way: { fixed: { "replaced/SKILL.md": one("replaced", "skill_id: kept") } },
  },
  {
    code: "HASP407",
    files: two({ left: "supersedes: [right]", right: "supersedes: [left]" }),
    file: "left/SKILL.md",
    at: "6:17 right",
    way: { fix: 'Take "right" out of supersedes' },
  },
  {
    code: "HASP408",
    files: two({ after: "supersedes: [predecesor]", predecessor: "" }),
    file: "after/SKILL.md",
    at: "6:17 predecesor",
    way: { fix: 'Write "predecessor"' },
  },
];

/** Every rule that an editor can show, broken in each of the forms that has a fix of its own. */
export const SCENES: readonly BrokenScene[] = [...FIXABLE, ...BY_HAND, ...WHEN_RUN, ...TOGETHER];
