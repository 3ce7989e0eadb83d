// Details of rows, fetched while somebody looks: one request at a time, a pause between two.

const FETCH_PAUSE_MS = 500;
const MAX_DETAILS = 12;

/**
 * Details of what wanted() names: an id, or null. Each is fetched from address(id), and when it has
 * come or failed, changed() is called.
 */
export function detailsOf({ wanted, address, changed }) {
  const details = new Map(); // by id: the last few that were looked at, for when the server is gone
  let fetching = false;
  let fetchAgain = false;

  function keep(id, detail) {
    details.delete(id);
    details.set(id, detail);
    if (details.size > MAX_DETAILS) details.delete(details.keys().next().value);
  }

  /** None while nobody looks. */
  async function fetchWanted() {
    if (document.hidden) return;
    if (fetching) {
      fetchAgain = true;
      return;
    }
    const id = wanted();
    if (id === null) return;
    fetching = true;
    const answer = await fetch(address(id)).catch(() => null);
    if (answer?.ok) keep(id, await answer.json());
    changed();
    setTimeout(() => {
      fetching = false;
      if (fetchAgain) {
        fetchAgain = false;
        fetchWanted();
      }
    }, FETCH_PAUSE_MS);
  }

  document.addEventListener('visibilitychange', fetchWanted);
  return { get: (id) => details.get(id), has: (id) => details.has(id), keep, fetch: fetchWanted };
}
