/**
 * How a pf.ts is compiled, in tsconfig.json's words: VS Code's own TypeScript and our checker must agree on every error.
 * `noLib` and `types: []` leave only what `lib/lib.hasp.d.ts` declares.
 */
export const PF_COMPILER_OPTIONS = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  noLib: true,
  types: [],
  strict: true,
  noImplicitOverride: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  noEmit: true,
} as const;
