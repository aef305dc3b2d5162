/** Events of Copilot CLI up to 1.0.102 that tell of the program and not of the conversation, by what stands before their first point. */
const OTHERS: Readonly<Record<string, string>> = {
  session:
    "remote_steerable_changed idle autopilot_stopped title_changed schedule_created schedule_cancelled schedule_rearmed " +
    "autopilot_objective_changed info indexed_search warning model_deselected auto_tier_recommendation auto_tier_switch_failed mode_changed " +
    "session_limits_changed permissions_changed plan_changed todos_changed memory_changed workspace_file_changed usage_checkpoint " +
    "quota_observation fusion_change_checkpoint request_body_compression_disabled usage_info task_complete completion_receipt " +
    "fusion_route_started fusion_route_failed fusion_resolved fusion_commit_started fusion_completed permission_recovery binary_asset " +
    "custom_notification auto_mode_resolved managed_plugin_progress managed_settings_resolved managed_settings_enforced tools_updated " +
    "background_tasks_changed skills_loaded custom_agents_updated mcp_servers_loaded mcp_server_status_changed mcp_server_tools_loaded " +
    "mcp_server_removed mcp_server_needs_reconnect extensions_loaded canvas.opened canvas.registry_changed canvas.closed " +
    "canvas.unavailable canvas.recorded canvas.removed extensions.attachments_pushed",
  pending_messages: "modified",
  assistant:
    "turn_start turn_retry turn_end intent idle server_tool_progress reasoning_delta tool_call_delta streaming_delta message_start " +
    "message_delta fusion_phase_started fusion_phase_activity",
  agent: "interrupted",
  model: "call_failure call_final_result call_finished call_start",
  tool: "execution_partial_result shell_output execution_progress",
  tool_search: "activated",
  sandbox: "decision",
  subagent: "configured completed selected deselected",
  hook: "start progress",
  permission:
    "requested completed carriedForward messageAuthorization messageAuthorizationRead messageAuthorizationDegraded assentDetected " +
    "contextualAuthorization",
  user_input: "requested completed",
  elicitation: "requested completed",
  sampling: "requested completed",
  mcp:
    "oauth_required oauth_completed oauth_recovery_completed headers_refresh_required headers_refresh_completed tools.list_changed " +
    "resources.list_changed prompts.list_changed",
  ui: "ephemeral_query",
  external_tool: "completed",
  command: "queued execute completed",
  auto_mode_switch: "requested completed",
  session_limits_exhausted: "requested completed",
  commands: "changed",
  capabilities: "changed",
  exit_plan_mode: "requested completed",
  human_response: "recorded",
  workflow: "run_updated run_started run_settled",
  mcp_app: "tool_call_complete",
};

const DROPPED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHERS).flatMap(([before, names]) =>
    names.split(" ").map((name) => [`${before}.${name}`, "they are no messages, calls or results"] as const),
  ),
  ["prompt_cache_break", "they are no messages, calls or results"],
  ["assistant.fusion_phase_completed", "drafts of several models; the message that stands is read"],
  ["assistant.fusion_phase_failed", "drafts of several models; the message that stands is read"],
  ["session.fusion_handoff", "drafts of several models; the message that stands is read"],
]);

/** Why an event is left out; undefined for one that nobody knows. */
export const whyDropped = (type: string): string | undefined => DROPPED.get(type);
