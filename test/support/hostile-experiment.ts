import path from "node:path";
import { COUNTRIES, CORPUS, SMALL_CONFIG, STUDENT, writeCountries } from "./experiment-world.ts";
import { envOf, ownPython, write, type HostilePlace } from "./hostile-place.ts";
import { model } from "./hostile-tricks.ts";

/** Variables of the stranger who made a clone. */
export const authorOf = (place: HostilePlace): ReturnType<typeof envOf> =>
  envOf({ ...place, home: path.join(place.base, "author") });

/** Writes the files of an experiment into a clone, and answers the command line by which the stranger begins it there. */
export function writeExperiment(place: HostilePlace): readonly string[] {
  writeCountries(place.clone);
  write(place.clone, { "small.yaml": SMALL_CONFIG });
  const files = ["--questions", COUNTRIES, "--corpus", CORPUS, "--config", "small.yaml"];
  const models = ["--model", `./${STUDENT}`, "--teacher", model(place), "--python", ownPython(place)];
  return ["experiment", "e1", ...files, ...models];
}
