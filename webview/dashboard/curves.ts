import { html, LitElement, type PropertyValues } from "lit";
import { CURVES, type CurveName } from "../../src/protocol/dashboard.ts";
import { baseStyles } from "../replay/styles/base.ts";
import type { XAxis } from "./axis.ts";
import { type Chart, createChart } from "./chart.ts";
import type { DashboardController } from "./controller.ts";
import { type Aligned, createDecimator, type Line } from "./decimate.ts";
import { valueWords } from "./figures.ts";
import { type Palette, readPalette } from "./palette.ts";
import { CURVE_WORDS, type ShownRun, wholeRange } from "./model.ts";
import { curvesStyles } from "./styles.ts";
import type { Range } from "./zoom.ts";

/** Height of a chart in pixels. */
const HEIGHT = 210;
/** Pixels of the labels beside the plot. */
const BESIDE = 72;
/** Charts of more points than pixels that one frame draws, so that no frame takes long. */
const LARGE_PER_FRAME = 1;
/** Change of the width in sight for a notch of the wheel. */
const NOTCH = 1.0015;

/** The chart of a scalar, for screen readers: the last value of each run. */
function labelOf(name: CurveName, shown: readonly ShownRun[]): string {
  const parts = shown.map(({ run, points }) => {
    const columns = points?.columns();
    if (columns === undefined || columns.step.length === 0) return `${run.title} has no points`;
    const words = valueWords(name, columns[name].at(-1));
    return `${run.title} ${words} at step ${(columns.step.at(-1) ?? 0).toLocaleString("en")}`;
  });
  return `${CURVE_WORDS[name].title}: ${parts.join("; ")}`;
}

/** `<hasp-curves>`: six charts over one x axis, with a common cursor and zoom. Draws at most once a frame. */
export class HaspCurves extends LitElement {
  static override properties = {
    shown: { attribute: false },
    version: { attribute: false },
    axis: { attribute: false },
    isSmooth: { attribute: false },
    zoom: { attribute: false },
    cursor: { attribute: false },
  };
  static override styles = [baseStyles, curvesStyles];
  declare shown: readonly ShownRun[];
  declare version: number;
  declare axis: XAxis;
  declare isSmooth: boolean;
  declare zoom: Range | undefined;
  declare cursor: number | undefined;
  controller: DashboardController | undefined;
  private readonly charts = new Map<CurveName, Chart>();
  /** Data of the lines as drawn last, for tests. */
  readonly drawn = new Map<CurveName, Aligned>();
  private readonly decimator = createDecimator();
  private palette: Palette | undefined;
  /** Slots and smoothing that the charts were made for. */
  private made = "";
  private width = 0;
  private frame: number | undefined;
  private readonly pending: (() => void)[] = [];
  /** Charts whose drawing is old. */
  private readonly waiting = new Set<CurveName>();
  private readonly resizing = new ResizeObserver(() => this.resize());
  private readonly themes = new MutationObserver(() => this.repaint());

  constructor() {
    super();
    this.shown = [];
    this.version = 0;
    this.axis = "step";
    this.isSmooth = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizing.observe(this);
    const attributes = { attributes: true, attributeFilter: ["class", "style"] };
    this.themes.observe(document.body, attributes);
    this.themes.observe(document.documentElement, attributes);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizing.disconnect();
    this.themes.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    for (const chart of this.charts.values()) chart.destroy();
    this.charts.clear();
    this.made = "";
  }

  /** Pixels of a plot. */
  get columns(): number {
    return Math.max(50, Math.round(this.width - BESIDE));
  }

  /** The stretch of the x axis that is in sight. */
  get range(): Range | undefined {
    return this.zoom ?? wholeRange(this.shown, this.axis);
  }

  private resize(): void {
    const width = Math.floor(this.renderRoot.querySelector(".plot")?.clientWidth ?? 0);
    if (width === this.width || width === 0) return;
    this.width = width;
    for (const chart of this.charts.values()) chart.setSize(width, HEIGHT);
    this.drawSoon();
  }

  private repaint(): void {
    this.palette = undefined;
    for (const chart of this.charts.values()) chart.repaint();
  }

  private readPalette(): Palette {
    return (this.palette ??= readPalette(this));
  }

