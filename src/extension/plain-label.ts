/** A stranger's text in a label where VS Code would draw `$(name)` as an icon. */
export const plainLabel = (text: string): string => text.replaceAll("$(", "\\$(");
