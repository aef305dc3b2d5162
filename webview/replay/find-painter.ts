import type { Hit } from "./find-query.ts";
import { clearHits, foldOver, paintHits, type Painted } from "./find-paint.ts";
import type { ReplayState } from "./state.ts";

/** The page, as far as hits are marked in it. */
export interface PaintedView {
  readonly state: ReplayState;
  readonly roots: readonly ParentNode[];
  /** Brings a place into sight, in pixels of the window. */
  readonly show: (place: DOMRect) => void;
}

/** Marks hits once a frame, however often it is asked to; opens and shows the current one when it is a new one. */
export class FindPainter {
  private frame: number | undefined;
  private shown: Hit | undefined;
  private readonly look: () => PaintedView;

  constructor(look: () => PaintedView) {
    this.look = look;
  }

  schedule(): void {
    // Without it, e.g. in an older browser with an exported page, hits are gone to and not marked.
    if (typeof Highlight === "undefined") return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      void this.paint();
    });
  }

  private async paint(): Promise<void> {
    const { state, roots, show } = this.look();
    const { find } = state;
    if (find === undefined) {
      this.shown = undefined;
      return clearHits();
    }
    const painted = paintHits(roots, find.query, find.current);
    if (find.current === undefined) this.shown = undefined;
    if (painted === undefined || find.current === undefined || this.shown === find.current) return;
    this.shown = find.current;
    show(placeOf(await this.unfold(painted, find.current)));
  }

  private async unfold(painted: Painted, hit: Hit): Promise<Painted> {
    const fold = foldOver(painted);
    if (fold === undefined) return painted;
    fold.reveal(hit.end);
    await fold.updateComplete;
    const { state, roots } = this.look();
    if (state.find === undefined) return painted;
    return paintHits(roots, state.find.query, hit) ?? painted;
  }
}

function placeOf({ field, ranges }: Painted): DOMRect {
  return (ranges[0] ?? field).getBoundingClientRect();
}
