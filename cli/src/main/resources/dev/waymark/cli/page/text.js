// How figures are written. Every function takes null for "not known".

const UNKNOWN = '–';

export const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A figure of any size in few characters: 0.0123, 1,234, 1.2e-8. */
export function figure(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return UNKNOWN;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(2).replace('e+', 'e');
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value);
}

/** "3 of 10", "3", or nothing known. */
export function outOf(done, total) {
  if (done === null) return UNKNOWN;
  return total ? `${count.format(done)} of ${count.format(total)}` : count.format(done);
}

/** "45 s", "3 min 20 s", "1 h 12 min", "2 d 3 h". */
export function duration(seconds) {
  if (seconds === null) return UNKNOWN;
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return join(Math.floor(s / 60), 'min', s % 60, 's');
  if (s < 86400) return join(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min');
  return join(Math.floor(s / 86400), 'd', Math.floor((s % 86400) / 3600), 'h');
}

function join(big, bigUnit, small, smallUnit) {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}

export function gibibytes(bytes) {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(bytes / 2 ** 30);
}

/** "14:05" today, "28 Nov, 14:05" before. */
export function moment(millis, now) {
  const then = new Date(millis);
  const time = { hour: '2-digit', minute: '2-digit', hour12: false };
  const sameDay = then.toDateString() === new Date(now).toDateString();
  const options = sameDay ? time : { day: 'numeric', month: 'short', ...time };
  return new Intl.DateTimeFormat('en-GB', options).format(then);
}

/** learning_rate as a heading: "Learning rate". */
export function heading(name) {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const STATES = {
  created: ['Created', '○'],
  suspended: ['Suspended', '‖'],
  pending: ['Pending', '○'],
  waiting: ['Waiting for the first report', '○'],
  running: ['Running', '▶'],
  evaluating: ['Evaluating', '◆'],
  completed: ['Completed', '✓'],
  stopped_early: ['Stopped early', '■'],
  failed: ['Failed', '✕'],
  diverged: ['Diverged', '✕'],
  interrupted: ['Interrupted', '■'],
  ended: ['Ended without a last word', '■'],
  lost: ['Lost: its recorder is gone', '?'],
};

export function stateWords(state) {
  return (STATES[state] ?? [heading(state)])[0];
}

export function stateSign(state) {
  return (STATES[state] ?? ['', '•'])[1];
}

/** The job's name without the namespace that everybody has. */
export function jobName(trainJob) {
  return trainJob.startsWith('default/') ? trainJob.slice('default/'.length) : trainJob;
}

export function titleOf(run) {
  const name = jobName(run.trainJob);
  const percent = run.percent === null ? '' : `${run.percent}%`;
  if (run.active) return [percent || stateWords(run.state), name].join(' · ');
  return [stateWords(run.state).split(/ without|:/)[0], percent, name].filter(Boolean).join(' · ');
}
