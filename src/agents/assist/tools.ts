import { z } from "../../model/zod.ts";
import { backtestSkill } from "./backtest-skill.ts";
import { explainStep } from "./explain-step.ts";
import { backtestInput, explainInput, listInput, validateInput } from "./inputs.ts";
import { listSkills } from "./list-skills.ts";
import { validateSkill } from "./validate-skill.ts";
import { AssistError, type AssistAnswer, type AssistCall, type AssistWorld } from "./world.ts";

/** A function that an assistant can call: the same over MCP and as a tool of VS Code's language models. */
export interface AssistTool {
  /** `hasp_…`, the name that a model calls. */
  readonly name: string;
  readonly title: string;
  /** For the model: what comes back and when to call it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Runs Program Functions, in the sandbox. `only`: does nothing else, so that there is no answer where none may run. */
  readonly runsCode: boolean | "only";
  /** Checks the input. Rejects with an `AssistError` for what the caller can fix. */
  run(world: AssistWorld, input: unknown, call: AssistCall): Promise<AssistAnswer>;
}

function requireTrust({ mayRun, howToTrust }: AssistWorld): void {
  if (mayRun) return;
  throw new AssistError(
    "Nothing was run: no person has said yet that the Program Functions of this workspace may run.",
    `Ask the person to say so: ${howToTrust}. hasp_validate_skill checks texts, types and rules without that.`,
  );
}

type Work<T> = (world: AssistWorld, input: T, call: AssistCall) => Promise<AssistAnswer>;

function tool<T extends z.ZodObject>(
  named: Omit<AssistTool, "input" | "run">,
  input: T,
  work: Work<z.infer<T>>,
): AssistTool {
  return {
    ...named,
    input,
    async run(world, given, call) {
      const parsed = input.safeParse(given);
      if (parsed.success) {
        if (named.runsCode === "only") requireTrust(world);
        return work(world, parsed.data, call);
      }
      const [issue] = parsed.error.issues;
      const at = issue === undefined || issue.path.length === 0 ? "The input" : issue.path.join(".");
      const known = Object.keys(input.shape).join(", ");
      throw new AssistError(
        `${at} cannot be used: ${issue?.message ?? "it has another shape"}.`,
        known === "" ? "It takes no input." : `It takes: ${known}.`,
      );
    },
  };
}

/**
 * The tools of every assistant: `hasp mcp` and the language-model tools of VS Code run the same functions. Each call has a sandbox of its
 * own, reads through `confinedFiles`, and answers through `answer`, printable and clipped.
 */
export const ASSIST_TOOLS: readonly AssistTool[] = [
  tool(
    {
      name: "hasp_list_skills",
      title: "List Skills",
      description:
        "Lists the HASP skills of this workspace (skill_id, folder, priority, what files they have) and the recorded runs that a skill can be backtested on. Call it first, to learn the names that the other tools take.",
      runsCode: false,
    },
    listInput,
    listSkills,
  ),
  tool(
    {
      name: "hasp_validate_skill",
      title: "Validate Skill",
      description:
        "Checks one skill: SKILL.md, types and rules of pf.ts, cases.yaml; then runs its Program Function on mock contexts and on its cases, in a sandbox. Answers findings with file:line:column and what to do. Call it after every edit of a skill, until there is no error.",
      runsCode: true,
    },
    validateInput,
    validateSkill,
  ),
  tool(
    {
      name: "hasp_backtest_skill",
      title: "Backtest Skill",
      description:
        "Replays recorded episodes and says on which steps the skill would have acted, in wrong and in right episodes. A good trigger fires in a larger share of the wrong ones. No model is called. Call it once the skill validates.",
      runsCode: "only",
    },
    backtestInput,
    backtestSkill,
  ),
  tool(
    {
      name: "hasp_explain_step",
      title: "Explain Step",
      description:
        "Says why a skill did or did not act on one recorded step: the operand of shouldActivate that decided, its values, and the line of pf.ts. Call it for steps that a backtest lists, or where the skill should have acted.",
      runsCode: "only",
    },
    explainInput,
    explainStep,
  ),
];

/** The JSON Schema of a tool's input, as MCP and VS Code's manifest want it. */
export function inputSchema({ input }: AssistTool): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

/** A failed call in words: what was wrong, and what to call in its place. Undefined for a bug. */
export function failureText(error: unknown): string | undefined {
  return error instanceof AssistError ? `${error.message} ${error.next}` : undefined;
}
