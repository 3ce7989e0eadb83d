// The table of runs.

import { element, setText } from './dom.js';
import { elapsed, showBar, showState } from './state.js';
import { count, duration, figure, jobName, moment, outOf } from './text.js';

const ROWS_AT_FIRST = 10;

let all = false;

/** Shows the runs, newest first; calls choose(id) when one is picked. */
export function showRuns(runs, selectedId, now, choose) {
  const body = document.getElementById('run-rows');
  const shown = all ? runs : runs.slice(0, ROWS_AT_FIRST);
  const rows = new Map([...body.children].map((row) => [row.dataset.id, row]));
  shown.forEach((run, index) => {
    const row = rows.get(run.id) ?? newRow(run.id, choose);
    rows.delete(run.id);
    fill(row, run, run.id === selectedId, now);
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
  rows.forEach((row) => row.remove());
  showMore(runs.length - shown.length, () => {
    all = true;
    showRuns(runs, selectedId, now, choose);
  });
}

function showMore(hidden, show) {
  const button = document.getElementById('more');
  button.hidden = hidden <= 0;
  setText(button, `Show ${count.format(hidden)} more`);
  button.onclick = show;
}

function newRow(id, choose) {
  const row = element('tr');
  row.dataset.id = id;
  const name = element('th', { scope: 'row' });
  const button = element('button', { type: 'button', class: 'run-name' });
  button.append(element('bdi'), element('span', { class: 'run-number' }));
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
  for (const kind of ['number', 'number', '', 'number']) row.append(element('td', { class: kind }));
  row.addEventListener('click', () => choose(id));
  return row;
}

function fill(row, run, selected, now) {
  row.classList.toggle('selected', selected);
  const [name, state, progress, epoch, loss, started, took] = row.children;
  const button = name.firstChild;
  if (selected) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
  setText(button.firstChild, jobName(run.trainJob));
  setText(button.lastChild, run.number > 1 ? `run ${run.number}` : '');
  showState(state.firstChild, run.state);
  showBar(progress.querySelector('.bar'), run);
  setText(progress.querySelector('span'), run.percent === null ? '–' : `${run.percent}%`);
  setText(epoch, outOf(run.epoch, run.totalEpochs));
  setText(loss, figure(run.loss));
  setText(started, moment(run.startedAt, now));
  setText(took, duration(elapsed(run, now)));
}
