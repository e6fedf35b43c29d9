// A figure as a file: SVG that stands alone, with its caption and provenance, and the same as PNG.
import { svg } from './dom.js';
import { chartLoad } from './charts.js';

const FIGURE_NODES = '.js-plotly-plot, svg[role="img"], svg[role="tree"]';
const FIGURE_LEAST = 120;
const FIGURE_PAD = 16;
const FIGURE_LINE = 18;
const FIGURE_TITLE = 20;
const FIGURE_CHARACTER = 7;
const FIGURE_PIXELS = 16e6;
const FIGURE_FONT = 'system-ui, sans-serif';
const FIGURE_LEGEND = 34;
const FIGURE_LOOKS = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'font-style', 'font-family', 'text-anchor', 'dominant-baseline', 'paint-order', 'visibility', 'display', 'vector-effect'];

/** The figures drawn in `root` and on screen: [{node, title}]. */
export function figuresIn(root) {
  const found = [...root.querySelectorAll(FIGURE_NODES)].filter((node) => {
    const { width, height } = node.getBoundingClientRect();
    return width >= FIGURE_LEAST && height >= FIGURE_LEAST / 2 && !node.parentElement.closest(FIGURE_NODES);
  });
  return found.map((node) => ({ node, title: (node.getAttribute('aria-label') || node.closest('[aria-label]').getAttribute('aria-label')).replace(/; the table has the numbers$/, '') }));
}

/** Words in lines of at most `most` characters; a longer word is cut. */
export function figureLines(text, most) {
  const lines = [''];
  for (const word of text.split(/\s+/).flatMap((each) => each.match(new RegExp(`.{1,${most}}`, 'gu')) || [])) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.filter(Boolean);
}

/** Text without what XML has no place for. */
export function figureXml(text) {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

// The page's style sheets don't travel: each mark keeps the looks that it has.
function figureCopy(live) {
  const copy = live.cloneNode(true);
  const from = [live, ...live.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((node, i) => {
    const looks = getComputedStyle(from[i]);
    node.setAttribute('style', FIGURE_LOOKS.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(';'));
    for (const name of ['class', 'tabindex', 'role']) node.removeAttribute(name);
  });
  return copy;
}

// A chart whose legend stands beside it on the page gets one of its own; its font is named, so that words are measured as they are drawn.
function figureChart({ data, layout }, width, high) {
  const legend = layout.showlegend === false;
  const height = high + (legend ? FIGURE_LEGEND : 0);
  const beside = legend ? { showlegend: true, legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' }, margin: { ...layout.margin, t: ((layout.margin && layout.margin.t) || 0) + FIGURE_LEGEND } } : {};
  return { data, layout: { ...layout, ...beside, width, height, font: { ...layout.font, family: FIGURE_FONT } } };
}

// The picture as an SVG element, and its height.
async function figurePicture(node, width, height) {
  if (node instanceof SVGElement) {
    const copy = figureCopy(node);
    if (!copy.getAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
    return [copy, height];
  }
  const chart = figureChart(node, width, height);
  const address = await (await chartLoad()).toImage(chart, { format: 'svg', width, height: chart.layout.height });
  const drawn = new DOMParser().parseFromString(decodeURIComponent(address.slice(address.indexOf(',') + 1)), 'image/svg+xml');
  if (drawn.documentElement.localName !== 'svg') throw new Error('the chart could not be drawn as SVG');
  return [document.importNode(drawn.documentElement, true), chart.layout.height];
}

// The legend that stands right after the figure, in one row: swatches with their words.
function figureKeys(node, y, ink) {
  const list = node.nextElementSibling;
  const entries = (list && list.matches('ul') ? [...list.children] : []).filter((each) => each.querySelector('svg'));
  let x = FIGURE_PAD;
  return entries.map((each) => {
    const swatch = figureCopy(each.querySelector('svg'));
    for (const [name, value] of Object.entries({ x, y: y - 10, width: 30, height: 12 })) swatch.setAttribute(name, value);
    const words = svg('text', { x: x + 36, y, fill: ink, 'font-size': 12 }, each.textContent);
    x += 56 + FIGURE_CHARACTER * each.textContent.length;
    return [swatch, words];
  });
}

/** The figure of `node` as the text of one SVG file: on white or the dark page's colour, the title above, `words` (caption,
 *  provenance) below. Returns {text, width, height}. */
export async function figureSvg({ node, title }, words) {
  const dark = document.body.classList.contains('dark');
  const ink = dark ? '#f9fafb' : '#111827';
  const box = node.getBoundingClientRect();
  const wide = Math.ceil(box.width);
  const [picture, high] = await figurePicture(node, wide, Math.ceil(box.height));
  const width = wide + 2 * FIGURE_PAD;
  const lines = words.flatMap((each) => figureLines(each, Math.floor(wide / FIGURE_CHARACTER)));
  const named = figureLines(title, Math.floor(wide / (FIGURE_CHARACTER + 1)));
  const top = FIGURE_PAD + named.length * FIGURE_TITLE + 6;
  const keys = figureKeys(node, top + high + FIGURE_LINE, ink);
  const under = top + high + FIGURE_PAD + (keys.length ? FIGURE_LINE : 0);
  const height = under + lines.length * FIGURE_LINE + FIGURE_PAD;
  for (const [name, value] of Object.entries({ x: FIGURE_PAD, y: top, width: wide, height: high })) picture.setAttribute(name, value);
  const text = (y, size, told) => svg('text', { x: FIGURE_PAD, y, fill: ink, 'font-size': size }, told);
  const whole = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': FIGURE_FONT },
    svg('title', null, title), svg('rect', { width, height, fill: dark ? '#0b0f19' : '#ffffff' }), named.map((line, i) => text(FIGURE_PAD + 14 + i * FIGURE_TITLE, 15, line)), picture, keys,
    lines.map((line, i) => text(under + (i + 1) * FIGURE_LINE - 4, 12, line)));
  return { text: `${figureXml(new XMLSerializer().serializeToString(whole))}\n`, width, height };
}

/** The same as PNG, twice as fine where that isn't too large: a Blob. */
export async function figurePng({ text, width, height }) {
  const scale = Math.min(2, Math.sqrt(FIGURE_PIXELS / (width * height)));
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => { image.onload = resolve; image.onerror = () => reject(new Error('the browser could not draw the SVG')); image.src = address; });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => { canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no PNG'))), 'image/png'); });
  } finally {
    URL.revokeObjectURL(address);
  }
}
