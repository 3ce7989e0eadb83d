// The log of a step: its last lines, then what comes, as long as somebody looks.

import { element, setText } from './dom.js';

const MAX_LINES = 2000;

const by = (id) => document.getElementById(id);

let source = null;
let followed = ''; // which log: id and step

/** Follows the log of one of these steps of a TrainJob while the log's place is open. */
export function showLog(id, steps) {
  const choice = by('log-step');
  const names = steps.length > 0 ? steps.map((step) => step.name) : ['node-0'];
  if (choice.dataset.of !== id || choice.options.length !== names.length || names.some((name, i) => choice.options[i]?.value !== name)) {
    const before = choice.dataset.of === id ? choice.value : '';
    choice.dataset.of = id;
    choice.replaceChildren(...names.map((name) => {
      const option = element('option', { value: name });
      setText(option, name);
      return option;
    }));
    choice.value = names.includes(before) ? before : names.find((name) => name.startsWith('node-')) ?? names[0];
  }
  choice.onchange = () => showLog(id, steps);
  by('logs').ontoggle = () => showLog(id, steps);
  const wanted = by('logs').open ? `${id} ${choice.value}` : '';
  if (wanted === followed) return;
  stopLog();
  followed = wanted;
  if (wanted) read(`/api/jobs/${id}/logs?step=${encodeURIComponent(choice.value)}`);
}

export function stopLog() {
  source?.close();
  source = null;
  followed = '';
  by('log').replaceChildren();
  tell('');
}

function read(address) {
  const reader = new EventSource(address);
  source = reader;
  tell('Waiting for the log…');
  // A connection that was cut is opened again by itself, and the last lines come once more.
  reader.onopen = () => by('log').replaceChildren();
  reader.onerror = () => tell(reader.readyState === EventSource.CLOSED
    ? 'The log can\'t be read now: too many are open, or the dashboard has ended.'
    : 'Connection lost, trying again…');
  reader.addEventListener('lines', (message) => {
    const { missed, lines } = JSON.parse(message.data);
    tell(missed > 0 ? `Following. ${missed} lines came too fast and are left out.` : 'Following.');
    add(lines);
  });
  reader.addEventListener('end', (message) => {
    reader.close();
    tell(JSON.parse(message.data).message);
  });
}

/** Stays at the end if it is there. */
function add(lines) {
  const log = by('log');
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
  const made = document.createDocumentFragment();
  for (const line of lines.slice(-MAX_LINES)) {
    const place = element('div', { dir: 'auto' });
    setText(place, line);
    made.append(place);
  }
  log.append(made);
  while (log.children.length > MAX_LINES) log.firstChild.remove();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

function tell(text) {
  setText(by('log-note'), text);
}
