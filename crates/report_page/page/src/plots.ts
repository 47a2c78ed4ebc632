// Plots on canvases: scales, points that the pointer can find, and colours that fit the theme.

import { Component, createRef } from "preact";
import { decimal, h } from "parts/view.ts";
import type { State } from "./state.ts";

export interface Scale {
  (value: number): number;
  back: (px: number) => number;
  ticks: number[];
}

/** Maps values to pixels, with round ticks. */
export function scale([low, high]: [number, number], [from, to]: [number, number], nTicks = 5): Scale {
  const span = high - low || 1;
  const made = ((value: number) => from + ((value - low) / span) * (to - from)) as Scale;
  made.back = (px) => low + ((px - from) / (to - from || 1)) * span;
  const rough = span / nTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) ?? power;
  made.ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k += 1) made.ticks.push(k * step);
  return made;
}

/** Smallest and largest value, with a little space. */
export function extent(values: number[], also: number[] = []): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of [values, also]) {
    for (const v of list) [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  if (!Number.isFinite(low)) return [0, 1];
  const room = (high - low || 1) * 0.04;
  return [low - room, high + room];
}

/** A quantile of sorted values, interpolated linearly. */
export function quantile(sorted: number[], share: number): number | null {
  if (sorted.length === 0) return null;
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (at - Math.floor(at)) * (above - below);
}

export function tickText(value: number, ticks: number[]): string {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
  return decimal(value, Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

export interface Spot {
  x: number;
  y: number;
  pair: number;
}

export interface Colours {
  text: string;
  quiet: string;
  line: string;
  back: string;
  marked: string;
  series: string[];
}

const DASHES: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4]];

type Point = [number, number];

interface PlotProps {
  /** Describes the plot in words. */
  label: string;
  height: number;
  drawn: (plot: Plot) => void;
  update: (changes: Partial<State>) => void;
  /** Called with the corners of a rectangle that was drawn over the plot. */
  selected?: (from: Point, to: Point) => void;
}

/** A canvas that is redrawn when its width or the theme changes, and that knows the pair under the pointer. */
export class Plot extends Component<PlotProps> {
  spots: Spot[] = [];
  width = 0;
  private readonly element = createRef<HTMLCanvasElement>();
  private readonly resized = new ResizeObserver(() => this.draw());
  private readonly theme = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly themed = () => this.draw();
  /** The start of a rectangle, and whether the next click is its end. */
  private from: Point | null = null;
  private isDragged = false;

  override componentDidMount(): void {
    this.draw();
    this.resized.observe(this.canvas);
    this.theme.addEventListener("change", this.themed);
  }

  override componentDidUpdate(): void {
    this.draw();
  }

  override componentWillUnmount(): void {
    this.resized.disconnect();
    this.theme.removeEventListener("change", this.themed);
  }

  render() {
    const open = (event: MouseEvent) => {
      const pair = this.isDragged ? null : this.pairAt(this.at(event));
      if (pair !== null) this.props.update({ pair });
    };
    const point = (event: MouseEvent) => {
      this.canvas.style.cursor = this.pairAt(this.at(event)) === null ? "" : "pointer";
    };
    const drag = this.props.selected && {
      onPointerDown: (event: PointerEvent) => {
        [this.from, this.isDragged] = [this.at(event), false];
        this.canvas.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const [from, to] = [this.from, this.at(event)];
        if (!from) return;
        this.draw();
        this.line([from, [to[0], from[1]], to, [from[0], to[1]], from], this.colours.marked, 2);
      },
      onPointerUp: (event: PointerEvent) => {
        const [from, to] = [this.from, this.at(event)];
        this.from = null;
        // A shorter drag is a click.
        this.isDragged = from !== null && Math.hypot(to[0] - from[0], to[1] - from[1]) >= 6;
        if (from && this.isDragged) this.props.selected?.(from, to);
      },
    };
    return h("canvas", { class: "plot", role: "img", "aria-label": this.props.label, ref: this.element, onClick: open, onMouseMove: point, ...drag });
  }

  private get canvas(): HTMLCanvasElement {
    return this.element.current as HTMLCanvasElement;
  }

  get pen(): CanvasRenderingContext2D {
    return this.canvas.getContext("2d") as CanvasRenderingContext2D;
  }

  draw(): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = `${this.props.height}px`;
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.props.height * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.props.height);
    this.pen.font = "13px system-ui, sans-serif";
    this.spots = [];
    this.props.drawn(this);
  }

  get colours(): Colours {
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(name).trim();
    return {
      text: of("--text"),
      quiet: of("--quiet"),
      line: of("--line"),
      back: of("--back"),
      marked: of("--marked"),
      series: [1, 2, 3, 4, 5].map((k) => of(`--series-${k}`)),
    };
  }

  colour(series: number): string {
    return this.colours.series[series % 5] ?? this.colours.text;
  }

  dash(series: number): number[] {
    return DASHES[series % DASHES.length] ?? [];
  }

  line(points: Point[], colour: string, width = 1, dash: number[] = []): void {
    const { pen } = this;
    pen.save();
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    for (const [place, [x, y]] of points.entries()) place === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y);
    pen.stroke();
    pen.restore();
  }

  text(text: string, x: number, y: number, align: CanvasTextAlign = "left", colour = this.colours.text, room = Infinity): void {
    const { pen } = this;
    pen.fillStyle = colour;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    let shown = text;
    while (shown.length > 1 && pen.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
    pen.fillText(shown, x, y);
  }

  /** Draws a mark with the shape of its series: circle, square, triangle, diamond or cross. */
  spot(x: number, y: number, pair: number, series: number, colour: string, size = 2.6): void {
    const { pen } = this;
    this.spots.push({ x, y, pair });
    pen.fillStyle = colour;
    pen.beginPath();
    switch (series % 5) {
      case 0:
        pen.arc(x, y, size, 0, 7);
        break;
      case 1:
        pen.rect(x - size, y - size, 2 * size, 2 * size);
        break;
      case 2:
        pen.moveTo(x, y - size * 1.2);
        pen.lineTo(x + size * 1.2, y + size);
        pen.lineTo(x - size * 1.2, y + size);
        break;
      case 3:
        pen.moveTo(x, y - size * 1.4);
        pen.lineTo(x + size * 1.4, y);
        pen.lineTo(x, y + size * 1.4);
        pen.lineTo(x - size * 1.4, y);
        break;
      default:
        pen.rect(x - size * 1.3, y - size / 2.5, 2.6 * size, size / 1.25);
        pen.rect(x - size / 2.5, y - size * 1.3, size / 1.25, 2.6 * size);
    }
    pen.fill();
  }

  /** Draws a horizontal axis below `y` with ticks and a name. */
  xAxis(x: Scale, y: number, top: number, name: string): void {
    for (const tick of x.ticks) {
      this.line([[x(tick), top], [x(tick), y]], this.colours.line);
      this.text(tickText(tick, x.ticks), x(tick), y + 12, "center", this.colours.quiet);
    }
    this.text(name, (x(x.ticks[0] ?? 0) + x(x.ticks.at(-1) ?? 1)) / 2, y + 30, "center");
  }

  yAxis(y: Scale, from: number, to: number, name: string): void {
    for (const tick of y.ticks) {
      this.line([[from, y(tick)], [to, y(tick)]], this.colours.line);
      this.text(tickText(tick, y.ticks), from - 6, y(tick), "right", this.colours.quiet);
    }
    this.text(name, 4, 10, "left", this.colours.text, this.width - 8);
  }

  private at(event: MouseEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pairAt([x, y]: Point): number | null {
    let [nearest, distance] = [null as number | null, 64];
    for (const spot of this.spots) {
      const d = (spot.x - x) ** 2 + (spot.y - y) ** 2;
      if (d < distance) [nearest, distance] = [spot.pair, d];
    }
    return nearest;
  }
}

/** A number between −1 and 1 that is always the same for a pair; it separates points that would overlap. */
export function jitter(pair: number): number {
  return (((pair * 2654435761) >>> 8) % 1000) / 500 - 1;
}
