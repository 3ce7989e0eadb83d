// The figures of the selected run: where it stands, its accelerators, all that it reported.

import { element, setText } from './dom.js';
import { elapsed, showBar, showState } from './table.js';
import { duration, figure, gibibytes, jobName, outOf } from './text.js';

const by = (id) => document.getElementById(id);

/** Shows where a run stands; metrics may be empty until its detail has come. */
export function showRun(run, metrics, now) {
  by('run').hidden = false;
  setText(by('job'), jobName(run.trainJob) + (run.number > 1 ? ` · run ${run.number}` : ''));
  setText(by('command'), run.command);
  by('command').title = run.command;
  showState(by('state'), run.state);
  setText(by('percent'), run.percent === null ? '–' : String(run.percent));
  by('percent-unit').hidden = run.percent === null;
  showProgressBar(run);
  setText(by('remaining'), remaining(run, now));
  showFacts([
    ['Epoch', outOf(run.epoch, run.totalEpochs)],
    ['Step', outOf(run.step, run.totalSteps)],
    ['Loss', figure(run.loss)],
    ['Learning rate', figure(number(metrics, 'learning_rate'))],
    [run.active ? 'Running for' : 'Took', duration(elapsed(run, now))],
  ]);
}

function showProgressBar(run) {
  const bar = by('bar');
  showBar(bar, run);
  if (run.percent === null) bar.removeAttribute('aria-valuenow');
  else bar.setAttribute('aria-valuenow', run.percent);
}

/** What is left of the reported time, counted down between reports; in the end, what it came to. */
function remaining(run, now) {
  if (!run.active) return outcome(run, now);
  if (run.remainingSeconds === null) return run.updatedAt === null ? '' : 'Time left not known yet';
  const left = run.remainingSeconds - (now - run.updatedAt) / 1000;
  return left < 1 ? 'Almost done' : `${duration(left)} left`;
}

function outcome(run, now) {
  const took = elapsed(run, now);
  const time = took === null ? '' : `${run.state === 'completed' ? 'Done in' : 'After'} ${duration(took)}`;
  return run.exitCode ? `${time}, exit code ${run.exitCode}` : time;
}

function showFacts(facts) {
  const list = by('facts');
  if (list.children.length !== facts.length) {
    list.replaceChildren(...facts.map(() => {
      const fact = element('div');
      fact.append(element('dt'), element('dd'));
      return fact;
    }));
  }
  facts.forEach(([name, value], i) => {
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
