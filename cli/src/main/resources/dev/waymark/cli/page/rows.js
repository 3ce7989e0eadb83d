// What the tables of all pages have in common: a row for each thing that is listed, kept as long as it is.

import { element, setText } from './dom.js';
import { showBar } from './state.js';

/** Shows these in their order: make(id) makes the row of one that is new, fill(row, item) fills it. */
export function showRows(body, items, make, fill) {
  const rows = new Map([...body.children].map((row) => [row.dataset.id, row]));
  items.forEach((item, index) => {
    const row = rows.get(item.id) ?? make(item.id);
    rows.delete(item.id);
    fill(row, item);
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
  rows.forEach((row) => row.remove());
}

/**
 * An empty row: a button with a name and, in a class of its own, what stands beside the name; the
 * state; the progress; cells of these classes. It calls choose(id) when it is picked.
 */
export function newRow(id, besideName, cells, choose) {
  const row = element('tr');
  row.dataset.id = id;
  const name = element('th', { scope: 'row' });
  const button = element('button', { type: 'button', class: 'run-name' });
  button.append(element('bdi'), element('span', { class: besideName }));
  name.append(button);
  const state = element('td');
  state.append(element('span', { class: 'state small' }));
  const progress = element('td');
  const meter = element('div', { class: 'row-progress' });
  const bar = element('div', { class: 'bar small', 'aria-hidden': 'true' });
  bar.append(element('div', { class: 'bar-done' }));
  meter.append(bar, element('span'));
  progress.append(meter);
  row.append(name, state, progress);
  for (const kind of cells) row.append(element('td', { class: kind }));
  row.addEventListener('click', () => choose(id));
  return row;
}

/** Fills the cell of the progress. */
export function showProgress(cell, item) {
  showBar(cell.querySelector('.bar'), item);
  setText(cell.querySelector('span'), item.percent === null ? '–' : `${item.percent}%`);
}

/** Offers those that are not shown, in these words; show() shows them. */
export function offerMore(hidden, words, show) {
  const button = document.getElementById('more');
  button.hidden = hidden <= 0;
  setText(button, words);
  button.onclick = show;
}
