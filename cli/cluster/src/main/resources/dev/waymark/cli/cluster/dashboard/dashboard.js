// The dashboard: which TrainJobs are shown, which one is opened, and when what is brought up to date.

import { forgetOutcome, listenToActions } from './actions.js';
import { detailsOf } from './details.js';
import { element, setText } from './dom.js';
import { follow } from './feed.js';
import { STATES, choices, newestFirst, read, shows, write } from './filters.js';
import { focusJob, showJobs } from './jobs.js';
import { showLog, stopLog } from './logs.js';
import { showEvents, showOpened } from './opened.js';
import { count, moment, titleOf } from './text.js';

const EVENTS_EVERY_MS = 15_000;

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Connection lost, trying again…',
  over: 'waymark dashboard has ended. These are the last figures.',
  locked: 'Another waymark has this address now: open the link that it printed.',
};

const FILTERS = { name: 'filter-name', namespace: 'filter-namespace', state: 'filter-state', runtime: 'filter-runtime' };

const by = (id) => document.getElementById(id);

const jobs = new Map();
const details = detailsOf({
  wanted: () => (jobs.has(view.job) ? view.job : null),
  address: (id) => `/api/jobs/${id}`,
  changed: show,
});
let head = null; // what there is to say of the cluster; null before anything has come
let clockOffset = 0; // the server's clock less this one's
let view = read(location.hash);
let lastOpened = null; // the row of the one that is opened, for when it is gone
let eventsOf = null; // whose events are shown
let isAsking = false;
let isDue = false; // whether what has come is shown with the next frame

follow({
  connection(state) {
    by('connection').dataset.state = state;
    setText(by('connection'), CONNECTION[state]);
  },
  rows(rows, newHead, serverNow) {
    setClock(serverNow);
    head = newHead;
    jobs.clear();
    rows.forEach((job) => jobs.set(job.id, job));
    showSoon();
    details.fetch();
    fetchEvents();
  },
  row(job, serverNow) {
    setClock(serverNow);
    jobs.set(job.id, job);
    showSoon();
    if (job.id === view.job) details.fetch();
  },
  gone(ids) {
    ids.forEach((id) => jobs.delete(id));
    showSoon();
  },
  head(newHead) {
    head = newHead;
    showSoon();
  },
  bye() {},
});

setInterval(show, 1000);
setInterval(fetchEvents, EVENTS_EVERY_MS);
listenToActions(() => lastOpened);
addEventListener('hashchange', () => look(read(location.hash)));
addEventListener('keydown', onKey);
by('close').addEventListener('click', () => go({ job: '' }));
by('skip').addEventListener('click', () => (view.job ? by('job') : by('list-title')).focus());
for (const [key, id] of Object.entries(FILTERS)) {
  by(id).addEventListener(key === 'name' ? 'input' : 'change', () => filter(key, by(id).value));
}

function setClock(serverNow) {
  clockOffset = serverNow - Date.now();
}

/** What is opened and closed can be taken back in the browser; what is filtered, too, but all at once. */
function go(change) {
  location.hash = write({ ...view, ...change });
}

function filter(key, value) {
  const changed = { ...view, [key]: value };
  history.replaceState(null, '', `#${write(changed)}`);
  look(changed);
}

function look(changed) {
  const before = view;
  view = changed;
  if (before.job !== view.job) {
    lastOpened = null;
    forgetOutcome();
    stopLog();
    eventsOf = null;
    showEvents(null, view.job ? 'Asking the cluster…' : '');
  }
  show();
  details.fetch();
  fetchEvents();
  if (before.job === view.job) return;
  if (view.job) {
    by('job').focus();
    scrollTo(0, 0);
  } else if (!focusJob(before.job)) {
    by('list-title').focus();
  }
}

