// Plots on canvases: scales, points that can be found again under the pointer, and colours that fit the theme.

import { decimal, h } from "parts/dom.ts";

export interface Scale {
  (value: number): number;
  back: (px: number) => number;
  ticks: number[];
}

/** From values to pixels, with round ticks. */
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

/** Smallest and largest value with a little room. */
export function extent(values: number[], also: number[] = []): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of [values, also]) {
    for (const v of list) [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  if (!Number.isFinite(low)) return [0, 1];
  const room = (high - low || 1) * 0.04;
  return [low - room, high + room];
}

/** The value below which a share of sorted values lies, between two by their distance. */
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

/** A canvas that is drawn anew when its width or the theme changes, and that knows the pair under the pointer. */
export class Plot {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  spots: Spot[] = [];
  width = 0;

  /** `label` says in words what is seen. */
  constructor(
    label: string,
    public height: number,
    private readonly drawn: (plot: Plot) => void,
    private readonly opened: (pair: number) => void,
  ) {
    this.canvas = h("canvas", { class: "plot", role: "img", "aria-label": label });
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("this browser draws no canvas");
    this.context = context;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.canvas.addEventListener("click", (event) => {
      const pair = this.pairAt(event);
      if (pair !== null) this.opened(pair);
    });
    this.canvas.addEventListener("mousemove", (event) => {
      this.canvas.style.cursor = this.pairAt(event) === null ? "" : "pointer";
    });
  }

  draw(): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = `${this.height}px`;
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.context.font = "13px system-ui, sans-serif";
    this.spots = [];
    this.drawn(this);
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

  line(points: [number, number][], colour: string, width = 1, dash: number[] = []): void {
    const { context } = this;
    context.save();
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    for (const [place, [x, y]] of points.entries()) place === 0 ? context.moveTo(x, y) : context.lineTo(x, y);
    context.stroke();
    context.restore();
  }

  text(text: string, x: number, y: number, align: CanvasTextAlign = "left", colour = this.colours.text, room = Infinity): void {
    const { context } = this;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = "middle";
    let shown = text;
    while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
    context.fillText(shown, x, y);
  }

  /** A mark in the form of its series: circle, square, triangle, diamond or cross. */
  spot(x: number, y: number, pair: number, series: number, colour: string, size = 2.6): void {
    const { context } = this;
    this.spots.push({ x, y, pair });
    context.fillStyle = colour;
    context.beginPath();
    switch (series % 5) {
      case 0:
        context.arc(x, y, size, 0, 7);
        break;
      case 1:
        context.rect(x - size, y - size, 2 * size, 2 * size);
        break;
      case 2:
        context.moveTo(x, y - size * 1.2);
        context.lineTo(x + size * 1.2, y + size);
        context.lineTo(x - size * 1.2, y + size);
        break;
      case 3:
        context.moveTo(x, y - size * 1.4);
        context.lineTo(x + size * 1.4, y);
        context.lineTo(x, y + size * 1.4);
        context.lineTo(x - size * 1.4, y);
        break;
      default:
        context.rect(x - size * 1.3, y - size / 2.5, 2.6 * size, size / 1.25);
        context.rect(x - size / 2.5, y - size * 1.3, size / 1.25, 2.6 * size);
    }
    context.fill();
  }

  /** A horizontal axis with its ticks and name below `y`. */
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

  private pairAt(event: MouseEvent): number | null {
    const at = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - at.left, event.clientY - at.top];
    let [nearest, distance] = [null as number | null, 64];
    for (const spot of this.spots) {
      const d = (spot.x - x) ** 2 + (spot.y - y) ** 2;
      if (d < distance) [nearest, distance] = [spot.pair, d];
    }
    return nearest;
  }
}

/** Between −1 and 1, always the same for a pair: spreads points that would lie on each other. */
export function jitter(pair: number): number {
  return (((pair * 2654435761) >>> 8) % 1000) / 500 - 1;
}
