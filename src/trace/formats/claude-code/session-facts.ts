import { amountOf, sumOfAmounts, tokensOf } from "../counts.ts";
import type { Ledger } from "../ledger.ts";
import type { Usage } from "../../../model/usage.ts";
import { asRecord, asText, compact, type JsonRecord } from "../records.ts";

/** What a session's lines tell besides what was said. */
export class SessionFacts {
  model: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
  branch: string | undefined;
  /** The session whose lines it begins with. */
  #forkedFrom: string | undefined;
  readonly summaries: string[] = [];
  #title: string | undefined;
  #dollars: number | undefined;
  /** Tokens of the results of `claude --print`, which come once for each prompt. */
  #tokens: { input: number; output: number } | undefined;
  #result: JsonRecord | undefined;

  noteLine(row: JsonRecord): void {
    this.cwd ??= asText(row["cwd"]);
    this.version ??= asText(row["version"]) ?? asText(row["claude_code_version"]);
    this.branch ??= asText(row["gitBranch"]);
    this.#forkedFrom ??= asText(asRecord(row["forkedFrom"])["sessionId"]) ?? asText(row["requestSessionId"]);
  }

  noteTitle(row: JsonRecord): void {
    const title = asText(row["customTitle"]) ?? asText(row["aiTitle"]);
    this.#title = title ?? this.#title;
  }

  noteCost(row: JsonRecord, ledger: Ledger): void {
    this.#dollars = amountOf(row, ["totalCostUSD", "total_cost_usd"], ledger) ?? this.#dollars;
  }

  /** A line of the type `result`, with which `claude --print` ends a prompt. */
  noteResult(row: JsonRecord, ledger: Ledger): void {
    this.noteCost(row, ledger);
    const usage = asRecord(row["usage"]);
    const input = tokensOf(usage, ["input_tokens"], ledger);
    const output = tokensOf(usage, ["output_tokens"], ledger);
    if (input !== undefined || output !== undefined) {
      const before = this.#tokens ?? { input: 0, output: 0 };
      this.#tokens = {
        input: sumOfAmounts([before.input, input ?? 0]),
        output: sumOfAmounts([before.output, output ?? 0]),
      };
    }
    const { subtype, is_error, num_turns, duration_ms, terminal_reason } = row;
    this.#result = { subtype, is_error, num_turns, duration_ms, terminal_reason };
  }

  /** The cost of the session as a whole, its sub-agents' dollars included, where its lines tell one. */
  costOf(steps: Usage | undefined): Usage | undefined {
    const tokens =
      this.#tokens === undefined
        ? steps
        : { inputTokens: this.#tokens.input, outputTokens: this.#tokens.output };
    if (this.#dollars === undefined) return tokens;
    return { inputTokens: 0, outputTokens: 0, ...tokens, cost: this.#dollars };
  }

  settings(): Record<string, unknown> | undefined {
    return compact({ model: this.model, agent: "claude-code", agentVersion: this.version });
  }

  extra(): Record<string, unknown> | undefined {
    return compact({
      cwd: this.cwd,
      branch: this.branch,
      forkedFrom: this.#forkedFrom,
      title: this.#title,
      summaries: this.summaries.length === 0 ? undefined : this.summaries,
      result: this.#result === undefined ? undefined : compact(this.#result),
    });
  }
}
