// Which TrainJobs are shown, and which one is opened: all of it stands in the address's fragment.

/** How far a TrainJob can be, as the cluster says it. */
export const STATES = ['Created', 'Suspended', 'Pending', 'Running', 'Complete', 'Failed'];

const KEYS = ['job', 'name', 'namespace', 'state', 'runtime'];

/** The view that a fragment stands for; what it doesn't say is ''. */
export function read(fragment) {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  return Object.fromEntries(KEYS.map((key) => [key, said.get(key) ?? '']));
}

/** The fragment that stands for a view, without its #; '' where it is the first view of all. */
export function write(view) {
  return new URLSearchParams(KEYS.filter((key) => view[key]).map((key) => [key, view[key]])).toString();
}

/** Whether a view shows a TrainJob: each word of its name, in any order, and the rest as it is. */
export function shows(view, job) {
  const title = `${job.namespace}/${job.name}`.toLowerCase();
  return view.name.toLowerCase().split(/\s+/).every((word) => title.includes(word))
    && (view.namespace === '' || view.namespace === job.namespace)
    && (view.state === '' || view.state === job.phase)
    && (view.runtime === '' || view.runtime === job.runtime);
}

/** The values of a property, sorted; the one that is chosen among them, whether or not it is there. */
export function choices(jobs, property, chosen) {
  const values = new Set(jobs.map((job) => job[property]));
  if (chosen) values.add(chosen);
  values.delete('');
  return [...values].sort();
}

/** The newest first; of the same second, by name. */
export function newestFirst(jobs) {
  return [...jobs].sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0) || (a.id < b.id ? -1 : 1));
}
