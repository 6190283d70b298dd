// Where the cards fly after a win: a wheel or a heart around the words, a fan over them, or two ribbons. A card has a number: 0 leaves
// first, and lies on top. So those that follow lie to its left, where each shows the corner with its index.

export const RADIUS = 0.48; // of the stage, as a part of the shorter side of the cloth: the unit of what follows
export const AWAY = 0.82; // from the middle to that of a card
export const LENGTH = 0.36; // of a card
const TURN = 0.35; // of the wheel, in radians a second
const OPEN = 1.2 * Math.PI; // of the fan, from its first card to its last
const SWAY = [0.07, 500]; // of the fan, in radians, and in milliseconds for each radian of the swing
const ASIDE = [0.74, 0.27]; // from the middle of the words to that of a ribbon: at least, and as a part of the cloth's height
const WAVE = [0.05, 320, 0.45]; // of a ribbon: its height, its pace as above, and how far it is on from card to card
const LEAN = 0.06; // of a card on a wave, in radians
const WIDE = 0.86; // of a ribbon, as a part of the cloth
const BEAT = [0.05, 190]; // of the heart: how much it swells, and its pace as above
const UP = -Math.PI / 2;

const around = (angle) => ({ x: AWAY * Math.cos(angle), y: AWAY * Math.sin(angle), turn: angle - UP });

// The outline of a heart, as high as the wheel; 0 is where its halves meet above.
const heart = (t) => ({
  x: AWAY * 1.08 * Math.sin(t) ** 3,
  y: (-AWAY / 13.6) * (13 * Math.cos(t) - 4 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t) + 2.4),
});

/** Each gives a function for a card of so many, on a cloth that is `width` units wide and `height` high: where the card is at a time. */
export const DANCES = {
  wheel: (n, count) => (time) => around(UP - (2 * Math.PI * n) / count - (TURN * time) / 1000),
  heart: (n, count) => (time) => {
    const t = (2 * Math.PI * n) / count - (TURN * time) / 2000;
    const { x, y } = heart(t);
    const swell = 1 + BEAT[0] * Math.sin(time / BEAT[1]) ** 2;
    const aside = Math.atan2(x, -y) - t; // between the two, so that no card spins at the tip
    return { x: swell * x, y: swell * y, turn: t + Math.atan2(Math.sin(aside), Math.cos(aside)) };
  },
  fan: (n, count) => (time) => around(UP + OPEN * (0.5 - n / (count - 1)) + SWAY[0] * Math.sin(time / SWAY[1])),
  ribbons: (n, count, width, height) => {
    const aside = (n % 2 ? 1 : -1) * Math.max(ASIDE[0], ASIDE[1] * height);
    const column = Math.floor(n / 2);
    const x = (WIDE * width - LENGTH) * (0.5 - column / (Math.ceil(count / 2) - 1));
    const phase = (time) => time / WAVE[1] + column * WAVE[2];
    return (time) => ({ x, y: aside + WAVE[0] * Math.sin(phase(time)), turn: LEAN * Math.cos(phase(time)) });
  },
};
