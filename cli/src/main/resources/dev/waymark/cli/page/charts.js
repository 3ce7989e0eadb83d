// Curves: which figures share a chart, and the charts themselves.

import uPlot from './uPlot.js';
import { element, setText } from './dom.js';
import { count, figure, heading } from './text.js';

const MAX_CHARTS = 24;
const HEIGHT = 190;
const SYNC = 'curves';
const DRAWN_IN_ORDER = ['batch', 'train', 'eval', 'device'];
const TOTAL_MEMORY = /^(gpu|npu)_\d{1,4}_memory_total_bytes$/;

/**
 * Puts series that belong together into one chart: what training and evaluation say about the same
 * figure, and the same figure of all accelerators. Loss comes first, accelerators last.
 */
export function chartsOf(series) {
  const names = new Set(series.map((one) => one.name));
  const charts = new Map();
  for (const one of series) {
    if (TOTAL_MEMORY.test(one.name)) continue;
    const place = placeOf(one.name, names);
    if (!charts.has(place.title)) charts.set(place.title, { ...place, lines: [] });
    charts.get(place.title).lines.push({ ...one, label: place.label, role: place.role });
  }
  for (const chart of charts.values()) {
    chart.lines.sort((a, b) => DRAWN_IN_ORDER.indexOf(a.role) - DRAWN_IN_ORDER.indexOf(b.role));
  }
  return [...charts.values()].sort((a, b) => a.rank - b.rank).slice(0, MAX_CHARTS);
}

function placeOf(name, names) {
  const device = /^(gpu|npu)_(\d{1,4})_(.+)$/s.exec(name);
  if (device) return devicePlace(device[1].toUpperCase(), device[2], device[3]);
  const [, side, figureName] = /^(?:(train|eval)_)?(.+)$/s.exec(name) ?? [null, undefined, name];
  const rank = figureName === 'loss' ? 0 : side ? 1 : name === 'learning_rate' ? 2 : 3;
  return { title: heading(figureName), rank, ...roleOf(name, side, names) };
}

// Where there is a mean over the epoch, train_loss, the plain loss is that of the last batch.
function roleOf(name, side, names) {
  if (side === 'eval') return { role: 'eval', label: 'Evaluation' };
  if (side === undefined && names.has(`train_${name}`)) return { role: 'batch', label: 'Batch' };
  return { role: 'train', label: side || names.has(`eval_${name}`) ? 'Training' : heading(name) };
}

function devicePlace(kind, index, what) {
  const place = { label: `${kind} ${index}`, role: 'device', rank: 4 };
  if (what === 'utilization') return { ...place, title: 'Accelerator utilisation, %', range: [0, 100] };
  if (what === 'memory_used_bytes') return { ...place, title: 'Accelerator memory, GiB', unit: 2 ** 30, fromZero: true };
  return { ...place, title: `${kind} ${heading(what).toLowerCase()}`, rank: 5 };
}

let shown = [];
let lastDetail = null;

/** Draws a run's curves. Charts that stay the same get new data only, so that nothing flickers. */
export function showCurves(detail) {
  lastDetail = detail;
  const charts = detail.x.length === 0 ? [] : chartsOf(detail.series);
  const kept = new Map(shown.map((chart) => [chart.key, chart]));
  shown = charts.map((chart) => {
    const key = JSON.stringify([detail.axis, chart.title, chart.lines.map((line) => line.name)]);
    const view = kept.get(key) ?? new ChartView(key, chart, detail.axis);
    kept.delete(key);
    return view;
  });
  kept.forEach((view) => view.remove());
  const place = document.getElementById('curves');
  shown.forEach((view, index) => {
    if (place.children[index] !== view.card) place.insertBefore(view.card, place.children[index] ?? null);
    view.show(charts[index], detail.x);
  });
}

// Colours are read when a chart is made: when the scheme changes, all are made anew.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  shown.forEach((view) => view.remove());
  shown = [];
  if (lastDetail) showCurves(lastDetail);
});

class ChartView {
  constructor(key, chart, axis) {
    this.key = key;
    this.axis = axis;
    this.card = element('figure', { class: 'card curve' });
    const caption = element('figcaption');
    const title = element('h2', { dir: 'auto' });
    setText(title, chart.title);
    this.card.classList.toggle('single', chart.lines.length === 1);
    this.legend = chart.lines.map((line, index) => legendEntry(line, colour(line, index)));
    const list = element('ul', { class: 'legend' });
    list.append(...this.legend.map((entry) => entry.item));
    caption.append(title, list);
    this.canvas = element('div', { class: 'canvas', role: 'img' });
    this.card.append(caption, this.canvas);
    this.resizes = new ResizeObserver(() => this.fit());
    this.resizes.observe(this.canvas);
  }

