import { InvalidArgumentError, Option } from "commander";
import { parseShard, type Shard } from "../model/shard.ts";

function shard(text: string): Shard {
  const { value, diagnostics } = parseShard(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(diagnostics.map(({ message, next }) => `${message} ${next}`).join(" "));
}

/** `--shard i/n` of `hasp run`; its value is a Shard. */
export function shardOption(): Option {
  return new Option(
    "--shard <i/n>",
    "only the i-th of n parts of the questions; `hasp merge` puts the n runs together",
  ).argParser(shard);
}
