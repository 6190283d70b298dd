// Sound and vibration, for those who turned them on; others do not load them.

/** Let a player hear or feel `name`: lift, place, deal, refuse or win. */
export async function feel(name) {
  const { sound, vibration } = document.documentElement.dataset;
  if (sound !== "on" && vibration !== "on") return;
  // It can't be had offline, or since a release.
  const sounds = await import("./sound.js").catch(() => null);
  if (sound === "on") sounds?.play(name);
  if (vibration === "on") sounds?.vibrate(name);
}
