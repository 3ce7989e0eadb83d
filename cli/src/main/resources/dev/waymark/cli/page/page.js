// The page: which run is shown, and when what is brought up to date.

import { showCurves } from './charts.js';
import { detailsOf } from './details.js';
import { setText } from './dom.js';
import { follow } from './feed.js';
import { showDevices, showFigures, showRun } from './figures.js';
import { showRuns } from './table.js';
import { titleOf } from './text.js';

const NO_DETAIL = { now: null, metrics: [], axis: 'step', x: [], series: [] };

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Connection lost, trying again…',
  over: 'waymark run has ended. These are the last figures.',
  locked: 'Another waymark run has this address now: open the link that it printed.',
};

const runs = new Map();
const details = detailsOf({
  wanted: () => selected()?.id ?? null,
  address: (id) => `/api/runs/${id}`,
  changed() {
    document.getElementById('no-curves').hidden = details.has(selected()?.id);
    show();
  },
});
let clockOffset = 0; // the server's clock less this one's
let chosenId = idInAddress(); // null: the newest
let shownDetail = null;

follow({
  connection(state) {
    const place = document.getElementById('connection');
    place.dataset.state = state;
    setText(place, CONNECTION[state]);
  },
  rows(rows, head, serverNow) {
    setClock(serverNow);
    runs.clear();
    rows.forEach((run) => runs.set(run.id, run));
    show();
    details.fetch();
  },
  row(run, serverNow) {
    setClock(serverNow);
    runs.set(run.id, run);
    show();
    if (run.id === selected().id) details.fetch();
  },
  gone(ids) {
    ids.forEach((id) => runs.delete(id));
    show();
    details.fetch();
  },
  head() {},
  bye(detail) {
    if (detail.run) details.keep(detail.run.id, detail);
    show();
  },
});

setInterval(show, 1000);
document.getElementById('follow').addEventListener('click', () => choose(null));
addEventListener('hashchange', () => choose(idInAddress()));

function idInAddress() {
  return decodeURIComponent(location.hash.slice(1)) || null;
}

function setClock(serverNow) {
  clockOffset = serverNow - Date.now();
}

function newestFirst() {
  return [...runs.values()].sort((a, b) => {
    const [recordingA, recordingB] = [a.id.split('/')[0], b.id.split('/')[0]];
    if (recordingA !== recordingB) return recordingA < recordingB ? 1 : -1;
    return b.number - a.number;
  });
}

/** The run to show: the one that was chosen, else the newest that is live, else the newest. */
function selected() {
  const sorted = newestFirst();
  return runs.get(chosenId) ?? sorted.find((run) => run.active) ?? sorted[0];
}

function choose(id) {
  chosenId = id;
  history.replaceState(null, '', id ? `#${id}` : location.pathname);
  show();
  details.fetch();
  document.getElementById('main').scrollIntoView({ block: 'start' });
}

function show() {
  const run = selected();
  document.getElementById('empty').hidden = run !== undefined;
  document.getElementById('runs').hidden = run === undefined;
  if (!run) return;
  const now = Date.now() + clockOffset;
  const detail = details.get(run.id) ?? { ...NO_DETAIL, run };
  setText(document.querySelector('title'), titleOf(run));
  showRun(run, detail.metrics, now);
  showRuns(newestFirst(), run.id, now, choose);
  document.getElementById('follow').hidden = run.active || ![...runs.values()].some((r) => r.active);
  if (detail.run.id !== shownDetail?.run.id || detail.now !== shownDetail.now) {
    shownDetail = detail;
    showCurves(detail);
    showDevices(detail.metrics);
    showFigures(detail.metrics);
  }
}
