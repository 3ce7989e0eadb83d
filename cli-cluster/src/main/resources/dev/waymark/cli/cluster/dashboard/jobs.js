// The table of TrainJobs.

import { element, setText } from './dom.js';
import { secondsLeft, showBar, showState } from './state.js';
import { count, duration, moment } from './text.js';

const ROWS_AT_FIRST = 50;
const ROWS_AT_ONCE = 200;

let limit = ROWS_AT_FIRST;

/** Shows these, in their order; calls open(id) when one is picked. */
export function showJobs(jobs, now, open) {
  const body = document.getElementById('job-rows');
  const shown = jobs.slice(0, limit);
  const rows = new Map([...body.children].map((row) => [row.dataset.id, row]));
  shown.forEach((job, index) => {
    const row = rows.get(job.id) ?? newRow(job.id, open);
    rows.delete(job.id);
    fill(row, job, now);
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
  rows.forEach((row) => row.remove());
  showMore(jobs.length - shown.length, () => {
    limit += ROWS_AT_ONCE;
    showJobs(jobs, now, open);
  });
}

/** Has the keyboard where a TrainJob is in the table; whether it is there. */
export function focusJob(id) {
  const row = [...document.getElementById('job-rows').children].find((it) => it.dataset.id === id);
  row?.querySelector('button').focus();
  return row !== undefined;
}

function showMore(hidden, show) {
  const button = document.getElementById('more');
  button.hidden = hidden <= 0;
  setText(button, `Show ${count.format(Math.min(hidden, ROWS_AT_ONCE))} more of ${count.format(hidden)}`);
  button.onclick = show;
}

function newRow(id, open) {
  const row = element('tr');
  row.dataset.id = id;
  const name = element('th', { scope: 'row' });
  const button = element('button', { type: 'button', class: 'run-name' });
  button.append(element('bdi'), element('span', { class: 'namespace' }));
  name.append(button);
  const state = element('td');
  state.append(element('span', { class: 'state small' }), element('span', { class: 'why', dir: 'auto' }));
  const progress = element('td');
  const meter = element('div', { class: 'row-progress' });
  const bar = element('div', { class: 'bar small', 'aria-hidden': 'true' });
  bar.append(element('div', { class: 'bar-done' }));
  meter.append(bar, element('span'));
  progress.append(meter);
  row.append(name, state, progress);
  for (const kind of ['number', '', '', '']) row.append(element('td', { class: kind }));
  row.addEventListener('click', () => open(id));
  return row;
}

function fill(row, job, now) {
  const [name, state, progress, left, runtime, device, created] = row.children;
  setText(name.firstChild.firstChild, job.name);
  setText(name.firstChild.lastChild, job.namespace);
  showState(state.firstChild, job.state);
  setText(state.lastChild, job.reason);
  state.lastChild.title = job.reason;
  showBar(progress.querySelector('.bar'), job);
  setText(progress.querySelector('span'), job.percent === null ? '–' : `${job.percent}%`);
  const seconds = secondsLeft(job, now);
  setText(left, seconds === null ? '' : duration(Math.max(0, seconds)));
  setText(runtime, job.runtime);
  setText(device, nodes(job) || '–');
  setText(created, job.startedAt === null ? '' : moment(job.startedAt, now));
}

/** What one of its nodes computes on, and how many they are, as far as there is anything to say. */
export function nodes(job) {
  return [job.device, job.nodes > 1 ? `${count.format(job.nodes)} nodes` : ''].filter(Boolean).join(', ');
}
