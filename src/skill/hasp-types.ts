import type { DomainSpec } from "../model/domain-spec.ts";
import base from "./lib/hasp.d.ts?text";

/** The action types of a domain, as TypeScript. Undefined where its records name their own. */
export function actionsType({ actionTypes, furtherTypes }: DomainSpec): string | undefined {
  const further =
    furtherTypes === undefined ? [] : [furtherTypes === "" ? "string" : `\`${furtherTypes}\${string}\``];
  const all = [...actionTypes.map((type) => JSON.stringify(type)), ...further];
  return actionTypes.length === 0 ? undefined : all.join(" | ");
}

function contributionOf(domain: DomainSpec): readonly string[] {
  const actions = actionsType(domain);
  const named =
    actions === undefined
      ? []
      : [`export interface DomainActions {\n  readonly ${JSON.stringify(domain.name)}: ${actions};\n}`];
  return [...named, ...(domain.pfTypes === undefined ? [] : [domain.pfTypes.trim()])];
}

/** What a Program Function may import from "hasp": the declarations for every domain, and what each of these domains adds. */
export function haspTypes(domains: readonly DomainSpec[]): string {
  return `${[base.trim(), ...domains.flatMap(contributionOf)].join("\n\n")}\n`;
}
