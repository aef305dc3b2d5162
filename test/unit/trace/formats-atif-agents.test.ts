import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { exportAtif } from "../../../src/trace/export-atif.ts";
import { ATIF, importContent, importValue, lines, step } from "./formats-support.ts";
import { episode as madeEpisode, step as madeStep } from "./support.ts";

const said = (step_id: number, source: string, message: unknown, more: object = {}): object => ({
  step_id,
  source,
  message,
  ...more,
});
const trajectory = (trajectory_id: string, steps: readonly object[], more: object = {}): object => ({
  schema_version: "ATIF-v1.8",
  session_id: "run",
  trajectory_id,
  agent: { name: "a", version: "1" },
  steps,
  ...more,
});
const call = (tool_call_id: string, function_name: string): object => ({
  tool_call_id,
  function_name,
  arguments: {},
});
const ref = (source_call_id: string, trajectory_id: string): object => ({
  source_call_id,
  content: "done",
  subagent_trajectory_ref: [{ trajectory_id }],
});

describe("trajectories of sub-agents", () => {
  const inner = trajectory("inner", [said(1, "user", "Deeper."), said(2, "agent", "Deep.")]);
  const helper = trajectory(
    "helper",
    [
      said(1, "user", "Count."),
      said(2, "agent", "", {
        tool_calls: [call("x", "delegate")],
        observation: { results: [ref("x", "inner")] },
      }),
      said(3, "agent", "Three."),
    ],
    { subagent_trajectories: [inner] },
  );
  const document = trajectory(
    "main",
    [
      said(1, "user", [
        { type: "text", text: "Delegate." },
        { type: "audio", source: { media_type: "audio/wav", path: "a.wav" } },
      ]),
      said(2, "agent", "", {
        tool_calls: [call("1", "ls"), call("2", "delegate")],
        observation: { results: [ref("2", "helper"), { source_call_id: "1", content: "a" }] },
      }),
      said(3, "agent", "It is three."),
    ],
    { subagent_trajectories: [helper, trajectory("silent", [said(1, "user", "Anybody?")])] },
  );

  test("are episodes with a link to the step that called them, at any depth, and are exported as they were", async () => {
    const { episodes, diagnostics, value } = await importContent(JSON.stringify(document));
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ id, question, origin }) => [id, question, origin])).toEqual([
      ["main", "Delegate.\n[audio]", undefined],
      ["main~helper", "Count.", { as: "sub_agent", episode: "main", t: 1 }],
      ["main~helper~inner", "Deeper.", { as: "sub_agent", episode: "main~helper", t: 0 }],
    ]);
    expect(step(episodes[0], 1)).toMatchObject({ extra: { subAgents: ["main~helper"] } });
    expect(value?.files[0]).toMatchObject({ subAgents: 2 });
    expect(value?.files[0]?.kept.some(({ what }) => what.includes("without a step"))).toBe(true);
    const [main, second] = episodes.map((one) => exportAtif(one, "1").document);
    expect([main, second]).toEqual([document, helper]);
  });

  test("in other files are named", async () => {
    const elsewhere = { source_call_id: "2", subagent_trajectory_ref: [{ trajectory_path: "sub.json" }] };
    const { value } = await importContent(
      JSON.stringify(
        trajectory("m", [
          said(1, "user", "Go."),
          said(2, "agent", "", {
            tool_calls: [call("2", "delegate")],
            observation: { results: [elsewhere] },
          }),
        ]),
      ),
    );
    expect(value?.files[0]?.kept.find(({ what }) => what.includes("in other files"))?.times).toBe(1);
  });
});

test("replies are a transcript's; what was copied or dispatched is no reply of a model", async () => {
  const made = await importValue(
    trajectory("t", [
      said(1, "user", "Go."),
      said(2, "agent", "Copied.", { is_copied_context: true }),
      said(3, "agent", "", { llm_call_count: 0, tool_calls: [call("1", "ls")] }),
      said(4, "agent", "Mine."),
    ]),
  );
  expect(made.steps.map(({ proposals }) => proposals[0]?.completion?.text)).toEqual([
    undefined,
    undefined,
    "Mine.",
  ]);
  expect(made.steps[2]?.proposals[0]).toMatchObject({ fromTranscript: true });
  expect(made.steps[0]?.proposals[0]).not.toHaveProperty("messages");
});

test("every version up to 1.8 is read in silence; a newer one, and keys of its own, are named", async () => {
  const of = (version: string, more: object = {}): object => ({ ...ATIF, schema_version: version, ...more });
  for (const minor of [0, 3, 6, 8]) await importValue(of(`ATIF-v1.${minor}`));
  const { episodes, diagnostics, value } = await importContent(
    lines(of("ATIF-v1.9", { shiny: 1, trajectory_id: "a" }), of("ATIF-vNext", { trajectory_id: "b" })),
    "x.jsonl",
  );
  expect(episodes.map(({ id }) => id)).toEqual(["a", "a~sub-1", "b", "b~sub-1"]);
  const named = diagnostics.filter(({ code }) => code === "HASP530").map(({ message }) => message);
  expect(named).toEqual([expect.stringContaining("ATIF-v1.9"), expect.stringContaining("ATIF-vNext")]);
  expect(value?.files[0]?.kept.find(({ what }) => what === "shiny")?.to).toContain("does not know");
});

test("a branch, a sub-agent and a transcript's prompt come back from an export as they were", async () => {
  const reply = { completion: { text: "x", finish: "stop" as const }, fromTranscript: true as const };
  const one = madeStep(0, "SEARCH", "who", "somebody");
  const made: Episode[] = [
    madeEpisode("s~branch-1", {
      outcome: "abandoned",
      origin: { as: "branch", episode: "s", t: 2 },
      steps: [{ ...one, proposals: one.proposals.map((proposal) => ({ ...proposal, ...reply })) }],
    }),
    madeEpisode("s~a", { origin: { as: "sub_agent", episode: "s" } }),
  ].map(({ answer: _, ...rest }) => ({ ...rest, length: rest.steps.length }));
  for (const episode of made) {
    const { document } = exportAtif(episode, "1");
    expect(document).toMatchObject({ session_id: "s", trajectory_id: episode.id });
    const { episodes, diagnostics } = await importContent(JSON.stringify(document));
    expect(diagnostics).toEqual([]);
    expect(episodes).toEqual([episode]);
  }
});

test("references to nothing, twice and of other types cost nothing", async () => {
  const odd = trajectory(
    "t",
    [
      said(1, "user", "Go."),
      said(2, "agent", "Hm.", {
        tool_calls: [7, call("1", "ls")],
        observation: {
          results: [{ subagent_trajectory_ref: [{ trajectory_id: 5 }, "x"] }, ref("9", "nobody")],
        },
      }),
    ],
    {
      subagent_trajectories: [3, { steps: "x" }, { steps: [said(1, "agent", "Hi.")], trajectory_id: ["a"] }],
    },
  );
  const { episodes } = await importContent(JSON.stringify(odd));
  expect(episodes).toHaveLength(2);
  expect(episodes[1]).toMatchObject({ origin: { as: "sub_agent", episode: "t" } });
  expect(exportAtif(episodes[0] as Episode, "1").document).toEqual(odd);
});
