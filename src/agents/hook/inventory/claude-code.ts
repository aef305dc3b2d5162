import { names, WHY, type HostInventory } from "./host-inventory.ts";

const FILE = "/repo/a.ts";
const why = (reason: string) => ({ why: reason });

/** Claude Code, as its binary lists its events and tools. */
export const CLAUDE_CODE_INVENTORY: HostInventory = {
  host: "claude-code",
  version: "2.1.332",
  read: "2026-11-28",
  events: {
    SessionStart: { kind: "session-start" },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "pre" },
    PreSkillShellCommand: { kind: "pre" },
    PostToolUse: { kind: "post" },
    PostToolUseFailure: { kind: "post-failure" },
    Stop: { kind: "stop" },
    SubagentStop: { kind: "subagent-stop" },
    SessionEnd: { kind: "session-end" },
    PostToolBatch: why("Each of its calls has had a PostToolUse of its own."),
    PermissionRequest: why(WHY.asked),
    PermissionDenied: why(
      "The call does not run, so there is nothing to judge; it ends with the next prompt or stop.",
    ),
    UserPromptExpansion: why(
      "The person's own words come with UserPromptSubmit; a command's text is not theirs.",
    ),
    SubagentStart: why("A subagent's session begins with its first call."),
    StopFailure: why("The turn ended with an error of the model's server; nothing can be held there."),
    PreCompact: why(WHY.notices),
    PostCompact: why(WHY.notices),
    PreModelSwitch: why(WHY.notices),
    PostModelSwitch: why(WHY.notices),
    Notification: why(WHY.notices),
    Setup: why(WHY.notices),
    ConfigChange: why(WHY.notices),
    InstructionsLoaded: why(WHY.notices),
    MessageDisplay: why(WHY.notices),
    TeammateIdle: why("A teammate's own Stop asks whether it may end."),
    TaskCreated: why("A list of tasks runs nothing."),
    TaskCompleted: why("A list of tasks runs nothing."),
    Elicitation: why("An MCP server asks the person a question; no call runs by it."),
    ElicitationResult: why("An MCP server asks the person a question; no call runs by it."),
    WorktreeCreate: why("Its hook would have to make the worktree itself."),
    WorktreeRemove: why("It comes after the decision and cannot be refused."),
    CwdChanged: why("Each event says in which folder it stands."),
    DirectoryAdded: why("Each event says in which folder it stands."),
    FileChanged: why(
      "It watches files that a hook names, whoever changes them; nothing can be refused there.",
    ),
  },
  tools: {
    Bash: { as: "Bash", sample: { command: "ls" } },
    PowerShell: { as: "PowerShell", sample: { command: "ls" } },
    Monitor: { as: "Bash", sample: { command: "tail -f log", description: "log", timeout_ms: 1 } },
    REPL: { as: "Bash", sample: { code: "await Bash({ command: 'ls' })" } },
    Eval: { as: "Bash", sample: { code: "await Bash({ command: 'ls' })" } },
    mcp__workspace__bash: { as: "Bash", sample: { command: "ls" } },
    Write: { as: "Write", sample: { file_path: FILE, content: "" } },
    Edit: { as: "Edit", sample: { file_path: FILE, old_string: "a", new_string: "b" } },
    NotebookEdit: { as: "Edit", sample: { notebook_path: "/repo/a.ipynb", new_source: "1" } },
    Agent: { as: "Agent", sample: { prompt: "look", description: "d" } },
    Workflow: { as: "Agent", sample: { script: "await agent('look')" } },
    Skill: why(
      "It loads a text; the text's shell lines come with PreSkillShellCommand, its scripts with Bash.",
    ),
    EnterWorktree: why("It adds a worktree of its own and changes no file that is there."),
    ExitWorktree: why(
      "The host itself keeps a worktree with work in it, unless the call says that the work may go.",
    ),
    Artifact: why("It publishes a page, or saves an asset of one under the asset's own id."),
    Projects: why("It writes documents of claude.ai, not files."),
    RemoteTrigger: why("It starts sessions in the cloud, which have hooks of their own."),
    CronCreate: why("It schedules a prompt; what the prompt leads to is asked about then."),
    TaskStop: why("It ends a command that the same session began."),
  },
  harmless: names(
    "AskUserQuestion ClaudeDesign CronDelete CronList EndConversation EnterPlanMode ExitPlanMode Glob Grep ListAgents ListMcpResourcesTool LSP OfferChromeSetup propose_skills PushNotification Read ReadMcpResourceDirTool ReadMcpResourceTool ReadNotifications ReportFindings ScheduleWakeup SendFeedback SendMessage SendUserFile SendUserMessage SetGoal ShareOnboardingGuide ShowOnboardingRolePicker SubagentHandback TaskCreate TaskGet TaskList TaskUpdate TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch",
  ),
  others: names("MultiEdit Task"),
};
