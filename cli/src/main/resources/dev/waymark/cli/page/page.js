// The page: which run is shown, and when what is brought up to date.

import { showCurves } from './charts.js';
import { setText } from './dom.js';
import { follow } from './feed.js';
import { showDevices, showFigures, showRun } from './figures.js';
import { showRuns } from './table.js';
import { titleOf } from './text.js';

const FETCH_PAUSE_MS = 500;
const MAX_DETAILS = 12;
const NO_DETAIL = { now: null, metrics: [], axis: 'step', x: [], series: [] };

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Connection lost, trying again…',
  over: 'waymark run has ended. These are the last figures.',
  locked: 'Another waymark run has this address now: open the link that it printed.',
};

const runs = new Map();
const details = new Map(); // by run id: the last few that were looked at, for when the server is gone
let clockOffset = 0; // the server's clock less this one's
let chosenId = idInAddress(); // null: the newest
let shownDetail = null;
let fetching = false;
let fetchAgain = false;

follow({
  connection(state) {
    const place = document.getElementById('connection');
    place.dataset.state = state;
    setText(place, CONNECTION[state]);
  },
  runs(rows, serverNow) {
    setClock(serverNow);
    runs.clear();
    rows.forEach((run) => runs.set(run.id, run));
    show();
    fetchDetail();
  },
  run(row, serverNow) {
    setClock(serverNow);
    runs.set(row.id, row);
    show();
    if (row.id === selected().id) fetchDetail();
  },
  bye(detail) {
    keep(detail);
    show();
  },
});

setInterval(show, 1000);
document.addEventListener('visibilitychange', fetchDetail);
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
  fetchDetail();
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

/** One request at a time, a pause between two, none while nobody looks. */
async function fetchDetail() {
  if (document.hidden) return;
  if (fetching) {
    fetchAgain = true;
    return;
  }
  const run = selected();
  if (!run) return;
  fetching = true;
  const answer = await fetch(`/api/runs/${run.id}`).catch(() => null);
  if (answer?.ok) keep(await answer.json());
  document.getElementById('no-curves').hidden = details.has(run.id);
  show();
  setTimeout(() => {
    fetching = false;
    if (fetchAgain) {
      fetchAgain = false;
      fetchDetail();
    }
  }, FETCH_PAUSE_MS);
}

function keep(detail) {
  details.delete(detail.run.id);
  details.set(detail.run.id, detail);
  if (details.size > MAX_DETAILS) details.delete(details.keys().next().value);
}
