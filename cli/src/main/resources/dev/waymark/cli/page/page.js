// The page: which run is shown, and when what is brought up to date.

import { showCurves } from './charts.js';
import { setText } from './dom.js';
import { follow } from './feed.js';
import { showDevices, showFigures, showRun } from './figures.js';
import { showRuns } from './table.js';
import { titleOf } from './text.js';

const FETCH_PAUSE_MS = 500;

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Connection lost, trying again…',
  over: 'waymark run has ended. These are the last figures.',
  locked: 'Another waymark run has this address now: open the link that it printed.',
};

const runs = new Map();
let clockOffset = 0; // the server's clock less this one's
let chosenId = decodeURIComponent(location.hash.slice(1)) || null; // null: the newest
let detail = null;
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
    const isNew = !runs.has(row.id);
    runs.set(row.id, row);
    show();
    if (isNew || row.id === selected()?.id) fetchDetail();
  },
});

setInterval(show, 1000);
document.addEventListener('visibilitychange', fetchDetail);
document.getElementById('follow').addEventListener('click', () => choose(null));
addEventListener('hashchange', () => choose(decodeURIComponent(location.hash.slice(1)) || null));

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
  if (id) document.getElementById('main').scrollIntoView({ block: 'start' });
}

function show() {
  const run = selected();
  document.getElementById('empty').hidden = run !== undefined;
  document.getElementById('runs').hidden = run === undefined;
  if (!run) return;
  const now = Date.now() + clockOffset;
  const metrics = detail?.run.id === run.id ? detail.metrics : [];
  setText(document.querySelector('title'), titleOf(run));
  showRun(run, metrics, now);
  showRuns(newestFirst(), run.id, now, choose);
  const live = newestFirst().find((other) => other.active);
  document.getElementById('follow').hidden = run.active || live === undefined;
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
  if (answer?.ok) showDetail(await answer.json());
  setTimeout(() => {
    fetching = false;
    if (fetchAgain) {
      fetchAgain = false;
      fetchDetail();
    }
  }, FETCH_PAUSE_MS);
}

function showDetail(document) {
  if (document.run.id !== selected()?.id) return;
  detail = document;
  showCurves(detail);
  showDevices(detail.metrics);
  showFigures(detail.metrics);
  show();
}
