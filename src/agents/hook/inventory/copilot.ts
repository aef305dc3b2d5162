import { names, WHY, type HostInventory } from "./host-inventory.ts";

const why = (reason: string) => ({ why: reason });

/** Copilot CLI: its events by the settings that its runtime knows, its tools by the parts of the runtime that it names. */
export const COPILOT_INVENTORY: HostInventory = {
  host: "copilot",
  version: "1.0.102",
  read: "2026-11-28",
  events: {
    sessionStart: { kind: "session-start" },
    userPromptSubmitted: { kind: "prompt" },
    preToolUse: { kind: "pre" },
    postToolUse: { kind: "post" },
    postToolUseFailure: { kind: "post-failure" },
    agentStop: { kind: "stop" },
    subagentStop: { kind: "subagent-stop" },
    sessionEnd: { kind: "session-end" },
    permissionRequest: why(WHY.asked),
    preMcpToolCall: why("It changes the request's metadata alone; preToolUse asks about the call."),
    userPromptTransformed: why("The person's own words come with userPromptSubmitted."),
    subagentStart: why("A subagent's session begins with its first call."),
    errorOccurred: why(WHY.notices),
    notification: why(WHY.notices),
    preCompact: why(WHY.notices),
  },
  tools: {
    bash: { as: "Bash", sample: { command: "ls", description: "d" }, part: "shell_tools" },
    powershell: { as: "PowerShell", sample: { command: "ls", description: "d" }, part: "shell_driver" },
    write_bash: { as: "Bash", sample: { shellId: "1", input: "ls" }, part: "session_shell_driver" },
    write_powershell: { as: "PowerShell", sample: { shellId: "1", input: "ls" }, part: "shell_driver_host" },
    create: { as: "Write", sample: { path: "/repo/a", file_text: "" }, part: "file_edit" },
    edit: { as: "Edit", sample: { path: "/repo/a", old_str: "a", new_str: "b" }, part: "common" },
    str_replace_editor: {
      as: "Edit",
      sample: { command: "str_replace", path: "/repo/a", old_str: "a", new_str: "b" },
    },
    apply_patch: { as: "Patch", sample: { patch: "*** Begin Patch\n*** End Patch" }, part: "apply_patch" },
    task: { as: "Agent", sample: { prompt: "look", description: "d" }, part: "task_tool" },
    run_dynamic_workflow: { ...why(WHY.agents), part: "run_dynamic_workflow" },
    execution_subagent: { ...why(WHY.agents), part: "execution_subagent" },
    sql: { ...why("Its database is the session's own, not the project's."), part: "sql" },
    image_generation: {
      ...why("It writes a new picture under a name of its own."),
      part: "image_generation",
    },
    skill: { ...why("It loads a text; what the text leads to is asked about then."), part: "skill_tool" },
  },
  harmless: names(
    "agent_display agent_tools ask_user ask_user_2 blackbird_search cache_aware_wait canvas catalog_search catalog_select context_board context_rollover detached_shell detached_shell_runtime dynamic_workflows_manage exit_plan_mode file_reader host_interaction image_generation/sources inbox large_output large_output_service login_shell_env memory native_binary_locator orchestration_tools patch_apply permission_host phase read_workflow_run registry search_agent_compat search_subagent security_review_scope session_catalog session_memory session_memory/recovery session_search_driver session_search_driver/tgrep_bridge session_store_sql session_tool_invoker shell_process spill_reads sql_engine storage_tools task_complete tool_search update_todo view web_fetch",
  ),
  others: [],
};
