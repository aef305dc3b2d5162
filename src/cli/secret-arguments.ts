import { CliError } from "./terminal.ts";

/** Names under which other programs take a key or a token. HASP has none of these options. */
const SECRET_OPTION =
  /^--(?:[a-z]+-)*(?:api-?key|key|token|auth|authorization|bearer|password|secret|credentials|headers?)(?:=|$)|^-H/i;

const MODELS =
  "Set OPENAI_API_KEY for OpenAI, HASP_KEY_<HOST>_<PORT> for another server, or SERPAPI_API_KEY for SerpAPI, and leave the option out.";
const SERVE = "Set HASP_SERVE_TOKEN to the token of the HTTP clients, and leave the option out.";

/**
 * Refuses an option that would carry a key or a token, and names the environment variable that is for it. Its value is not repeated.
 * `args`: after `hasp`. Throws CliError.
 */
export function refuseSecrets(args: readonly string[]): void {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  const found = options.find((one) => SECRET_OPTION.test(one));
  if (found === undefined) return;
  const name = found.startsWith("-H") ? "-H" : found.split("=", 1)[0];
  throw new CliError(
    `${name} would put a secret on the command line, where other users of this machine and the history of the shell can read it.`,
    args[0] === "serve" ? SERVE : MODELS,
  );
}
