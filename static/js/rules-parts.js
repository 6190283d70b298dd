// The parts of the rules, on their page and in their sheet: open where there is room, as they are drawn without this script
// too; on a phone only the first one with pictures, and a link to a part opens it.

const HAS_ROOM = matchMedia("(min-width: 600px)"); // as in rules.css

export function unfoldParts(rules) {
  const parts = [...rules.querySelectorAll(".part")];
  const first = parts.find((part) => part.open);
  const settle = () => {
    for (const part of parts) {
      part.open = HAS_ROOM.matches || part === first;
      part.querySelector("summary").tabIndex = HAS_ROOM.matches ? -1 : 0; // nothing to open there
    }
  };
  settle();
  const closing = new AbortController(); // of the sheet
  HAS_ROOM.addEventListener("change", settle, { signal: closing.signal });
  rules.addEventListener("close", () => closing.abort());
  rules.addEventListener("click", ({ target }) => open(target.closest("a")?.hash));
  open(location.hash);

  function open(hash) {
    const part = parts.find(({ id }) => id && `#${id}` === hash);
    if (part) part.open = true;
  }
}

const own = document.querySelector("main .rules");
if (own) unfoldParts(own);