  show(chart, x) {
    this.chart = chart;
    this.data = [x, ...chart.lines.map((line) => line.values.map((v) => drawable(v, chart.unit)))];
    if (this.plot) this.plot.setData(this.data);
    else this.fit();
    this.showValues(null);
  }

  // A chart can be made only once its place in the page has a width.
  fit() {
    const width = this.canvas.clientWidth;
    if (width === 0 || !this.data) return;
    if (this.plot) this.plot.setSize({ width, height: HEIGHT });
    else this.plot = new uPlot(this.options(width), this.data, this.canvas);
  }

  options(width) {
    const grid = { stroke: css('--grid'), width: 1 };
    const axis = { stroke: css('--faint'), font: `11px ${css('--font')}`, ticks: { show: false } };
    return {
      width,
      height: HEIGHT,
      legend: { show: false },
      padding: [8, 22, 0, 0],
      cursor: {
        sync: { key: SYNC },
        points: { size: 7 },
        drag: { x: false, y: false },
        y: false,
      },
      hooks: { setCursor: [(plot) => this.showValues(plot.cursor.idx)] },
      scales: {
        x: { time: false },
        y: { range: this.chart.range ?? (this.chart.fromZero ? fromZero : comfortable) },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 26, values: (u, ticks) => this.ticksOfX(ticks) },
        { ...axis, grid, size: axisWidth, values: (u, ticks) => ticks.map(figure) },
      ],
      series: [{}, ...this.chart.lines.map((line, index) => this.seriesOptions(line, index))],
    };
  }

  seriesOptions(line, index) {
    const stroke = colour(line, index);
    return {
      stroke,
      width: line.role === 'batch' ? 1 : 1.75,
      dash: line.role === 'eval' ? [6, 3] : undefined,
      points: { show: (u, i) => isSparse(u.data[i], line.role), size: 6, fill: stroke, width: 0 },
    };
  }

  ticksOfX(ticks) {
    if (this.axis === 'seconds') return ticks.map((tick) => `${count.format(tick)} s`);
    const thousands = ticks.at(-1) >= 10_000;
    return ticks.map((tick) => (thousands && tick !== 0 ? `${figure(tick / 1000)}k` : count.format(tick)));
  }

  /** The legend's values: under the pointer, or the last ones. */
  showValues(index) {
    this.chart.lines.forEach((line, i) => {
      const values = this.data[i + 1];
      const value = index === null || index === undefined ? last(values) : values[index];
      setText(this.legend[i].value, figure(value));
    });
    const words = this.chart.lines.map((line, i) => `${line.label} ${figure(last(this.data[i + 1]))}`);
    const over = this.axis === 'step' ? 'steps' : 'time';
    this.canvas.setAttribute('aria-label', `${this.chart.title} over ${over}, last: ${words.join(', ')}`);
  }

  remove() {
    this.resizes.disconnect();
    this.plot?.destroy();
    this.card.remove();
  }
}

function legendEntry(line, stroke) {
  const item = element('li', { title: line.name });
  const swatch = element('span', { class: line.role === 'eval' ? 'swatch dashed' : 'swatch' });
  swatch.style.color = stroke;
  const name = element('bdi');
  setText(name, line.label);
  const value = element('span', { class: 'value' });
  item.append(swatch, name, value);
  return { item, value };
}

/** For uPlot null is a gap (the program said that it is no number); undefined is drawn over. */
function drawable(value, unit = 1) {
  if (value === null) return undefined;
  return value === 'NaN' ? null : value / unit;
}

function last(values) {
  return values.findLast((value) => value !== undefined);
}

/** Whether each point is worth a dot: evaluations are, as long as they can be told apart. */
function isSparse(values, role) {
  let drawn = 0;
  for (const value of values) if (value !== undefined && value !== null) drawn++;
  return drawn > 0 && drawn <= (role === 'eval' ? 24 : 8);
}

/** Some air above and below, also around a flat line. */
function comfortable(plot, min, max) {
  if (min === null || max === null) return [0, 1];
  const air = (max - min) * 0.08 || Math.abs(max) * 0.1 || 1;
  const floor = min >= 0 && min - air < 0 ? 0 : min - air;
  return [floor, max + air];
}

function fromZero(plot, min, max) {
  return [0, max > 0 ? max * 1.15 : 1];
}

function axisWidth(plot, values) {
  const longest = Math.max(0, ...(values ?? []).map((value) => value.length));
  return 18 + longest * 6.5;
}

function colour(line, index) {
  return line.role === 'device' ? css(`--line-${(index % 6) + 1}`) : css(`--line-${line.role}`);
}

function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
