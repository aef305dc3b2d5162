/** Why an episode ended, in words that follow "it ended because" or "did not run:"; docs/formats.md has the same table. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  final: "a FINAL gave the answer",
  max_steps: "its steps were used up",
  max_search_calls: "its searches were used up",
  max_read_calls: "its reads were used up",
  timeout: "its time was up",
  budget: "the dollars of the run were used up",
  policy_ended: "the recorded policy had nothing more to say",
  model_unauthorised: "the endpoint did not take the key",
  model_refused_request: "the endpoint refused the request",
  model_context_overflow: "the prompt was longer than the model reads",
  model_rate_limited: "the endpoint had too many requests",
  model_server_error: "the endpoint failed",
  model_connection: "the connection to the endpoint broke",
  model_timeout: "a call of the model took too long",
  model_empty_reply: "the reply of the model was empty",
  model_malformed_reply: "the answer of the endpoint was no chat completion",
  environment_error: "a tool failed",
  cancelled: "a person stopped the run",
  interrupted: "the run was killed",
  client_closed: "the agent closed the episode",
  client_gone: "the agent's connection ended",
  idle: "the agent was idle for too long",
  server_stopped: "the server stopped",
  internal_error: "an error inside HASP ended it",
  halted: "it stopped, and its source does not say why",
};

/** A stop reason in words; the reason itself where it is none of ours. */
export function stopReasonWords(reason: string): string {
  return Object.hasOwn(STOP_REASONS, reason) ? (STOP_REASONS[reason] ?? reason) : reason;
}
