import type { ModelServices } from "../app/run/models.ts";
import { parsePrice } from "../llm/price.ts";
import { environmentSecrets } from "../llm/env-secrets.ts";
import { withStudent } from "../llm/keys.ts";
import { createRedactor } from "../llm/redact.ts";
import { environmentKeys } from "../platform/env-keys.ts";
import type { NodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { plainHttpOrigins } from "../platform/plain-http.ts";
import { fileReplyCache } from "../platform/reply-cache.ts";
import { studentOfJob } from "../platform/student-key.ts";
import { variables } from "../platform/surroundings.ts";
import { systemTiming } from "../platform/timing.ts";
import { STUDENT_ADDRESS } from "../model/job.ts";
import { need } from "./checked.ts";
import type { Terminal } from "./terminal.ts";

/** Folder of the replies of models, below the current one: `hasp gc` cleans it. */
const REPLY_CACHE = ".hasp/cache/replies";

/** A model as a command line names it; nothing where it names none. */
export function modelOrder(spec: string, price: string | undefined) {
  return { spec, ...(price !== undefined && { price: need(parsePrice(price)) }) };
}

function onceIn(onTrouble: (message: string) => void): (error: unknown) => void {
  let troubled = false;
  return (error) => {
    const why = error instanceof Error ? error.message : String(error);
    if (!troubled) onTrouble(`Replies are not kept in ${REPLY_CACHE}: ${why}`);
    troubled = true;
  };
}

/**
 * Runs work with models, whose keys come from the environment, each for one origin and sent only there; their connections are closed
 * whatever happens. `terminal` receives, once, that the cache cannot be used.
 */
export async function withModels<T>(
  files: NodeFiles,
  terminal: Pick<Terminal, "line">,
  work: (models: ModelServices) => Promise<T>,
): Promise<T> {
  const http = httpClient();
  const plainHttp = plainHttpOrigins();
  try {
    return await work({
      files,
      keys: withStudent(environmentKeys(variables()), () => studentOfJob(variables())),
      post: http.post,
      redactor: createRedactor(environmentSecrets(variables())),
      timing: systemTiming,
      replyCache: fileReplyCache(REPLY_CACHE),
      onCacheTrouble: onceIn((message) => terminal.line(message)),
      isPlainHttpAllowed: (origin) => plainHttp.has(origin),
      pathOf: (name) => name,
      openEditorModel: undefined,
      onLoading: (message) => terminal.line(message),
      served: variables()[STUDENT_ADDRESS],
    });
  } finally {
    http.close();
  }
}
