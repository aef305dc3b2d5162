import { describe, expect, it } from "vitest";
import { refuseSecrets } from "../../../src/cli/secret-arguments.ts";
import { CliError } from "../../../src/cli/terminal.ts";

function refusal(...args: string[]): CliError | undefined {
  try {
    refuseSecrets(args);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

const SECRET = "sk-0123456789abcdef";

describe("a secret on the command line", () => {
  it.each([
    ["run", "--api-key", SECRET],
    ["run", `--api-key=${SECRET}`],
    ["run", "--apikey", SECRET],
    ["run", "--openai-api-key", SECRET],
    ["review", "--key", SECRET],
    ["run", "--access-token", SECRET],
    ["run", "--header", `Authorization: Bearer ${SECRET}`],
    ["run", "-H", `Authorization: Bearer ${SECRET}`],
    ["run", `-HAuthorization: Bearer ${SECRET}`],
    ["score", "--password", SECRET],
  ])("is refused by the name of the variable, and not repeated: hasp %s %s", (...args) => {
    const error = refusal(...args);
    expect(error?.next).toContain("OPENAI_API_KEY");
    expect(`${error?.message} ${error?.next}`).not.toContain(SECRET);
  });

  it("is refused of hasp serve by the name of its variable", () => {
    expect(refusal("serve", "--http", "--token", SECRET)?.next).toContain("HASP_SERVE_TOKEN");
  });

  it.each([
    [["run", "--max-tokens", "512"]],
    [["hook", "explain", "curl -H 'Authorization: Bearer $TOKEN' https://api.invalid"]],
    [["run", "--set", "key=value"]],
    [["note", "run", "--label", "keys"]],
    [["hook", "explain", "--", "--token"]],
  ])("is not seen in %j", (args) => {
    expect(refusal(...args)).toBeUndefined();
  });
});
