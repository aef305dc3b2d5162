import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { shownSignals } from "../../../src/analysis/signals/shown-signals.ts";
import { episodeSchema, type Episode } from "../../../src/model/episode.ts";
import { DEFAULT_WEIGHTS } from "../../../src/model/signals.ts";
import { packSignals, unpackSignals, type PackedSignals } from "../../../src/protocol/packed-signals.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures");
const NAMES = ["glassworks", "tramway", "orchard", "archive", "markup", "letters", "harbour"];

const EPISODES: readonly Episode[] = NAMES.map((name) =>
  episodeSchema.parse(JSON.parse(readFileSync(path.join(FIXTURES, `replay/${name}.json`), "utf8"))),
);
const signalsOf = (episode: Episode) => shownSignals(episode, DEFAULT_WEIGHTS, undefined);

it.each(EPISODES)("gives back the signals of $id, from less than two thirds of their room", (episode) => {
  const signals = signalsOf(episode);
  const json = JSON.stringify(packSignals(signals));
  expect(unpackSignals(JSON.parse(json) as PackedSignals, episode)).toEqual(signals);
  expect(json.length).toBeLessThan((JSON.stringify(signals).length * 2) / 3);
});

it("leaves out a step that the episode does not have, and names a rule that is missing", () => {
  const [episode] = EPISODES;
  if (episode === undefined) throw new Error("There are no fixture episodes.");
  const packed = packSignals(signalsOf(episode));
  expect(unpackSignals(packed, { ...episode, steps: episode.steps.slice(0, 2) }).steps).toHaveLength(2);
  const [first] = unpackSignals({ ...packed, rules: [] }, episode).steps;
  expect(first?.values["s1.tp"]).toEqual({ value: 0, reason: "missing in this page" });
});

it("has written the signals that the fixture page of the replay shows", async () => {
  const packed = EPISODES.map((episode) => [episode.id, packSignals(signalsOf(episode))]);
  const text = `${JSON.stringify(Object.fromEntries(packed), undefined, 1)}\n`;
  await expect(text).toMatchFileSnapshot(path.join(FIXTURES, "replay-signals.json"));
});
