// The figures of what is selected: where it stands, its accelerators, all that it reported.

import { element, setText } from './dom.js';
import { elapsed, secondsLeft, showBar, showState } from './state.js';
import { duration, figure, gibibytes, jobName, outOf } from './text.js';

const by = (id) => document.getElementById(id);

/** Shows where a run stands; metrics may be empty until its detail has come. */
export function showRun(run, metrics, now) {
  showStanding(run, {
    title: jobName(run.trainJob) + (run.number > 1 ? ` · run ${run.number}` : ''),
    subtitle: run.command,
    remaining: run.active ? timeLeft(run, now) : outcome(run, now),
    facts: [...progressFacts(run, metrics), [run.active ? 'Running for' : 'Took', duration(elapsed(run, now))]],
  });
}

/** Shows where something stands, in these words. */
export function showStanding(row, { title, subtitle, remaining, facts }) {
  by('run').hidden = false;
  setText(by('job'), title);
  setText(by('command'), subtitle);
  by('command').title = subtitle;
  showState(by('state'), row.state);
  setText(by('percent'), row.percent === null ? '–' : String(row.percent));
  by('percent-unit').hidden = row.percent === null;
  showProgressBar(row);
  setText(by('remaining'), remaining);
  showFacts(facts);
}

/** What a program reports of its progress, as names and values. */
export function progressFacts(row, metrics) {
  return [
    ['Epoch', outOf(row.epoch, row.totalEpochs)],
    ['Step', outOf(row.step, row.totalSteps)],
    ['Loss', figure(row.loss)],
    ['Learning rate', figure(number(metrics, 'learning_rate'))],
  ];
}

function showProgressBar(run) {
  const bar = by('bar');
  showBar(bar, run);
  if (run.percent === null) bar.removeAttribute('aria-valuenow');
  else bar.setAttribute('aria-valuenow', run.percent);
}

/** What is left of the time, of something that goes on. */
export function timeLeft(row, now) {
  const left = secondsLeft(row, now);
  if (left === null) return row.updatedAt === null ? '' : 'Time left not known yet';
  return left < 1 ? 'Almost done' : `${duration(left)} left`;
}

/** What it came to in the end. */
export function outcome(run, now) {
  const took = elapsed(run, now);
  const time = took === null ? '' : `${run.state === 'completed' ? 'Done in' : 'After'} ${duration(took)}`;
  return run.exitCode ? `${time}, exit code ${run.exitCode}` : time;
}

function showFacts(shown) {
  const list = by('facts');
  if (list.children.length !== shown.length) {
    list.replaceChildren(...shown.map(() => {
      const fact = element('div');
      fact.append(element('dt'), element('dd'));
      return fact;
    }));
  }
  shown.forEach(([name, value], i) => {
    setText(list.children[i].firstChild, name);
    setText(list.children[i].lastChild, value);
  });
}

function number(metrics, name) {
  const metric = metrics.find((m) => m.name === name);
  return metric ? Number(metric.value) : null;
}

/** Shows one row for each GPU or NPU that the last report names. */
export function showDevices(metrics) {
  const devices = new Map();
  for (const { name, value } of metrics) {
    const match = /^(gpu|npu)_(\d{1,4})_(utilization|memory_used_bytes|memory_total_bytes)$/.exec(name);
    if (!match || !Number.isFinite(Number(value))) continue;
    const key = `${match[1].toUpperCase()} ${match[2]}`;
    devices.set(key, { ...devices.get(key), [match[3]]: Number(value) });
  }
  by('devices').hidden = devices.size === 0;
  by('device-list').replaceChildren(...[...devices].map(([name, device]) => deviceRow(name, device)));
}

function deviceRow(name, device) {
  const row = element('li');
  const title = element('span', { class: 'device-name' });
  setText(title, name);
  row.append(title);
  if (device.utilization !== undefined) {
    row.append(gauge('Utilisation', device.utilization, `${figure(device.utilization)}%`));
  }
  const { memory_used_bytes: used, memory_total_bytes: total } = device;
  if (used !== undefined) {
    const text = total ? `${gibibytes(used)} of ${gibibytes(total)} GiB` : `${gibibytes(used)} GiB`;
    row.append(gauge('Memory', total ? (100 * used) / total : null, text));
  }
  return row;
}

function gauge(name, percent, text) {
  const gauge = element('div', { class: 'gauge' });
  const label = element('span', { class: 'gauge-name' });
  const value = element('span', { class: 'gauge-value' });
  setText(label, name);
  setText(value, text);
  gauge.append(label, value);
  if (percent !== null) {
    const bar = element('div', { class: 'bar small', 'aria-hidden': 'true' });
    const done = element('div', { class: 'bar-done' });
    done.style.width = `${Math.min(100, Math.max(0, percent))}%`;
    bar.append(done);
    gauge.append(bar);
  }
  return gauge;
}

export function showFigures(metrics) {
  by('figures').hidden = metrics.length === 0;
  by('figure-rows').replaceChildren(...metrics.map(({ name, value }) => {
    const row = element('tr');
    const head = element('th', { scope: 'row', dir: 'auto' });
    const cell = element('td', { dir: 'auto' });
    setText(head, name);
    setText(cell, value);
    row.append(head, cell);
    return row;
  }));
}
