import uPlot from "uplot";
import type { Aligned } from "./decimate.ts";
import { tickWords } from "./figures.ts";
import { lookOf } from "./looks.ts";
import type { Palette } from "./palette.ts";
import type { Range } from "./zoom.ts";

/** One line of a chart: a run as recorded, or smoothed. */
export interface ChartLine {
  readonly slot: number;
  /** Drawn behind its smoothed line. */
  readonly isFaint: boolean;
}

/** Calls and data of a chart; what it asks for is read while it is drawn. */
export interface ChartPorts {
  readonly palette: () => Palette;
  readonly boundaries: () => readonly { readonly x: number; readonly slot: number }[];
  readonly onCursor: (x: number | undefined) => void;
  readonly onZoom: (range: Range | undefined) => void;
}

export interface Chart {
  draw(aligned: Aligned, range: Range): void;
  setSize(width: number, height: number): void;
  /** Draws the cursor at an x, as the other charts do. */
  setCursor(x: number | undefined): void;
  /** After a change of theme. */
  repaint(): void;
  destroy(): void;
}

/** Pixels of the labels of the y axis: the same in all charts, so that they align. */
const Y_AXIS = 52;
const X_AXIS = 26;
/** Pixels between two labels. */
const SPACE = { x: 56, y: 30 };
/** Pixels that a drag needs to be one. */
const DRAG = 4;
/** Widths of lines in pixels. */
const THIN = 1;
const THICK = 1.5;
/** Opacity of a recorded line behind its smoothed one. */
const FAINT = 0.35;

function axisOf(palette: () => Palette, size: number, space: number): uPlot.Axis {
  return {
    size,
    space,
    gap: 4,
    font: "11px sans-serif",
    stroke: () => palette().text,
    grid: { stroke: () => palette().grid, width: 1 },
    ticks: { show: false },
    border: { show: false },
    values: (_plot, splits) => tickWords(splits),
  };
}

function seriesOf({ slot, isFaint }: ChartLine, palette: () => Palette): uPlot.Series {
  return {
    stroke: () => palette().line(slot),
    width: isFaint ? THIN : THICK,
    alpha: isFaint ? FAINT : 1,
    dash: isFaint ? [] : [...lookOf(slot).dash],
    spanGaps: false,
    points: { size: 5, ...(isFaint && { show: false }) },
  };
}

/** Dotted vertical lines. */
function drawBoundaries(plot: uPlot, { boundaries, palette }: ChartPorts): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.lineWidth = ratio;
  ctx.globalAlpha = 0.7;
  ctx.strokeStyle = palette().boundary;
  for (const { x } of boundaries()) {
    const left = Math.round(plot.valToPos(x, "x", true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function optionsOf(
  lines: readonly ChartLine[],
  ports: ChartPorts,
  range: () => Range,
): Omit<uPlot.Options, "width" | "height"> {
  const { palette, onZoom } = ports;
  return {
    legend: { show: false },
    padding: [8, 20, 0, 0],
    pxAlign: 0,
    scales: { x: { time: false, range: () => [range().from, range().to] } },
    axes: [axisOf(palette, X_AXIS, SPACE.x), axisOf(palette, Y_AXIS, SPACE.y)],
    series: [{}, ...lines.map((line) => seriesOf(line, palette))],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: DRAG },
      bind: {
        dblclick: () => () => {
          onZoom(undefined);
          return null;
        },
      },
    },
    hooks: {
      draw: [(plot) => drawBoundaries(plot, ports)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width <= 0) return;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onZoom({ from: plot.posToVal(left, "x"), to: plot.posToVal(left + width, "x") });
        },
      ],
    },
  };
}

/** A chart in `place`, with these lines over one x axis. */
export function createChart(
  place: HTMLElement,
  lines: readonly ChartLine[],
  size: { readonly width: number; readonly height: number },
  ports: ChartPorts,
): Chart {
  let shown: Range = { from: 0, to: 1 };
  const options = optionsOf(lines, ports, () => shown);
  const plot = new uPlot({ ...options, ...size }, [[], ...lines.map(() => [])], place);
  plot.over.addEventListener("mousemove", ({ offsetX }) => ports.onCursor(plot.posToVal(offsetX, "x")));
  plot.over.addEventListener("mouseleave", () => ports.onCursor(undefined));
  return {
    draw({ xs, lines: values, isDense }, range) {
      shown = range;
      // Browsers draw a line of one device pixel many times faster, and many points need no wider one.
      plot.series.forEach((series, i) => {
        const width = lines[i - 1]?.isFaint === true ? THIN : THICK;
        series.width = isDense ? 1 / uPlot.pxRatio : width;
      });
      plot.batch(() => {
        plot.setData([[...xs], ...values], false);
        plot.setScale("x", { min: range.from, max: range.to });
      });
    },
    setSize: (width, height) => plot.setSize({ width, height }),
    setCursor(x) {
      const left = x === undefined ? -10 : plot.valToPos(x, "x");
      plot.setCursor({ left, top: x === undefined ? -10 : 0 }, false);
    },
    repaint: () => plot.redraw(false),
    destroy: () => plot.destroy(),
  };
}
