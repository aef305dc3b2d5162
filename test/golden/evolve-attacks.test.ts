import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import { ROOT } from "../support/core.ts";
import { EVO, filesBelow, GENERATED, openEvolveScene, type EvolveScene } from "../support/evolve-scene.ts";
import { THOROUGH } from "../support/thorough.ts";
import { filesOf, play, proposalReply, roleOf, UNREAD } from "../support/evolve-world.ts";
import type { LoopbackCall } from "../support/loopback-model.ts";
import { paperSkill } from "../support/shipped.ts";

/** Authors that attack: what they write is refused for its own reason, and nothing comes to be beyond the folders of the evolution. */

const PATIENCE = 240_000;
let world: EvolveScene;
/** The reply of the author to the n-th candidate, from 0. */
let replies: readonly string[] = [];
let unanswered: string[] = [];

/** In place of a reply: all that was asked. */
const ECHO = "(echo)";

/** Equal tasks get equal replies; repairs are tries of the same candidate. */
function authorSays({ request }: LoopbackCall): string {
  const task = request.messages[1]?.content ?? "";
  if (!unanswered.includes(task)) unanswered.push(task);
  const reply = replies[unanswered.indexOf(task)] ?? "I do not know.";
  return reply === ECHO ? request.messages.map(({ content }) => content).join("\n\n") : reply;
}

beforeAll(async () => {
  world = await openEvolveScene(24, (call) =>
    roleOf(call.request) === "author" ? { kind: "text", text: authorSays(call) } : play(call),
  );
});
/** Without the replies that are kept, too. */
function startAnew(): void {
  for (const folder of [EVO, "skills", ".hasp"]) rmSync(world.at(folder), { recursive: true, force: true });
  unanswered = [];
}
beforeEach(startAnew);
afterAll(() => world.end());

const order = (...more: string[]): string[] =>
  world.order("--epochs", "1", "--gate", "exec-only", "--worth", "off", "--min-cluster", "1", ...more);

/** Everything below the scene but the evolution, its library, the replies that are kept, and that this user began it. */
const surroundings = (): string[] =>
  [world.base, path.dirname(world.base)].flatMap((folder, i) =>
    i === 1
      ? readdirSync(folder).filter((name) => /^(?:x|pwned|evil)/.test(name))
      : filesBelow(folder).filter(
          (name) =>
            !/^(?:clone\/(?:evo|skills\/web-search\/generated|\.hasp)\/|state\/hasp\/own\/[0-9a-f]{64}$)/.test(
              name,
            ),
        ),
  );

interface Outcome {
  readonly candidates: readonly EvolvedCandidate[];
  readonly admitted: readonly string[];
}

/** One epoch whose author gives these replies; the surroundings stay as they are. */
async function evolved(given: readonly string[], ...more: string[]): Promise<Outcome> {
  replies = given;
  const before = surroundings();
  const { code, err } = await world.hasp(...order("--candidates", String(given.length), ...more));
  expect([code, err]).toEqual([0, ""]);
  expect(surroundings()).toEqual(before);
  const candidates = world.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl");
  return { candidates, admitted: filesBelow(world.at(GENERATED)).filter((name) => name.endsWith("/pf.ts")) };
}

const DESCRIPTION = /^description: .*$/m;
/** `UNREAD` with this id and name, and with the aim of a SKILL.md where one is given. */
const named = (id: string, name = id, aim = filesOf(UNREAD)["SKILL.md"]): string => {
  const [description = ""] = DESCRIPTION.exec(aim) ?? [];
  const files = filesOf(UNREAD);
  const skillMd = files["SKILL.md"]
    .replace(DESCRIPTION, description)
    .replace("name: unread-answer", `name: ${name}`)
    .replace("skill_id: unread_answer", `skill_id: ${id}`);
  return proposalReply(UNREAD, { "SKILL.md": skillMd });
};
const withCode = (top: string): string =>
  proposalReply(UNREAD, { "pf.ts": `${top}\n${filesOf(UNREAD)["pf.ts"]}` });

describe("code for the host", () => {
  const ATTACKS: Readonly<Record<string, string>> = {
    "an import of node": 'import { writeFileSync } from "node:fs";\nwriteFileSync("pwned", "");',
    "the constructor of functions": '(async () => {}).constructor("return process")().exit(0);',
  };
  const MORE_ATTACKS: Readonly<Record<string, string>> = {
    "a dynamic import": 'void import("node:child_process");',
    require: 'declare const require: any;\nrequire("fs").writeFileSync("pwned", "");',
    "the global object": "(globalThis as any).process?.exit(0);",
    "a function from a text": 'new Function("return process")().exit(0);',
  };
  const codes = Object.values({ ...ATTACKS, ...(THOROUGH ? MORE_ATTACKS : {}) });

  it(
    "is refused, however it is hidden",
    async () => {
      const { candidates, admitted } = await evolved(codes.map(withCode));
      expect(admitted).toEqual([]);
      expect(candidates.map(({ decision }) => decision.admitted)).toEqual(codes.map(() => false));
      for (const { checks } of candidates) expect(JSON.stringify(checks)).toMatch(/"HASP2\d\d"/);
    },
    PATIENCE,
  );
});

