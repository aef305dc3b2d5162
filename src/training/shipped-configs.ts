import { experimentConfigSchema, type ExperimentConfig, type ExperimentName } from "../model/experiment.ts";
import { jsonOf } from "../skill/yaml-json.ts";
import { readYaml } from "../skill/yaml-tree.ts";
import { sourceText } from "../skill/source-text.ts";
import e1 from "./experiments/e1.yaml?text";
import e2 from "./experiments/e2.yaml?text";
import e3 from "./experiments/e3.yaml?text";
import e4 from "./experiments/e4.yaml?text";
import e5 from "./experiments/e5.yaml?text";
import e6 from "./experiments/e6.yaml?text";
import e7 from "./experiments/e7.yaml?text";

/** The configurations that come with HASP Studio, as they are written. */
export const SHIPPED_CONFIGS: Readonly<Record<ExperimentName, string>> = { e1, e2, e3, e4, e5, e6, e7 };

/** The configuration that comes with HASP Studio. */
export function shippedConfig(name: ExperimentName): ExperimentConfig {
  const text = SHIPPED_CONFIGS[name];
  const { root } = readYaml(text, sourceText(text), 0);
  return experimentConfigSchema.parse(root && jsonOf(root));
}
