import { episodeSchema, runSchema } from "../model/episode.ts";
import { importReportSchema } from "../model/import-report.ts";
import { semanticLineSchema } from "../model/semantic.ts";
import { z } from "../model/zod.ts";
import { liveEventSchema } from "./live-events.ts";
import { storedPromptSchema } from "./message-reader.ts";

/** The files of `docs/schemas`: JSON Schemas of the files of a run folder, by name without `.json`. */
export function recordSchemas(): Readonly<Record<string, object>> {
  const schemas = {
    episode: episodeSchema,
    run: runSchema,
    message: storedPromptSchema,
    "live-event": liveEventSchema,
    semantic: semanticLineSchema,
    import: importReportSchema,
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      z.toJSONSchema(schema, { io: "input", target: "draft-7", reused: "ref" }),
    ]),
  );
}