  /** Runs work with the next frame: many wheel events make one change. */
  private atFrame(work: () => void): void {
    this.pending.push(work);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      for (const one of this.pending.splice(0)) one();
    });
  }

  /** Draws all charts with the next frames. A chart that waits keeps its place, so that a gesture starves none. */
  private drawSoon(): void {
    const isFirst = this.waiting.size === 0;
    for (const name of CURVES) this.waiting.add(name);
    if (isFirst) this.atFrame(() => this.drawWaiting());
  }

  /** Draws as many charts as fit in a frame. */
  private drawWaiting(): void {
    if (this.width > 0) {
      this.makeCharts();
      const range = this.range ?? { from: 0, to: 1 };
      let large = 0;
      for (const name of this.waiting) {
        if (large >= LARGE_PER_FRAME) break;
        this.waiting.delete(name);
        if (this.draw(name, range)) large++;
      }
    } else this.waiting.clear();
    if (this.waiting.size > 0) this.atFrame(() => this.drawWaiting());
  }

  private makeCharts(): void {
    const made = JSON.stringify([this.isSmooth, this.shown.map(({ slot }) => slot)]);
    if (made === this.made) return;
    this.made = made;
    const lines = this.shown.flatMap(({ slot }) =>
      this.isSmooth
        ? [
            { slot, isFaint: true },
            { slot, isFaint: false },
          ]
        : [{ slot, isFaint: false }],
    );
    // Faint lines are behind all others.
    lines.sort((a, b) => Number(b.isFaint) - Number(a.isFaint));
    for (const name of CURVES) {
      this.charts.get(name)?.destroy();
      const place = this.renderRoot.querySelector<HTMLElement>(`.plot[data-curve=${name}]`);
      if (place === null) continue;
      const chart = createChart(
        place,
        lines,
        { width: this.width, height: HEIGHT },
        {
          palette: () => this.readPalette(),
          boundaries: () =>
            this.shown.flatMap(({ slot, points }) =>
              (points?.curves(this.axis).boundaries ?? []).map((x) => ({ x, slot })),
            ),
          onCursor: (x) => this.atFrame(() => this.controller?.setCursor(x)),
          onZoom: (range) => this.controller?.show(range),
        },
      );
      this.charts.set(name, chart);
    }
  }

  private linesOf(name: CurveName): readonly Line[] {
    const all = this.shown.map(({ points }) => points?.curves(this.axis));
    const empty: Line = { xs: new Float64Array(0), ys: new Float64Array(0) };
    const raw = all.map((curves) => curves?.raw[name] ?? empty);
    return this.isSmooth ? [...raw, ...all.map((curves) => curves?.smooth[name] ?? empty)] : raw;
  }

  /** Whether the chart has more points than pixels. */
  private draw(name: CurveName, range: Range): boolean {
    const chart = this.charts.get(name);
    if (chart === undefined) return false;
    const aligned = this.decimator.align(this.linesOf(name), range, this.columns);
    this.drawn.set(name, aligned);
    chart.draw(aligned, range);
    chart.setCursor(this.cursor);
    return aligned.xs.length > this.columns;
  }

  private drawCursor(): void {
    for (const chart of this.charts.values()) chart.setCursor(this.cursor);
  }

  protected override updated(changed: PropertyValues): void {
    if (this.width === 0) this.resize();
    const onlyCursor = changed.size === 1 && changed.has("cursor");
    if (onlyCursor) this.drawCursor();
    else this.drawSoon();
  }

  /** Whether all charts are in sight, so that a wheel has nothing to scroll. */
  private fits(): boolean {
    const pane = this.closest("main");
    return pane === null || pane.scrollHeight <= pane.clientHeight + 1;
  }

  private readonly onWheel = (event: WheelEvent): void => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const isZoom = event.ctrlKey || event.metaKey || this.fits();
    if (!isSideways && !isZoom) return;
    event.preventDefault();
    const plot = event.currentTarget;
    const over = plot instanceof Element ? plot.querySelector(".u-over") : null;
    const range = this.range;
    if (over === null || range === undefined) return;
    const { left, width } = over.getBoundingClientRect();
    const by = isSideways && event.deltaX !== 0 ? event.deltaX : event.deltaY;
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    this.atFrame(() => {
      if (isSideways) this.controller?.pan(by / width);
      else this.controller?.zoom(NOTCH ** by, range.from + share * (range.to - range.from));
    });
  };

  protected override render(): unknown {
    return html`<div class="charts">
      ${CURVES.map((name) => {
        const { title, unit, meaning } = CURVE_WORDS[name];
        return html`<figure>
          <figcaption title=${meaning}>
            ${title}${unit === "" ? "" : html` <span class="quiet">${unit}</span>`}
          </figcaption>
          <div
            class="plot"
            role="img"
            data-curve=${name}
            aria-label=${labelOf(name, this.shown)}
            @wheel=${{ handleEvent: this.onWheel, passive: false }}
          ></div>
        </figure>`;
      })}
    </div>`;
  }
}

customElements.define("hasp-curves", HaspCurves);
