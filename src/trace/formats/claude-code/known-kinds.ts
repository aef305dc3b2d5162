// Kinds of lines, attachments and events that Claude Code writes: read in the program of 2.1.332, with those of older versions that public
// readers of its sessions name. Kinds that the reader maps itself stand in claude-code.ts.

const words = (names: string): readonly string[] => names.split(/\s+/).filter((name) => name !== "");

const table = (reasons: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(reasons).flatMap(([reason, names]) => words(names).map((name) => [name, reason])));

/** Lines of a session that are not needed, with the reason. */
export const DROPPED_LINES = table({
  "they keep the program's own state": `mode permission-mode tag agent-name agent-color agent-setting relocated worktree-state
    bridge-session history-suppression isolation-latch session-owner dev-mods memory-mode atis-latch repl-mode hybrid-organization
    host-row observer-ref continued-in resume-head-vouch derived-from fork-context-ref ended-by-model task-summary agent_metadata
    speculation-accept`,
  "they tell of files, which the calls tell as well":
    "file-history-snapshot file-history-delta attribution-snapshot",
  "they tell of calls, which the messages tell as well": "tools-used data-flow-records data-flow-incomplete",
  "they tell of pages outside of the session":
    "pr-link frame-link artifact-comment-monitor artifact-autoreact-ledger",
  "they shorten what the agent reads later, and what it read stays":
    "content-replacement marble-origami-commit marble-origami-snapshot marble-origami-reset",
  "hooks answer again what their attachments tell": "saved_hook_context",
  "they report progress": "progress tool_progress keep_alive streamlined_text",
  "they are between the program and who started it": `control_request control_response control_cancel_request transcript_mirror
    auth_status rate_limit_event prompt_suggestion tool_use_summary command_lifecycle conversation_reset active_goal autocompact_state`,
  "they repeat what the session of their agent tells": "started",
});

/** Subtypes of lines of the type `system` that are not needed. */
export const SYSTEM_SUBTYPES: ReadonlySet<string> = new Set(
  words(`informational api_error api_metrics api_retry away_summary agents_killed bridge_status bridge_state turn_duration memory_saved
    memory_recall permission_retry permission_denied permission_check_status model_fallback model_consent_fallback
    model_refusal_fallback model_refusal_no_fallback microcompact_boundary scheduled_task_fire file_snapshot instruction_size_warning
    per_turn_effort_changed session_writes_lost dev_intent placed tool_host_result late_allow_not_run rewind_stand_in start_folder
    shell_cwd inherited_asks_settled feedback_draft_queued file_attachments_missing checkpoint_done voice_call_talk read_divider
    turn_began_before_init turn_starting turn_preempted turn_handoff turn_handoff_available post_turn_summary task_summary
    thinking thinking_tokens interrupt init status notification hook_started hook_progress task_started task_progress
    task_updated task_notification background_tasks background_tasks_changed session_state_changed session_title_changed
    session_metadata commands_changed control_request_progress elicitation elicitation_complete files_persisted local_command_output
    mirror_error peer_message_hold plugin_install vcs_state_changed code_change_published cloud_session_delta cloud_session_status
    worker_shutting_down mcp_tasks_changed ui_focus ui_invalidate ui_log ui_notify ui_notify_cancel ui_panes ui_placed ui_scroll
    ui_status ui_toast upgrade_relay_marker account_memory_saved permission_request request_user_dialog terminated`),
);

/** Attachments that the host shows the agent, or keeps for itself. */
export const ATTACHMENTS: ReadonlySet<string> = new Set(
  words(`account_memory_recall advisor_stripped advisor_tool agent_ask_notice agent_listing_delta agent_mention already_read_file
    artifact_opening_prefetch at_mention_reference attention_budget auto_mode auto_mode_exit
    bash_output_audience_note batching_reminder batching_reminder_sent budget_usd claude_app_notice command_permissions
    compact_file_reference context_efficiency context_sections coordinator_context cowork_memory_context credential_org
    critical_system_reminder date date_change deferred_tools_delta deferred_tools_record diagnostics directory dynamic_skill
    edited_image_file edited_text_file elapsed_time_reminder environment file first_week fork_briefing goal_status goals
    inlined_image_paths instructions invoked_skills language linked_plugin_tools_note max_turns_reached mcp_dropped_tools_delta
    mcp_instructions_delta mcp_resource memory_update message_pdf_reads model nested_memory opened_file_in_ide output_limit_note
    output_style output_style_instructions output_token_usage pdf_reference peer_mention plan_file_reference plan_mode plan_mode_exit
    plan_mode_reentry plugin_note poll_events prefix_delta proactivity progress_reminder_sent project_doc_reads projects_thread_ask
    prompt_as_file prompt_render_point prompt_snapshot read_truncation_notice relevant_memories remote_session_change
    repl_mcp_needs_auth repl_mcp_servers sandbox_instructions secondary_reminder secondary_reminder_sent selected_lines_in_diff
    selected_lines_in_ide session_context session_cron_carry silent_turn_reminder skill_listing skill_mention structured_output
    task_reminder task_status team_context teammate_mailbox teammate_shutdown_batch thinking_drop thinking_stripped thread_state todo
    todo_reminder token_usage tool_host_result_lines tool_hosts_correction tool_hosts_notice tool_offer_record tool_results_cut
    tool_search_usage_reminder total_tokens_reminder ultra_effort_enter ultra_effort_exit ultramemory ultrathink_effort
    unknown_command_fallback whole_texts_withdrawn widget_context_hint withheld_memory workflow_keyword_request
    workflow_size_guideline_change new_directory new_file compact_reminder compaction_reminder context_usage delegate_mode delegate_mode_exit plan_verification_reminder
    verify_plan_reminder queued_notification background_task_status async_agent_status mcp_resource_reference ide_selection
    opened_file_in_diff companion_intro current_session_memory bagel_console`),
);

/** Attachments with what a hook answered. */
export const isHookAttachment = (kind: string): boolean =>
  kind.startsWith("hook_") || kind === "async_hook_response" || kind === "async_hook_response_batch";

/** Blocks of an agent's message that call a tool: its own, and those that the service runs itself. */
export const CALL_BLOCKS: ReadonlySet<unknown> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

/** Blocks of an agent's message that are neither words nor calls: each leaves a mark in the text. */
export const MARKED_BLOCKS: ReadonlySet<unknown> = new Set(
  words(
    "image document container_upload compaction fallback connector_text search_result tool_reference audio video file resource resource_link",
  ),
);

/** Blocks of an agent's message that hold the result of a call that the service ran. */
export const isServerResult = (kind: unknown): boolean =>
  typeof kind === "string" && kind !== "tool_result" && kind.endsWith("tool_result");
