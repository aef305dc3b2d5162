import ts from "typescript";
import type { NameScopes } from "./name-scopes.ts";
import { bare, memberName, methodOf, type PfModule } from "./pf-module.ts";
import { returnedBy, type Body } from "./returned.ts";

/** A part of a text: a literal of the file, or a value that only a run knows, which counts as a word. */
export interface TextPart {
  readonly text: string;
  readonly node?: ts.Node;
}

const VALUE: TextPart = { text: "x" };

/** Methods that leave the words of a text, or of the texts of a list, as they are. */
const KEEPING: ReadonlySet<string> = new Set(["join", "trim", "concat", "slice", "at"]);

type Text = ts.Expression;

/**
 * The texts that an expression may stand for, each as its parts in their order. A constant, a choice and what a function of the file
 * returns are texts of their own. What cannot be followed is a value.
 */
export function writtenTexts(
  start: Text,
  module: PfModule,
  names: NameScopes,
): readonly (readonly TextPart[])[] {
  const texts: (readonly TextPart[])[] = [];
  const seen = new Set<ts.Node>();

  function partsOf(node: Text): readonly TextPart[] {
    const text = bare(node);
    if (ts.isStringLiteralLike(text)) return [{ text: text.text, node: text }];
    if (ts.isTemplateExpression(text))
      return [
        { text: text.head.text, node: text.head },
        ...text.templateSpans.flatMap(({ expression, literal }) => [
          ...partsOf(expression),
          { text: literal.text, node: literal },
        ]),
      ];
    if (ts.isBinaryExpression(text) && text.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return [...partsOf(text.left), ...partsOf(text.right)];
    for (const other of meantBy(text, module, names)) add(other);
    return [VALUE];
  }

  function add(node: Text): void {
    if (seen.has(node)) return;
    seen.add(node);
    texts.push(partsOf(node));
  }

  add(start);
  return texts;
}

/** The expressions of the file whose values this one may have. */
function meantBy(text: Text, module: PfModule, names: NameScopes): readonly Text[] {
  if (ts.isAwaitExpression(text)) return [text.expression];
  if (ts.isConditionalExpression(text)) return [text.whenTrue, text.whenFalse];
  if (ts.isBinaryExpression(text)) return isEither(text) ? [text.left, text.right] : [];
  if (ts.isArrayLiteralExpression(text)) return text.elements;
  if (ts.isIdentifier(text)) return [names.constantOf(text) ?? []].flat();
  if (ts.isCallExpression(text)) return returnedFrom(text, module, names);
  if (ts.isPropertyAccessExpression(text) || ts.isElementAccessExpression(text))
    return fieldOf(text, module, names);
  return [];
}

/** `a ?? b`, `a || b` and `a && b` have the value of one of their sides. */
const CHOOSING: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

const isEither = ({ operatorToken }: ts.BinaryExpression): boolean => CHOOSING.has(operatorToken.kind);

/** The result of a call of a function or a method of the file; of a method of a text or a list, that text or list. */
function returnedFrom(call: ts.CallExpression, module: PfModule, names: NameScopes): readonly Text[] {
  const callee = bare(call.expression);
  const method = memberName(callee);
  const owner = ts.isPropertyAccessExpression(callee) ? bare(callee.expression) : undefined;
  if (owner !== undefined && owner.kind !== ts.SyntaxKind.ThisKeyword)
    return method !== undefined && KEEPING.has(method) ? [owner] : [];
  const body = ts.isIdentifier(callee) ? functionNamed(callee, names) : methodOf(module, method ?? "");
  return body === undefined ? [] : (returnedBy(body) ?? []);
}

function functionNamed(name: ts.Identifier, names: NameScopes): Body | undefined {
  const declared = names.declarationOf(name);
  if (declared !== undefined && ts.isFunctionDeclaration(declared)) return declared;
  const held = names.constantOf(name);
  const made = held === undefined ? undefined : bare(held);
  return made !== undefined && (ts.isArrowFunction(made) || ts.isFunctionExpression(made)) ? made : undefined;
}

/** The values of a field of the PF, or of an entry of a constant list or object: of all entries where only a run knows which. */
function fieldOf(
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  module: PfModule,
  names: NameScopes,
): readonly Text[] {
  const name = memberName(access);
  const owner = bare(access.expression);
  const isOwn = owner.kind === ts.SyntaxKind.ThisKeyword;
  const held = ts.isIdentifier(owner) ? names.constantOf(owner) : undefined;
  const table = held === undefined ? owner : bare(held);
  if (ts.isArrayLiteralExpression(table)) return name === undefined ? table.elements : [];
  if (ts.isObjectLiteralExpression(table)) return entriesOf(table, name);
  const declared = ts.isIdentifier(owner) ? names.declarationOf(owner) : undefined;
  const classes = isOwn ? module.lineage : module.lineage.filter((line) => line === declared);
  return classes
    .flatMap((line) => [...line.members])
    .flatMap((member) =>
      ts.isPropertyDeclaration(member) && member.name.getText(module.ast) === name
        ? (member.initializer ?? [])
        : [],
    );
}

/** The values of an object's entries; of the one named, where a name is given. */
function entriesOf(table: ts.ObjectLiteralExpression, name: string | undefined): readonly Text[] {
  return table.properties.flatMap((entry) => {
    if (!ts.isPropertyAssignment(entry)) return [];
    const isMeant =
      name === undefined || (!ts.isComputedPropertyName(entry.name) && entry.name.text === name);
    return isMeant ? [entry.initializer] : [];
  });
}
