// How far something is: its state, its bar, and the time that it takes.

import { setText } from './dom.js';
import { stateSign, stateWords } from './text.js';

/** Seconds from its start to its end, or until now. */
export function elapsed(row, now) {
  const end = row.endedAt ?? (row.active ? now : row.updatedAt);
  return end === null || row.startedAt === null ? null : Math.max(0, end - row.startedAt) / 1000;
}

/** Seconds that are left of the reported time, counted down between reports; null: not known. */
export function secondsLeft(row, now) {
  if (row.remainingSeconds === null) return null;
  return row.remainingSeconds - Math.max(0, now - row.updatedAt) / 1000;
}

export function showState(place, state) {
  place.dataset.state = state;
  place.dataset.sign = stateSign(state);
  setText(place, stateWords(state));
}

export function showBar(bar, row) {
  bar.dataset.state = row.state;
  bar.classList.toggle('unknown', row.percent === null && row.active);
  bar.firstElementChild.style.width = `${row.percent ?? 0}%`;
}
