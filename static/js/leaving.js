// Buttons that have sent something. Once that leads to another page they stay disabled, so that nothing is sent twice, and a
// page that comes back from the browser's memory has them again.

/** Disable buttons; returns what enables them again. */
export function holdButtons(buttons) {
  const release = () => {
    for (const button of buttons) button.disabled = false;
  };
  for (const button of buttons) button.disabled = true;
  addEventListener("pageshow", ({ persisted }) => persisted && release(), { once: true });
  return release;
}
