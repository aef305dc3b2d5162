// `npm run demo:model`: a model of one's own answers questions in the product's settings, beside a plain script.
import { findModel } from "./lib/demo-model/endpoint.mts";
import { keepInputs, readInputs } from "./lib/demo-model/inputs.mts";
import { type Order, orderOf, USAGE } from "./lib/demo-model/order.mts";
import { report } from "./lib/demo-model/report.mts";
import { answerAs } from "./lib/demo-model/sides.mts";
import { interruption } from "./lib/interruption.mts";
import { build } from "./lib/package.mts";
import { messageOf, runMain, say } from "./lib/report.mts";

async function measure(order: Order, url: string): Promise<number> {
  const signal = interruption(undefined);
  const inputs = readInputs(order);
  const endpoint = await findModel(url, order.model, signal);
  keepInputs(order, endpoint.model, inputs);
  if (!order.isBuilt) await build();
  say(`${endpoint.model} answers questions of ${order.questions}`);
  let failure: string | undefined;
  try {
    for (const asked of order.asked) await answerAs(asked, { order, endpoint, inputs, signal });
  } catch (error) {
    // The answers so far have their table, however the run ended.
    failure = signal.aborted ? `${messageOf(error)}. The same command goes on from here.` : messageOf(error);
    if (!signal.aborted && (error as Error).name !== "Stop") throw error;
  }
  process.stdout.write(`\n${report(order.folder)}`);
  if (failure === undefined) return 0;
  console.error(`[hasp] ${failure}`);
  return 1;
}

await runMain(async () => {
  const order = orderOf(process.argv.slice(2));
  if (order === undefined) console.log(USAGE);
  else if (order.isReport || order.url === undefined) process.stdout.write(report(order.folder));
  else return measure(order, order.url);
  return 0;
});
