// The table of runs.

import { setText } from './dom.js';
import { newRow, offerMore, showProgress, showRows } from './rows.js';
import { elapsed, showState } from './state.js';
import { count, duration, figure, jobName, moment, outOf } from './text.js';

const ROWS_AT_FIRST = 10;

let all = false;

/** Shows the runs, newest first; calls choose(id) when one is picked. */
export function showRuns(runs, selectedId, now, choose) {
  const shown = all ? runs : runs.slice(0, ROWS_AT_FIRST);
  showRows(
    document.getElementById('run-rows'),
    shown,
    (id) => newRow(id, 'run-number', ['number', 'number', '', 'number'], choose),
    (row, run) => fill(row, run, run.id === selectedId, now),
  );
  const hidden = runs.length - shown.length;
  offerMore(hidden, `Show ${count.format(hidden)} more`, () => {
    all = true;
    showRuns(runs, selectedId, now, choose);
  });
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
  showProgress(progress, run);
  setText(epoch, outOf(run.epoch, run.totalEpochs));
  setText(loss, figure(run.loss));
  setText(started, moment(run.startedAt, now));
  setText(took, duration(elapsed(run, now)));
}
