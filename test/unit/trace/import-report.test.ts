import { expect, test } from "vitest";
import type { ImportReport } from "../../../src/model/import-report.ts";
import type { LedgerEntry } from "../../../src/trace/formats/ledger.ts";
import { episodeTooLarge } from "../../../src/trace/import-findings.ts";
import { type ImportAccount, openAccount } from "../../../src/trace/import-report.ts";
import { lineDiagnostic } from "../../../src/trace/line-diagnostics.ts";
import { episode, step } from "./support.ts";

const HEAD = { createdAt: "2026-01-01T00:00:00.000Z", order: { sources: ["."] } };
const NONE = { mapped: [], kept: [], dropped: [], unknown: [] };
const report = (account: ImportAccount): ImportReport => account.report(HEAD, []);

test("turns are counted by their prompt, calls of one turn once", () => {
  const account = openAccount();
  const file = account.file({ file: "a.jsonl", format: "claude-code" }, true);
  const told = (t: number, more: object, extra?: Record<string, unknown>) => {
    const one = step(t, "Bash", "ls");
    const proposals = one.proposals.map((proposal) => ({ ...proposal, ...more }));
    return { ...one, proposals, ...(extra !== undefined && { extra }) };
  };
  const steps = [
    told(0, { messages: "m1" }, { turn: 4 }),
    told(1, {}, { turn: 4 }),
    told(2, {}, { turn: 4 }),
    told(3, { messages: "m2", fromTranscript: true }),
    told(4, {}),
    { ...told(5, {}), executed: { type: "invalid", arg: "" } },
  ];
  file.count(episode("s1", { steps }));
  file.count(
    episode("s1~branch-1", {
      outcome: "abandoned",
      origin: { as: "branch", episode: "s1", t: 1 },
      question: " ",
    }),
  );
  file.count(episode("s1~agent", { origin: { as: "sub_agent", episode: "s1" }, steps: [] }));
  file.close(NONE);
  expect(report(account)).toMatchObject({
    episodes: 3,
    steps: 8,
    invalidSteps: 1,
    abandoned: 1,
    abandonedSteps: 2,
    subAgents: 1,
    withoutStep: 1,
    withoutQuestion: 1,
    exactPrompts: 1,
    transcriptPrompts: 1,
    withoutPrompt: 4,
    outcomes: { correct: 2, abandoned: 1 },
    formats: [{ format: "claude-code", files: 1, episodes: 3, exactPrompts: 1 }],
    files: [{ file: "a.jsonl", firstEpisode: "s1", problems: 1 }],
    branches: [{ episode: "s1~branch-1", steps: 2, origin: { as: "branch", episode: "s1", t: 1 } }],
  });
  expect(report(account).findings.map(({ code, severity }) => [code, severity])).toEqual([
    ["HASP523", "warning"],
    ["HASP524", "information"],
  ]);
});

test("kinds are counted over all files; past a limit the lists of single files are empty", () => {
  const account = openAccount();
  const entries: LedgerEntry[] = Array.from({ length: 100 }, (_, i) => ({
    what: `k${i}`,
    to: "extra",
    times: 2,
  }));
  const unknown: LedgerEntry[] = [{ what: "holo", to: "not read", times: 3 }];
  for (let i = 0; i < 4_000; i++) {
    const file = account.file({ file: `${i}.jsonl`, format: "codex" }, false);
    file.count(episode(`e${i}`));
    file.close({ ...NONE, mapped: entries, unknown });
  }
  const { files, unknown: all, episodes, findings } = report(account);
  expect([files.length, episodes, files[0]?.mapped.length, files.at(-1)?.mapped.length]).toEqual([
    4_000, 4_000, 100, 0,
  ]);
  expect(all).toEqual([{ what: "holo", to: "not read", times: 12_000, files: 4_000, first: "0.jsonl" }]);
  expect(findings).toMatchObject([{ code: "HASP522", severity: "warning", times: 4_000, files: 4_000 }]);
});

test("findings past a limit are counted and not kept; the worst come first", () => {
  const account = openAccount();
  const next = "Repair it.";
  for (let i = 0; i < 30; i++) {
    const file = account.file({ file: `${i}.jsonl`, format: "codex" }, false);
    file.count(episode(`e${i}`));
    for (let line = 0; line < 900; line++)
      file.log.add(() =>
        lineDiagnostic({ code: "HASP530", file: `${i}.jsonl`, line, message: "no JSON.", next }),
      );
    file.close(NONE);
  }
  account.found({
    ...lineDiagnostic({ code: "HASP531", file: "a", line: 0, message: "x", next }),
    severity: "warning",
  });
  expect(account.diagnostics()).toHaveLength(10_000);
  expect(
    report(account).findings.map(({ code, times, files, places }) => [code, times, files, places.length]),
  ).toEqual([
    ["HASP530", 27_000, 30, 5],
    ["HASP531", 1, 1, 1],
  ]);
});

test("of a file whose one episode was too large, that alone is said", () => {
  const account = openAccount();
  const file = account.file({ file: "a.jsonl", format: "claude-code" }, true);
  file.log.add(() => episodeTooLarge("a.jsonl", "s1", "it is over 64 MiB", false));
  file.close({ ...NONE, mapped: [{ what: "assistant messages", to: "steps", times: 2 }] });
  expect(report(account).findings.map(({ code }) => code)).toEqual(["HASP538"]);
});
