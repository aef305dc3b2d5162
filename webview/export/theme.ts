const DARK = "(prefers-color-scheme: dark)";
const CONTRAST = "(prefers-contrast: more)";

/** The class names that VS Code gives the body of a webview in its theme of this kind. */
function themeClasses(dark: boolean, contrast: boolean): string {
  if (contrast) return dark ? "vscode-high-contrast" : "vscode-high-contrast vscode-high-contrast-light";
  return dark ? "vscode-dark" : "vscode-light";
}

/** Light, dark or high contrast, as the browser says that the person wants it, now and when that changes. */
export function followTheme(): void {
  const queries = [DARK, CONTRAST].map((query) => matchMedia(query));
  const apply = (): void => {
    const [dark = false, contrast = false] = queries.map(({ matches }) => matches);
    document.body.className = themeClasses(dark, contrast);
  };
  for (const query of queries) query.addEventListener("change", apply);
  apply();
}
