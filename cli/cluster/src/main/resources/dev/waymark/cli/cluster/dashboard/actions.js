// Suspends and resumes the TrainJob that is opened. What the cluster refuses is told in its words.

import { setText } from './dom.js';

const by = (id) => document.getElementById(id);

/** Listens to the buttons; opened() is the TrainJob that they are for. */
export function listenToActions(opened) {
  by('suspend').addEventListener('click', () => {
    setText(by('confirm-title'), `Suspend ${opened().name}?`);
    by('confirm').showModal();
  });
  by('confirm-no').addEventListener('click', () => by('confirm').close());
  by('confirm-yes').addEventListener('click', () => {
    by('confirm').close();
    act(opened, 'suspend', 'Suspended.');
  });
  by('resume').addEventListener('click', () => act(opened, 'resume', 'Resumed.'));
}

/** Says nothing about the one that was opened before. */
export function forgetOutcome() {
  tell('', false);
}

async function act(opened, action, done) {
  const { id } = opened();
  tell('Asking the cluster…', false);
  setEnabled(false);
  const answer = await fetch(`/api/jobs/${id}/${action}`, { method: 'POST' }).catch(() => null);
  setEnabled(true);
  if (opened()?.id !== id) return;
  if (answer === null) tell('There is no connection: nothing was done.', true);
  else if (answer.ok) tell(done, false);
  else tell((await answer.text()).trim(), true);
}

function setEnabled(isEnabled) {
  for (const id of ['suspend', 'resume']) by(id).disabled = !isEnabled;
}

function tell(text, isBad) {
  setText(by('outcome'), text);
  by('outcome').classList.toggle('bad', isBad);
}
