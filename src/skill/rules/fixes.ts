import ts from "typescript";
import type { Fix, TextEdit } from "../../model/diagnostic.ts";
import type { PfModule } from "../pf-module.ts";

/** What stands from `start` to `end` (offsets) gives way to `newText`. */
export function edit(module: PfModule, start: number, end: number, newText: string): TextEdit {
  return { range: module.text.range(start, end), newText };
}

/** Another text in place of a node. */
export function replace(module: PfModule, node: ts.Node, newText: string): TextEdit {
  return edit(module, node.getStart(module.ast), node.getEnd(), newText);
}

/** The node with the blanks after it. */
export function cut(module: PfModule, node: ts.Node): TextEdit {
  const { text } = module.text;
  const blanks = /^[ \t]*/.exec(text.slice(node.getEnd()))?.[0].length ?? 0;
  return edit(module, node.getStart(module.ast), node.getEnd() + blanks, "");
}

/** A statement, with its line where it has one of its own. */
export function cutStatement(module: PfModule, node: ts.Node): TextEdit {
  const { text } = module.text;
  const start = node.getStart(module.ast);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(node.getEnd()))?.[0];
  const isAlone = rest !== undefined && text.slice(lineStart, start).trim() === "";
  return isAlone ? edit(module, lineStart, node.getEnd() + rest.length, "") : cut(module, node);
}

/** What is written to make a name of "hasp" known; nothing where it is already. */
export function importing(module: PfModule, name: string): readonly TextEdit[] {
  if (module.declared.has(name)) return [];
  for (const statement of module.ast.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const clause = statement.importClause;
    const named = clause?.namedBindings;
    if (statement.moduleSpecifier.text !== "hasp" || named === undefined || !ts.isNamedImports(named))
      continue;
    if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    const [first] = named.elements;
    const at = first === undefined ? named.getStart(module.ast) + 1 : first.getStart(module.ast);
    return [edit(module, at, at, first === undefined ? ` ${name} ` : `${name}, `)];
  }
  return [edit(module, 0, 0, `import { ${name} } from "hasp";\n`)];
}

/** Right after the opening brace of a class or a block. */
export function atTop(module: PfModule, node: ts.ClassLikeDeclaration | ts.Block, line: string): TextEdit {
  const members = ts.isBlock(node) ? node.statements : node.members;
  const brace = module.text.text.indexOf("{", Math.max(node.getStart(module.ast), members.pos - 1));
  return edit(module, brace + 1, brace + 1, `\n${line}`);
}

/** Right before the closing brace of a class. */
export function atEnd(module: PfModule, node: ts.ClassLikeDeclaration, lines: string): TextEdit {
  const brace = node.getEnd() - 1;
  const { text } = module.text;
  const isOwnLine = /\n[ \t]*$/.test(text.slice(0, brace));
  const at = isOwnLine ? text.lastIndexOf("\n", brace) + 1 : brace;
  return edit(module, at, at, isOwnLine ? lines : `\n${lines}`);
}

export function fix(title: string, edits: readonly TextEdit[], byHand?: "by hand"): Fix {
  return { title, edits, ...(byHand !== undefined && { byHand: true as const }) };
}

/** A PF that says nothing yet, for a file that holds none. */
export const EMPTY_PF = `import { noop, ProgramFunction, type Intervention } from "hasp";

export default class MySkill extends ProgramFunction {
  shouldActivate(): boolean {
    return false;
  }
  intervene(): Intervention {
    return noop("nothing to say yet");
  }
}
`;

const METHODS: Readonly<Record<string, string>> = {
  shouldActivate: "  shouldActivate(): boolean {\n    return false;\n  }\n",
  intervene: '  intervene() {\n    return noop("nothing to say yet");\n  }\n',
};

/** A method that the PF class lacks. */
export function withMethod(module: PfModule, name: string): readonly Fix[] {
  const { pfClass } = module;
  const lines = METHODS[name];
  if (pfClass === undefined || lines === undefined) return [];
  const imports = name === "intervene" ? importing(module, "noop") : [];
  return [fix(`Add \`${name}\``, [...imports, atEnd(module, pfClass, lines)])];
}

/** A class that could be the PF: the only one, or the only one that extends ProgramFunction. */
export function withDefaultClass(module: PfModule): readonly Fix[] {
  const classes = module.ast.statements.filter(ts.isClassDeclaration);
  const pfs = classes.filter((one) =>
    one.heritageClauses?.some((c) => /\bProgramFunction\b/.test(c.getText(module.ast))),
  );
  const [only, ...others] = pfs.length > 0 ? pfs : classes;
  const isExported = module.ast.statements.some(
    (s) =>
      ts.isExportAssignment(s) ||
      (ts.canHaveModifiers(s) && ts.getModifiers(s)?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword)),
  );
  if (only === undefined && !isExported) {
    const end = module.text.text.length;
    const own = EMPTY_PF.slice(EMPTY_PF.indexOf("export"));
    const imports = ["noop", "ProgramFunction"].filter((name) => !module.declared.has(name));
    const line = imports.length === 0 ? "" : `import { ${imports.join(", ")} } from "hasp";\n`;
    return [
      fix(
        "Add a class",
        [edit(module, 0, 0, line), edit(module, end, end, `\n${own.replace(": Intervention", "")}`)],
        "by hand",
      ),
    ];
  }
  if (only === undefined || others.length > 0 || isExported) return [];
  const word = only.modifiers?.find((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  const change =
    word === undefined
      ? edit(module, only.getStart(module.ast), only.getStart(module.ast), "export default ")
      : replace(module, word, "export default");
  return [fix(`Export \`${only.name?.text ?? "the class"}\` as default`, [change])];
}

/** `extends ProgramFunction` for the default class. */
export function withBase(module: PfModule): readonly Fix[] {
  const { pfClass } = module;
  if (pfClass === undefined || pfClass.heritageClauses?.some((c) => c.token === ts.SyntaxKind.ExtendsKeyword))
    return [];
  const at =
    pfClass.typeParameters?.end ??
    pfClass.name?.getEnd() ??
    pfClass.getText(module.ast).indexOf("class") + 5 + pfClass.getStart(module.ast);
  return [
    fix("Extend ProgramFunction", [
      ...importing(module, "ProgramFunction"),
      edit(module, at, at, " extends ProgramFunction"),
    ]),
  ];
}

/** A field of the PF class, or another value for the one it has. */
export function withField(module: PfModule, name: string, value: string): Fix | undefined {
  const { pfClass } = module;
  if (pfClass === undefined) return undefined;
  const member = pfClass.members.find(
    (one) => ts.isPropertyDeclaration(one) && one.name.getText(module.ast) === name,
  );
  const title = `Write \`override ${name} = ${value};\``;
  if (member !== undefined && ts.isPropertyDeclaration(member)) {
    return member.initializer === undefined
      ? undefined
      : fix(title, [replace(module, member.initializer, value)]);
  }
  return fix(title, [atTop(module, pfClass, `  override ${name} = ${value};`)]);
}
