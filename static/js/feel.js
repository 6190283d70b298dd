// Sound and vibration, for those who turned them on; others do not load them.

/** Let a player hear or feel `name`: lift, place, deal, refuse or win. */
export async function feel(name) {
  const { sound, vibration } = document.documentElement.dataset;
  if (sound !== "on" && vibration !== "on") return;
  const { play, vibrate } = await import("./sound.js");
  if (sound === "on") play(name);
  if (vibration === "on") vibrate(name);
}
