import { Command } from "commander";
import type { NodeFiles } from "../platform/files.ts";
import { helpOf, type Help } from "./help.ts";
import type { Options, OptionsOf } from "./options.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import type { CliContext } from "./context.ts";
import { inSession, type Session } from "./session.ts";
import { openTerminal, type ExitCode, type Terminal } from "./terminal.ts";

/** The context of a command, and how it hands its exit code back: commander itself ignores what an action returns. */
export type CommandContext = CliContext & { setExit(code: ExitCode): void };

/** Makes a command for one command line. */
export type MakeCommand = (context: CommandContext) => Command;

/** True for an option that is on the command line, and is no default. */
export type IsGiven = (option: string) => boolean;

/** A parsed command line. */
export interface Call<O extends Options> {
  readonly options: OptionsOf<O>;
  readonly isGiven: IsGiven;
  readonly terminal: Terminal;
  /** Closed after the command; nothing in it starts before its first use. */
  readonly session: Session;
  readonly files: NodeFiles;
}

interface Definition<O extends Options> extends Partial<Help> {
  readonly name: string;
  readonly about: string;
  /** The positional arguments. */
  readonly takes?: readonly (readonly [syntax: string, about: string, otherwise?: string])[];
  /** `--json`, which every command has, stands here only where it is not listed last. */
  readonly options?: O;
  /** About `--json`. */
  readonly json?: string;
  /** Gets the positional arguments after the call. */
  readonly run: (call: Call<O>, ...given: never[]) => ExitCode | Promise<ExitCode>;
}

/** A command as a program adds it. */
export function defineCommand<O extends Options>(definition: Definition<O>): MakeCommand {
  const { name, about, takes = [], json = "print the result as JSON", examples, run } = definition;
  return (context) => {
    const command = new Command(name).description(about);
    for (const argument of takes) command.argument(...argument);
    for (const option of Object.values(definition.options ?? {})) command.addOption(option);
    if (examples !== undefined) command.addHelpText("after", helpOf({ ...definition, examples }));
    if (definition.options?.["json"] === undefined) command.option("--json", json);
    return command.action(async () => {
      const parsed = command.opts<OptionsOf<O> & { readonly json?: true; readonly triggers?: ShippedList }>();
      const terminal = openTerminal(context, parsed.json === true);
      const isGiven = (option: string): boolean => command.getOptionValueSource(option) === "cli";
      const code = await inSession(context, parsed.triggers, async (session) => {
        const call: Call<O> = { options: parsed, isGiven, terminal, session, files: session.files };
        return run(call, ...(command.processedArgs as never[]));
      });
      context.setExit(code);
    });
  };
}