function onKey(event) {
  const isTyping = event.target.closest('input, select, dialog') !== null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    if (view.job) look({ ...view, job: '' });
    history.replaceState(null, '', `#${write(view)}`);
    by('filter-name').focus();
    by('filter-name').select();
  } else if (event.key === 'Escape' && event.target === by('filter-name') && view.name) {
    event.preventDefault();
    by('filter-name').value = '';
    filter('name', '');
  } else if (event.key === 'Escape' && view.job && !isTyping) {
    go({ job: '' });
  } else if (event.key === 'Enter' && event.target === by('filter-name')) {
    const first = shownJobs()[0];
    if (first) go({ job: first.id });
  }
}

function shownJobs() {
  return newestFirst([...jobs.values()].filter((job) => shows(view, job)));
}

/** All that comes before the next frame is shown at once: of thousands of TrainJobs, hundreds may change at a time. */
function showSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    show();
  });
}

function show() {
  if (head === null) return;
  const now = Date.now() + clockOffset;
  setText(by('cluster'), head.cluster);
  by('away').hidden = head.away === null;
  if (head.away) {
    setText(by('away'), `The cluster can't be asked since ${moment(head.away.since, now)}. What you see may be old; `
      + `it is asked again and again. ${head.away.message}`);
  }
  const job = jobs.get(view.job) ?? (view.job ? lastOpened : null);
  by('list').hidden = job !== null;
  by('opened').hidden = job === null;
  if (job) showJob(job, now);
  else showList(now);
}

function showJob(job, now) {
  lastOpened = job;
  const detail = details.get(job.id);
  setText(document.querySelector('title'), titleOf(job));
  showOpened(job, detail, now, !jobs.has(job.id));
  showLog(job.id, detail?.steps ?? []);
}

function showList(now) {
  const shown = shownJobs();
  setText(document.querySelector('title'), 'TrainJobs');
  showFilters();
  showJobs(shown, now, (id) => go({ job: id }));
  const all = jobs.size + head.more;
  setText(by('shown'), shown.length === all ? count.format(all) : `${count.format(shown.length)} of ${count.format(all)}`);
  by('none').hidden = shown.length > 0;
  setText(by('none'), jobs.size === 0 ? 'There are no TrainJobs.' : 'No TrainJob is like that.');
  showSkipped();
}

function showFilters() {
  const all = [...jobs.values()];
  if (document.activeElement !== by(FILTERS.name)) by(FILTERS.name).value = view.name;
  setOptions('namespace', choices(all, 'namespace', view.namespace));
  setOptions('state', STATES);
  setOptions('runtime', choices(all, 'runtime', view.runtime));
}

function setOptions(key, values) {
  const select = by(FILTERS[key]);
  if (values.length + 1 !== select.options.length || values.some((value, i) => select.options[i + 1].value !== value)) {
    select.replaceChildren(...['', ...values].map((value) => {
      const option = element('option', { value });
      setText(option, value || 'All');
      return option;
    }));
  }
  if (select.value !== view[key]) select.value = view[key];
}

/** What the cluster has and this can't show. */
function showSkipped() {
  by('skipped').hidden = head.skipped.length === 0;
  setText(by('skipped').firstElementChild, `Left out: ${count.format(head.skipped.length)} that can't be read`);
  const list = by('skipped-list');
  while (list.children.length > head.skipped.length) list.lastChild.remove();
  head.skipped.forEach((text, i) => {
    setText(list.children[i] ?? list.appendChild(element('li', { dir: 'auto' })), text);
  });
}

/** One request at a time, none while nobody looks. */
async function fetchEvents() {
  const id = view.job;
  if (document.hidden || isAsking || !jobs.has(id) || (id === eventsOf && jobs.get(id).final)) return;
  isAsking = true;
  const answer = await fetch(`/api/jobs/${id}/events`).catch(() => null);
  isAsking = false;
  if (id !== view.job) {
    fetchEvents();
  } else if (answer?.ok) {
    const { events } = await answer.json();
    eventsOf = id;
    showEvents(events, events.length === 0 ? 'Nothing was told of it in the last hour.' : '');
  } else if (answer) {
    showEvents(null, (await answer.text()).trim());
  }
}