/** The name of a candidate, and the reason of the decision on it. */
type Named = readonly [id: string, reason: unknown];
const isNone = (id: string): Named => [id, expect.stringContaining(`"${id}" is not snake_case`)];
const NAMES: readonly Named[] = [
  // A plain name: nothing looks ids up in an object of JavaScript.
  ["constructor", "Admitted: all executable checks pass."],
  isNone("../../x"),
  isNone("__proto__"),
  ["a__v7", expect.stringContaining("its code is nearly that of constructor")],
];
const MORE_NAMES: readonly Named[] = [
  ["a".repeat(300), expect.stringMatching(/"a+" is not snake_case/)],
  ["ключ", expect.stringContaining('"ключ" is not kebab-case')],
  isNone("x/../../evil"),
  isNone("CON"),
];

describe("names", () => {
  it(
    "that lead elsewhere or are JavaScript's own come to nothing or to a plain name",
    async () => {
      const { candidates, admitted } = await evolved(NAMES.map(([id]) => named(id)));
      expect(candidates.map(({ decision }) => decision.reason)).toEqual(NAMES.map(([, reason]) => reason));
      expect(admitted).toEqual(["constructor__v1/constructor/pf.ts"]);
      for (const file of filesBelow(world.at(EVO, "epoch_1/proposals")))
        expect(file).toMatch(
          /^e1-c\d+(?:\.json|\/web-search\/[a-z][a-z0-9-]*\/(?:SKILL\.md|pf\.ts|cases\.yaml))$/,
        );
    },
    PATIENCE,
  );

  it.runIf(THOROUGH)(
    "that are more of these come to nothing",
    async () => {
      const { candidates, admitted } = await evolved(MORE_NAMES.map(([id]) => named(id)));
      expect(candidates.map(({ decision }) => decision.reason)).toEqual(
        MORE_NAMES.map(([, reason]) => reason),
      );
      expect(admitted).toEqual([]);
    },
    PATIENCE,
  );

  it.each([
    { aim: "the same aim makes a later version", isSame: true, id: "insufficient_exploration" },
    { aim: "another aim gets a free id", isSame: false, id: "insufficient_exploration_2" },
  ])(
    "that a shipped skill has: a proposal of $aim, and the shipped one stays as it is",
    async ({ isSame, id }) => {
      const shipped = "skills/web-search/insufficient-exploration";
      cpSync(path.join(ROOT, paperSkill("insufficient-exploration")), world.at(shipped), { recursive: true });
      const before = readFileSync(world.at(shipped, "SKILL.md"), "utf8");
      replies = [named("insufficient_exploration", "insufficient-exploration", isSame ? before : undefined)];
      const args = order("--candidates", "1").filter((one) => one !== "--no-skills");
      const { code, err } = await world.hasp(...args, "--skills", shipped);
      expect([code, err]).toEqual([0, ""]);
      const [candidate] = world.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl");
      expect([candidate?.skillId, candidate?.decision.admitted]).toEqual([id, true]);
      const shippedVersion = Number(/^ +version: (\d+)/m.exec(before)?.[1]);
      expect(candidate?.version).toBe(isSame ? shippedVersion + 1 : 1);
      expect(readFileSync(world.at(shipped, "SKILL.md"), "utf8")).toBe(before);
    },
    PATIENCE,
  );
});

describe("replies", () => {
  it(
    "that are huge, many, an echo or nothing are refused, and the evolution comes to its end",
    async () => {
      const files = filesOf(UNREAD);
      const big = proposalReply(UNREAD, { "SKILL.md": files["SKILL.md"] + "word ".repeat(210_000) });
      const many = Array.from(
        { length: 100 },
        (_, i) => `### ../../evil${i}.ts\n\n\`\`\`ts\nexport const x = ${i};\n\`\`\`\n`,
      ).join("\n");
      const { candidates, admitted } = await evolved([big, many, ECHO, ""]);
      expect(candidates.map(({ decision }) => decision.admitted)).toEqual([false, false, false, false]);
      expect(candidates.map(({ decision }) => decision.reason)).toEqual([
        // The client takes no more of a reply than its longest allowed length.
        expect.stringContaining(
          "HASP645: The reply has no pf.ts. It was cut off at its longest allowed length.",
        ),
        expect.stringContaining("HASP645: The reply has no SKILL.md."),
        expect.stringContaining("HASP858: The reply only looks like one: "),
        expect.stringContaining("HASP645: The reply has no SKILL.md."),
      ]);
      expect(admitted).toEqual([]);
    },
    PATIENCE,
  );
});

describe("folders that are links", () => {
  it.each([
    ["the evolution", EVO],
    ["the folder of generated skills", GENERATED],
    ["an epoch", `${EVO}/epoch_1`],
  ])(
    "%s out of the workspace: nothing is written there",
    async (_name, link) => {
      const outside = path.join(world.base, "outside");
      rmSync(outside, { recursive: true, force: true });
      mkdirSync(outside);
      mkdirSync(path.dirname(world.at(link)), { recursive: true });
      replies = [proposalReply(UNREAD)];
      if (link.endsWith("epoch_1")) {
        // One that a person began: it holds its order.
        await world.hasp(...order("--candidates", "1"));
        rmSync(world.at(link), { recursive: true });
        rmSync(world.at("skills"), { recursive: true });
      }
      symlinkSync(outside, world.at(link));
      const { code, err } = await world.hasp(...order("--candidates", "1"));
      expect(code).toBe(2);
      expect(err).toContain("is a link and leads to");
      expect(filesBelow(outside)).toEqual([]);
      rmSync(world.at(link), { recursive: true, force: true });
      expect(existsSync(outside)).toBe(true);
      rmSync(outside, { recursive: true });
    },
    PATIENCE,
  );
});

/** The form that authors are asked for is read in full. */
it("a proposal of this world is read as it is written", () => {
  expect(proposalReply(UNREAD)).toContain(renderProposal(filesOf(UNREAD)));
});
