/**
 * How often each math skill fires on recorded answers, apart for wrong and right ones, with intervals: the table of docs/firing.md. Needs
 * `npm run build`.
 *
 *   node test/bench/firing-math.mts gsm8k=gsm8k-gpt3-even.jsonl math=math-qwen-even.jsonl
 */
import { printRates } from "../support/firing-rates.ts";

await printRates("math");
