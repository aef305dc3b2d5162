import path from "node:path";
import type { RunServices } from "../../src/app/run/parts.ts";
import { createRedactor } from "../../src/llm/redact.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { systemTiming } from "../../src/platform/timing.ts";
import type { openCore } from "./core.ts";

const unasked = (): never => {
  throw new Error("A scripted model asks nobody.");
};

/** Services of runs whose models are scripts or records below `root`, and whose tools ask nobody. */
export function scriptedServices(
  core: ReturnType<typeof openCore>,
  root: string,
  readSkills: RunServices["readSkills"],
): RunServices {
  const files = nodeFiles();
  const redactor = createRedactor();
  const keys = { keyFor: async () => undefined, howToGive: () => "none" };
  return {
    files,
    ...core,
    clock: systemClock,
    sha256,
    models: {
      files,
      keys,
      post: unasked,
      redactor,
      timing: systemTiming,
      replyCache: undefined,
      onCacheTrouble: unasked,
      isPlainHttpAllowed: () => false,
      pathOf: (name) => path.resolve(root, name),
      openEditorModel: undefined,
    },
    environment: { openClient: unasked, keys, timing: systemTiming, redactor },
    readSkills,
  };
}
