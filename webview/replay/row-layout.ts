import { FlowLayout } from "@lit-labs/virtualizer/layouts/flow.js";

/**
 * The layout of rows, one class for each height. The virtualizer keeps the measures of rows that were drawn, and starts anew
 * only where the class is another one: with old measures the end of the list would be out of reach.
 */
class RowLayout extends FlowLayout {}
class FoundRowLayout extends FlowLayout {}

export const ROW_LAYOUT = { type: RowLayout } as const;
/** Of rows with the line of a hit. */
export const FOUND_ROW_LAYOUT = { type: FoundRowLayout } as const;
