import { CONFIG_KEYS, type ConfigKey, type ConfigShape } from "./config-keys.ts";

/** The part of JSON Schema that editors use for completion, hovers and squiggles. */
interface JsonSchema {
  readonly [key: string]: unknown;
}

function schemaOfShape(shape: ConfigShape): JsonSchema {
  switch (shape.kind) {
    case "flag":
      return { type: "boolean", default: shape.fallback };
    case "number":
      return {
        type: shape.whole ? "integer" : "number",
        minimum: shape.least,
        maximum: shape.most,
        default: shape.fallback,
      };
    case "choice":
      return {
        enum: shape.values.map(({ text }) => text),
        enumDescriptions: shape.values.map(({ about }) => about),
      };
    case "path":
    case "text":
      return { type: "string" };
    case "texts":
      return { type: "array", items: { type: "string" } };
    case "group":
      return {
        // A group whose keys are all commented out is empty.
        type: ["object", "null"],
        properties: propertiesOf(shape.keys),
        ...(shape.form !== undefined && { patternProperties: { [shape.form]: { type: "boolean" } } }),
        additionalProperties: false,
      };
    case "named": {
      const one = { type: "object", properties: propertiesOf(shape.keys), additionalProperties: false };
      return {
        type: ["object", "null"],
        patternProperties: { [shape.form]: one },
        additionalProperties: false,
      };
    }
  }
}

function propertiesOf(keys: readonly ConfigKey[]): JsonSchema {
  return Object.fromEntries(
    keys.map(({ name, about, shape }) => [name, { description: about, ...schemaOfShape(shape) }]),
  );
}

/** The JSON schema of `hasp.yaml`, for editors that know YAML; the build writes it to `dist/hasp.schema.json`. */
export function configSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "hasp.yaml",
    description: "What HASP Studio uses in this workspace.",
    type: "object",
    properties: propertiesOf(CONFIG_KEYS),
    additionalProperties: false,
  };
}
