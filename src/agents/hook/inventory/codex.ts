import { names, WHY, type HostInventory } from "./host-inventory.ts";

const why = (reason: string) => ({ why: reason });
const PATCH = "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch";

/** Codex: its events by the JSON schemas of their inputs, its tools by the handlers that its binary names. */
export const CODEX_INVENTORY: HostInventory = {
  host: "codex",
  version: "0.171.0",
  read: "2026-11-28",
  events: {
    SessionStart: { kind: "session-start" },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "pre" },
    PostToolUse: { kind: "post" },
    Stop: { kind: "stop" },
    SubagentStop: { kind: "subagent-stop" },
    SessionEnd: { kind: "session-end" },
    PermissionRequest: why(WHY.asked),
    SubagentStart: why("A subagent's session begins with its first call."),
    PreCompact: why(WHY.notices),
    PostCompact: why(WHY.notices),
    Interrupt: why("It takes a text for the person alone; calls that it cut off end with the next prompt."),
  },
  tools: {
    Bash: { as: "Bash", sample: { command: "ls" }, part: "unified_exec" },
    exec_command: { as: "Bash", sample: { cmd: "ls" }, part: "unified_exec/exec_command" },
    write_stdin: {
      ...why(
        "Codex shows no hook what is typed into a command that runs; it would be judged as a shell line.",
      ),
      part: "unified_exec/write_stdin",
    },
    apply_patch: { as: "Patch", sample: { command: PATCH }, part: "apply_patch" },
    mcp__box__start: { as: "Bash", sample: { command: "ls" }, part: "mcp" },
    dynamic_tool: { as: "Bash", sample: { command: "ls" }, part: "dynamic" },
    extension_tool: { as: "Bash", sample: { command: "ls" }, part: "extension_tools" },
    spawn_agent: { as: "Agent", sample: { message: "look" }, part: "multi_agents/spawn" },
    request_plugin_install: {
      ...why("The host asks the person whether to install it."),
      part: "request_plugin_install",
    },
    exec: why(
      "Code mode: its nested commands and patches are asked about one by one, as Bash and apply_patch.",
    ),
  },
  harmless: names(
    "current_time get_context_remaining list_available_plugins_to_install mcp_resource mcp_resource/list_mcp_resource_templates mcp_resource/list_mcp_resources mcp_resource/read_mcp_resource multi_agents/close_agent multi_agents/resume_agent multi_agents/send_input multi_agents/wait multi_agents_spec multi_agents_v2 multi_agents_v2/followup_task multi_agents_v2/interrupt_agent multi_agents_v2/list_agents multi_agents_v2/message_tool multi_agents_v2/send_message multi_agents_v2/spawn multi_agents_v2/wait new_context_window plan request_permissions request_user_input request_user_input_async send_message_to_user_async sleep test_sync tool_search unified_exec/preparation view_image wait_for_environment",
  ),
  others: names("shell local_shell container.exec shell_command"),
};
