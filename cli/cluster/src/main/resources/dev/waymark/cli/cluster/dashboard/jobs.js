// The table of TrainJobs.

import { element, setText } from './dom.js';
import { newRow, offerMore, showProgress, showRows } from './rows.js';
import { secondsLeft, showState } from './state.js';
import { count, duration, moment } from './text.js';

const ROWS_AT_FIRST = 50;
const ROWS_AT_ONCE = 200;
const MOST_ROWS = 1_000; // each is looked at once a second

let limit = ROWS_AT_FIRST;

/** Shows the first of these, in their order, and offers the next; calls open(id) when one is picked. */
export function showJobs(jobs, now, open) {
  const shown = jobs.slice(0, limit);
  showRows(
    document.getElementById('job-rows'),
    shown,
    (id) => newJobRow(id, open),
    (row, job) => fill(row, job, now),
  );
  const hidden = jobs.length - shown.length;
  const next = Math.min(hidden, ROWS_AT_ONCE, MOST_ROWS - limit);
  offerMore(next, `Show ${count.format(next)} more of ${count.format(hidden)}`, () => {
    limit = Math.min(limit + ROWS_AT_ONCE, MOST_ROWS);
    showJobs(jobs, now, open);
  });
  const rest = document.getElementById('rest');
  rest.hidden = hidden === 0 || next > 0;
  setText(rest, `${count.format(hidden)} more are not shown. Name, namespace, state and runtime narrow them down.`);
}

/** Has the keyboard where a TrainJob is in the table; whether it is there. */
export function focusJob(id) {
  const row = [...document.getElementById('job-rows').children].find((it) => it.dataset.id === id);
  row?.querySelector('button').focus();
  return row !== undefined;
}

function newJobRow(id, open) {
  const row = newRow(id, 'namespace', ['number', '', '', ''], open);
  row.children[1].append(element('span', { class: 'why', dir: 'auto' }));
  return row;
}

function fill(row, job, now) {
  const [name, state, progress, left, runtime, device, created] = row.children;
  setText(name.firstChild.firstChild, job.name);
  setText(name.firstChild.lastChild, job.namespace);
  showState(state.firstChild, job.state);
  setText(state.lastChild, job.reason);
  state.lastChild.title = job.reason;
  showProgress(progress, job);
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
