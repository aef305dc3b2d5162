import ts from "typescript";
import { seededRandom, shuffled } from "../../src/model/random.ts";

/** Ways in which a candidate is spoiled. */
export const MUTATIONS = ["inverted", "always", "never", "dropped condition", "shifted threshold"] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** A candidate made of a shipped Program Function. */
export interface MadeCandidate {
  /** Of the shipped skill. */
  readonly origin: string;
  readonly mutation: Mutation | "original" | "nonsense";
  /** kebab-case and unlike any shipped one. */
  readonly name: string;
  readonly pf: string;
}

function triggerOf(source: ts.SourceFile): ts.MethodDeclaration | undefined {
  let found: ts.MethodDeclaration | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) && node.name.getText(source) === "shouldActivate") found = node;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function all<T extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

const isAnd = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;

/** Numbers with which something is compared, and module constants that are numbers. */
function thresholds(source: ts.SourceFile): ts.NumericLiteral[] {
  return all(source, ts.isNumericLiteral).filter(
    ({ parent }) =>
      (ts.isVariableDeclaration(parent) && parent.parent.parent.parent === source) ||
      (ts.isBinaryExpression(parent) &&
        [
          ts.SyntaxKind.GreaterThanToken,
          ts.SyntaxKind.GreaterThanEqualsToken,
          ts.SyntaxKind.LessThanToken,
          ts.SyntaxKind.LessThanEqualsToken,
        ].includes(parent.operatorToken.kind)),
  );
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const edited = (text: string, { from, to, text: by }: Edit): string =>
  text.slice(0, from) + by + text.slice(to);

/** The code with its trigger spoiled; undefined where it has nothing to spoil in this way. */
export function mutate(pf: string, mutation: Mutation, random: () => number): string | undefined {
  const source = ts.createSourceFile("pf.ts", pf, ts.ScriptTarget.ES2022, true);
  const trigger = triggerOf(source);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (trigger?.body === undefined) return undefined;
  const whole = (text: string): Edit => ({
    from: trigger.body?.getStart(source) ?? 0,
    to: trigger.body?.end ?? 0,
    text,
  });
  switch (mutation) {
    case "always":
      return edited(pf, whole("{\n    return true;\n  }"));
    case "never":
      return edited(pf, whole("{\n    return false;\n  }"));
    case "inverted": {
      const [ctx, type, arg] = ["ctx", "actionType", "arg"];
      const inverse = `shouldActivate(${ctx}: StepContext, ${type}: ActionType, ${arg}: string): boolean {\n    return !this.trigger(${ctx}, ${type}, ${arg});\n  }\n\n  `;
      const named = edited(pf, {
        from: trigger.name.getStart(source),
        to: trigger.name.end,
        text: "trigger",
      });
      const params = trigger.parameters.length;
      const call = inverse.replace(
        "ctx, actionType, arg);",
        `${[ctx, type, arg].slice(0, params).join(", ")});`,
      );
      return edited(named, { from: trigger.getStart(source), to: trigger.getStart(source), text: call });
    }
    case "dropped condition": {
      const chosen = pick(all(trigger, isAnd));
      if (chosen === undefined) return undefined;
      const kept = random() < 0.5 ? chosen.left : chosen.right;
      return edited(pf, { from: chosen.getStart(source), to: chosen.end, text: kept.getText(source) });
    }
    case "shifted threshold": {
      const chosen = pick(thresholds(source));
      if (chosen === undefined) return undefined;
      const value = Number(chosen.text);
      const shifted = random() < 0.5 ? Math.floor(value / 3) : value * 3 + 1;
      return edited(pf, { from: chosen.getStart(source), to: chosen.end, text: String(shifted) });
    }
  }
}

/** The originals under other names, and so many seeded mutations of them, in a seeded order. */
export function madeCandidates(
  shipped: readonly { readonly name: string; readonly pf: string }[],
  mutations: number,
  seed: number,
): readonly MadeCandidate[] {
  const random = seededRandom(seed);
  const made: MadeCandidate[] = [];
  const seen = new Set<string>();
  for (let i = 0; made.length < mutations && i < mutations * 20; i++) {
    const origin = shipped[Math.floor(random() * shipped.length)];
    const mutation = MUTATIONS[made.length % MUTATIONS.length];
    if (origin === undefined || mutation === undefined) continue;
    const pf = mutate(origin.pf, mutation, random);
    if (pf === undefined || pf === origin.pf || seen.has(pf)) continue;
    seen.add(pf);
    made.push({ origin: origin.name, mutation, name: `candidate-${made.length + 1}`, pf });
  }
  const originals = shipped.map(({ name, pf }, i): MadeCandidate => ({
    origin: name,
    mutation: "original",
    name: `original-${i + 1}`,
    pf,
  }));
  return shuffled([...originals, ...made], random);
}
