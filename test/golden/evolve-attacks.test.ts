import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import { ROOT } from "../support/core.ts";
import { EVO, filesBelow, GENERATED, openEvolveScene, type EvolveScene } from "../support/evolve-scene.ts";
import { filesOf, play, proposalReply, roleOf, UNREAD } from "../support/evolve-world.ts";
import type { LoopbackCall } from "../support/loopback-model.ts";

/** Authors that attack: what they write is refused for its own reason, and nothing comes to be beyond the folders of the evolution. */

const PATIENCE = 240_000;
let world: EvolveScene;
/** The reply of the author to the n-th candidate, from 0. */
let replies: readonly string[] = [];
let unanswered: string[] = [];

/** Equal tasks get equal replies; repairs are tries of the same candidate. */
function authorSays({ request }: LoopbackCall): string {
  const task = request.messages[1]?.content ?? "";
  if (!unanswered.includes(task)) unanswered.push(task);
  return replies[unanswered.indexOf(task)] ?? "I do not know.";
}

beforeAll(async () => {
  world = await openEvolveScene(24, (call) =>
    roleOf(call.request) === "author" ? { kind: "text", text: authorSays(call) } : play(call),
  );
});
beforeEach(() => {
  for (const folder of [EVO, "skills", "elsewhere"])
    rmSync(world.at(folder), { recursive: true, force: true });
  unanswered = [];
});
afterAll(() => world.end());

const order = (...more: string[]): string[] =>
  world.order("--epochs", "1", "--gate", "exec-only", "--worth", "off", "--min-cluster", "1", ...more);

/** Everything below the scene but the evolution, its library and the replies that are kept. */
const surroundings = (): string[] =>
  [world.base, path.dirname(world.base)].flatMap((folder, i) =>
    i === 1
      ? readdirSync(folder).filter((name) => /^(?:x|pwned|evil)/.test(name))
      : filesBelow(folder).filter(
          (name) => !/^clone\/(?:evo|skills\/web-search\/generated|\.hasp)\//.test(name),
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

const named = (id: string, name = id): string => {
  const files = filesOf(UNREAD);
  const skillMd = files["SKILL.md"]
    .replace("name: unread-answer", `name: ${name}`)
    .replace("skill_id: unread_answer", `skill_id: ${id}`);
  return proposalReply(UNREAD, { "SKILL.md": skillMd });
};
const withCode = (top: string, inside = ""): string => {
  const pf = filesOf(UNREAD)["pf.ts"];
  const body = pf.replace("const isLastStep", `${inside}\n    const isLastStep`);
  return proposalReply(UNREAD, { "pf.ts": `${top}\n${body}` });
};

describe("code for the host", () => {
  it.each([
    ["an import of node", 'import { writeFileSync } from "node:fs";\nwriteFileSync("pwned", "");', "HASP251"],
    ["a dynamic import", 'void import("node:child_process");', "HASP25"],
    ["require", 'declare const require: any;\nrequire("fs").writeFileSync("pwned", "");', "HASP2"],
    ["the global object", "(globalThis as any).process?.exit(0);", "HASP2"],
    ["a function from a text", 'new Function("return process")().exit(0);', "HASP2"],
    ["the constructor of functions", '(async () => {}).constructor("return process")().exit(0);', "HASP2"],
  ])(
    "%s is refused",
    async (_name, top, code) => {
      const { candidates, admitted } = await evolved([withCode(top)]);
      expect(admitted).toEqual([]);
      expect(candidates.map(({ decision }) => decision.admitted)).toEqual([false]);
      expect(JSON.stringify(candidates[0]?.checks)).toContain(code);
    },
    PATIENCE,
  );
});

describe("names", () => {
  it(
    "that lead elsewhere, that are long, foreign or JavaScript's own come to nothing or to a plain name",
    async () => {
      const ids = [
        "../../x",
        "a".repeat(300),
        "ключ",
        "__proto__",
        "constructor",
        "x/../../evil",
        "CON",
        "a__v7",
      ];
      const { candidates, admitted } = await evolved(ids.slice(0, 4).map((id) => named(id)));
      const second = await (async () => {
        rmSync(world.at(EVO), { recursive: true });
        rmSync(world.at("skills"), { recursive: true, force: true });
        unanswered = [];
        return evolved(ids.slice(4).map((id) => named(id)));
      })();
      const all = [...candidates, ...second.candidates];
      for (const { skillId, name, decision } of all)
        if (decision.admitted) {
          expect(skillId).toMatch(/^[a-z][a-z0-9_]*$/);
          expect(name).toMatch(/^[a-z][a-z0-9-]{0,63}$/);
        }
      for (const file of [...admitted, ...second.admitted])
        expect(file).toMatch(/^[a-z][a-z0-9_]*__v\d+\/[a-z][a-z0-9-]*\/pf\.ts$/);
      for (const file of filesBelow(world.at(EVO, "epoch_1/proposals")))
        expect(file).toMatch(
          /^e1-c\d+(?:\.json|\/web-search\/[a-z][a-z0-9-]*\/(?:SKILL\.md|pf\.ts|cases\.yaml))$/,
        );
    },
    PATIENCE,
  );

  it(
    "that a shipped skill has make a later version, and leave the shipped one as it is",
    async () => {
      const shipped = "skills/web-search/insufficient-exploration";
      cpSync(path.join(ROOT, shipped), world.at(shipped), { recursive: true });
      const before = readFileSync(world.at(shipped, "SKILL.md"), "utf8");
      replies = [named("insufficient_exploration", "insufficient-exploration")];
      const args = order("--candidates", "1").filter((one) => one !== "--no-skills");
      const { code, err } = await world.hasp(
        ...args,
        "--skills",
        "skills/web-search/insufficient-exploration",
      );
      expect([code, err]).toEqual([0, ""]);
      const [candidate] = world.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl");
      expect(candidate?.decision.admitted).toBe(true);
      expect(candidate?.version).toBeGreaterThan(Number(/^ +version: (\d+)/m.exec(before)?.[1]));
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
      const echo = "You write skills for LLM agents. ".repeat(400);
      const { candidates, admitted } = await evolved([big, many, echo, ""]);
      expect(candidates.map(({ decision }) => decision.admitted)).toEqual([false, false, false, false]);
      expect(candidates.map(({ decision }) => decision.reason)).toEqual([
        expect.stringMatching(/HASP\d+/),
        expect.stringMatching(/SKILL\.md|loaded/),
        expect.stringMatching(/SKILL\.md|loaded/),
        expect.stringMatching(/SKILL\.md|loaded/),
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
