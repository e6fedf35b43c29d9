// The figures of an export menu: each as SVG and as PNG.
import { h } from './dom.js';
import { figurePng, figureSvg } from './figure_files.js';

/** A row a figure of `figures` (as figuresIn gives them). item(words, about, make, label) makes a button whose make() gives
 *  [name, type, content] of a file; stem begins the names; words() gives the lines under a figure. */
export function figureRows(figures, { item, stem, words }) {
  return figures.map((figure, i) => h('div', { class: 'pg-export-figure' }, h('small', null, figure.title),
    ['SVG', 'PNG'].map((kind) => item(kind, '', async () => {
      const drawn = await figureSvg(figure, words());
      const name = `${stem}-figure-${i + 1}.${kind.toLowerCase()}`;
      return kind === 'SVG' ? [name, 'image/svg+xml', drawn.text] : [name, 'image/png', await figurePng(drawn)];
    }, `${figure.title} as ${kind}`))));
}
