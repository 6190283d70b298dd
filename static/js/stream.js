// Hearing from the server that something changed, and looking by oneself where nothing is heard.

const QUIET = 25_000; // the server gives a sign of life every ten seconds
const LOOK = 5_000; // without a stream
const GLANCE = 30_000; // with one, in case it is silent about something
const AGAIN = 30_000; // a stream that was refused
// Measured on a clock that nobody sets.

/**
 * Listen to the stream at `address`. `hear` gets {version, topic?}, {from, version, html} or {viewers, players, topic?};
 * `look` is called when it is time to ask. Answers a function that ends it all.
 */
export function listen(address, hear, look) {
  let stream = null;
  let heardAt = 0;
  let lookedAt = performance.now();
  let openedAt = 0;

  function open() {
    openedAt = heardAt = performance.now();
    stream = new EventSource(address);
    stream.onopen = alive;
    stream.onmessage = news;
    stream.addEventListener("here", news);
    stream.addEventListener("change", news);
    stream.addEventListener("beat", alive);
  }

  function alive() {
    heardAt = performance.now();
  }

  function news(event) {
    alive();
    hear(JSON.parse(event.data));
  }

  function tick() {
    const now = performance.now();
    const isOpen = stream.readyState === EventSource.OPEN && now - heardAt < QUIET;
    if (stream.readyState === EventSource.CLOSED) {
      if (now - openedAt > AGAIN) open();
    } else if (now - heardAt >= QUIET) {
      stream.close(); // it looks open and is dead
      open();
    }
    if (now - lookedAt >= (isOpen ? GLANCE : LOOK)) {
      lookedAt = now;
      look();
    }
  }

  open();
  const clock = setInterval(tick, 1000);
  return () => {
    clearInterval(clock);
    stream.close();
  };
}
