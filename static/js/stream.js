// Server-sent events with heartbeat detection, and polling while there is no stream. A heartbeat says what is newest, so
// a page that has missed something learns of it within ten seconds.

const DEAD = 25_000; // the server sends a heartbeat every ten seconds
const POLL = 5_000; // without a stream
const REOPEN = 30_000; // before a refused stream is tried again
// Measured with performance.now(), which never jumps.

/**
 * Subscribe to the stream at `address`. `receive` gets {version, topic?}, {from, version, html} or {viewers, players,
 * topic?}; `check` gets {version, topic}, known or not, with each heartbeat; `poll` is called when it is time to ask.
 * Returns a function that unsubscribes.
 */
export function listen(address, receive, poll, check = () => {}) {
  let stream = null;
  let heardAt = 0;
  let polledAt = performance.now();
  let openedAt = 0;

  function open() {
    openedAt = heardAt = performance.now();
    stream = new EventSource(address);
    stream.onopen = alive;
    stream.onmessage = news;
    stream.addEventListener("here", news);
    stream.addEventListener("change", news);
    stream.addEventListener("beat", beat);
  }

  function alive() {
    heardAt = performance.now();
  }

  function news(event) {
    alive();
    receive(JSON.parse(event.data));
  }

  function beat(event) {
    alive();
    for (const [topic, version] of Object.entries(JSON.parse(event.data).versions ?? {})) check({ topic, version });
  }

  function tick() {
    const now = performance.now();
    const isOpen = stream.readyState === EventSource.OPEN && now - heardAt < DEAD;
    if (stream.readyState === EventSource.CLOSED) {
      if (now - openedAt > REOPEN) open();
    } else if (now - heardAt >= DEAD) {
      stream.close(); // it looks open and is dead
      open();
    }
    if (!isOpen && now - polledAt >= POLL) {
      polledAt = now;
      poll();
    }
  }

  open();
  const clock = setInterval(tick, 1000);
  return () => {
    clearInterval(clock);
    stream.close();
  };
}
