/**
 * How often each code skill fires on recorded answers, apart for wrong and right ones, with intervals: the table of docs/firing.md. Needs
 * `npm run build`. Answers are judged by their tests, in containment, unless each has a verdict; those that get none do not count.
 *
 *   node test/bench/firing-code.mts HumanEval+=humaneval.jsonl:humanevalplus.jsonl BigCodeBench=answers.jsonl:bigcodebench.jsonl
 */
import { printRates } from "../support/firing-rates.ts";

const CERTAIN = ["code_return_path", "code_stub_or_entry", "code_undefined_name", "code_recursion_base"];

await printRates("code", [
  { name: "return path, stub or entry, undefined name, recursion without a base", skillIds: CERTAIN },
]);
