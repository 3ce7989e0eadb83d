// The TrainJob that is opened: where it stands, its pods, its events, and what can be done with it.

import { showCurves } from './charts.js';
import { element, setText } from './dom.js';
import { outcome, progressFacts, showDevices, showFigures, showStanding, timeLeft } from './figures.js';
import { nodes } from './jobs.js';
import { elapsed } from './state.js';
import { duration, moment } from './text.js';

const NO_DETAIL = { now: null, metrics: [], axis: 'step', x: [], series: [], steps: [] };

const by = (id) => document.getElementById(id);

let shown = { id: null, now: undefined };

/**
 * Shows a TrainJob; its detail may still be missing, and it may be gone. Curves, pods and figures
 * are touched only when there is another detail.
 */
export function showOpened(job, detail = NO_DETAIL, now, isGone) {
  showStanding(job, {
    title: job.name,
    subtitle: [job.namespace, job.runtime, nodes(job)].filter(Boolean).join(' · '),
    remaining: job.active ? timeLeft(job, now) : ended(job, now),
    facts: [...progressFacts(job, detail.metrics), age(job, now)],
  });
  setText(by('reason'), job.reason);
  by('reason').hidden = job.reason === '';
  by('gone').hidden = !isGone;
  by('suspend').hidden = isGone || job.final || job.suspended;
  by('resume').hidden = isGone || job.final || !job.suspended;
  if (shown.id === job.id && shown.now === detail.now) return;
  shown = { id: job.id, now: detail.now };
  showCurves(detail);
  showDevices(detail.metrics);
  showFigures(detail.metrics);
  showSteps(detail.steps, detail.now !== null);
  showWhyThereAreNoCurves(job, detail);
}

function age(job, now) {
  return [job.final ? 'Took' : 'Age', duration(elapsed({ ...job, active: !job.final }, now))];
}

function ended(job, now) {
  return job.final ? outcome(job, now) : '';
}

function showWhyThereAreNoCurves(job, detail) {
  const note = by('no-curves');
  note.hidden = detail.now === null || detail.series.length > 0;
  setText(note, job.final
    ? 'Its curves were not recorded: the dashboard records what is reported while it runs.'
    : 'No curves yet: they are recorded from its next report on.');
}

function showSteps(steps, areKnown) {
  by('no-steps').hidden = !areKnown || steps.length > 0;
  fillRows(by('step-rows'), steps.map((step) => [
    { text: step.name },
    { text: step.phase },
    { text: step.device },
    { text: step.pod, kind: 'pod' },
    { text: step.trouble, kind: step.trouble ? 'warning' : '' },
  ]));
}

/** Shows its events, or why there are none; null: not known yet. */
export function showEvents(events, why) {
  setText(by('no-events'), why);
  by('no-events').hidden = why === '';
  fillRows(by('event-rows'), (events ?? []).map((event) => [
    { text: moment(event.time, Date.now()) },
    { text: event.reason, kind: event.warning ? 'warning' : '' },
    { text: event.about },
    { text: event.message + (event.count > 1 ? ` (${event.count} times)` : '') },
  ]));
}

/** Touches only the cells that change. */
function fillRows(body, rows) {
  while (body.children.length > rows.length) body.lastChild.remove();
  rows.forEach((cells, index) => {
    const row = body.children[index] ?? body.appendChild(element('tr'));
    cells.forEach(({ text, kind = '' }, column) => {
      const cell = row.children[column] ?? row.appendChild(element('td', { dir: 'auto' }));
      cell.className = kind;
      setText(cell, text);
    });
  });
}
