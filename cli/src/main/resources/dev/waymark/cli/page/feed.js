// What changes, from the server: connects, notices an outage, and connects again by itself.

const SILENCE_MS = 30_000; // three heartbeats
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5_000;

/**
 * Calls on.rows(rows, head, serverNow) with all of them, first and after each outage, then
 * on.row(row, serverNow), on.gone(ids) and on.head(head) with what changes, on.bye(detail) with what
 * there is to say at the server's end, and on.connection(state), where the state is connecting,
 * live, away (an outage), over (the server said goodbye) or locked (what answers now doesn't know
 * this browser).
 */
export function follow(on) {
  let source;
  let watchdog;
  let retryMs = FIRST_RETRY_MS;
  let saidGoodbye = false;

  function connect() {
    source = new EventSource('/api/events');
    const listen = (event, handler) => source.addEventListener(event, (message) => {
      expectMore();
      handler(message.data);
    });
    listen('rows', (data) => {
      const { rows, head, now } = JSON.parse(data);
      retryMs = FIRST_RETRY_MS;
      saidGoodbye = false;
      on.connection('live');
      on.rows(rows, head, now);
    });
    listen('row', (data) => {
      const { row, now } = JSON.parse(data);
      on.row(row, now);
    });
    listen('gone', (data) => on.gone(JSON.parse(data).ids));
    listen('head', (data) => on.head(JSON.parse(data).head));
    listen('heartbeat', () => {});
    listen('bye', (data) => {
      saidGoodbye = true;
      on.bye(JSON.parse(data));
    });
    source.onerror = lose;
    expectMore();
  }

  function expectMore() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, SILENCE_MS);
  }

  // EventSource would retry by itself, but not after every answer, and it doesn't tell which came.
  function lose() {
    clearTimeout(watchdog);
    source.close();
    on.connection(saidGoodbye ? 'over' : 'away');
    tryLater();
  }

  function tryLater() {
    setTimeout(tryAgain, retryMs);
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
  }

  async function tryAgain() {
    const answer = await fetch('/icon.svg').catch(() => null);
    if (answer?.ok) {
      connect();
      return;
    }
    if (answer?.status === 403) on.connection('locked');
    tryLater();
  }

  connect();
}
