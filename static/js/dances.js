// Where the cards fly after a win: a wheel or a heart around the words, a fan over them, or two ribbons. A card has a number: 0 leaves
// first, and lies on top. So those that follow lie to its left, where each shows the corner with its index.

export const RADIUS = 0.48; // of the stage, as a part of the shorter side of the cloth: the unit of what follows
export const AWAY = 0.82; // from the middle to that of a card
export const LENGTH = 0.36; // of a card
const TURN = 0.35; // of the wheel, in radians a second
const OPEN = 1.2 * Math.PI; // of the fan, from its first card to its last
const SWAY = [0.07, 500]; // of the fan, in radians, and in milliseconds for each radian of the swing
const ASIDE = 0.74; // from the middle of the words to that of a ribbon
const WAVE = [0.05, 320, 0.45]; // of a ribbon: its height, its pace as above, and how far it is on from card to card
const LEAN = 0.06; // of a card on a wave, in radians
const WIDE = 0.86; // of a ribbon, as a part of the cloth
const DROP = 2.6; // how far a ribbon falls in the end
const ONE_BY_ONE = 350; // milliseconds from its first card to its last
const BEAT = [0.05, 190]; // of the heart: how much it swells, and its pace as above
const UP = -Math.PI / 2;

const around = (angle) => ({ x: AWAY * Math.cos(angle), y: AWAY * Math.sin(angle), turn: angle - UP });

// The outline of a heart, as high as the wheel; 0 is where its halves meet above.
const heart = (t) => ({
  x: AWAY * 1.08 * Math.sin(t) ** 3,
  y: (-AWAY / 13.6) * (13 * Math.cos(t) - 4 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t) + 2.4),
});

/** Each gives functions for a card of so many, on a cloth that is `width` units wide: `at` tells where it is at a time, `gone`
 * where it goes in the end, and `late` after how long it leaves for there. */
export const DANCES = {
  wheel: (n, count) => ({
    at: (time) => around(UP - (2 * Math.PI * n) / count - (TURN * time) / 1000),
    gone: { x: 0, y: 0, turn: -2 * Math.PI + (Math.random() - 0.5) * 0.12 },
    late: 0,
  }),
  heart: (n, count) => ({
    at: (time) => {
      const { x, y } = heart((2 * Math.PI * n) / count - (TURN * time) / 2000);
      const swell = 1 + BEAT[0] * Math.sin(time / BEAT[1]) ** 2;
      return { x: swell * x, y: swell * y, turn: Math.atan2(y, x) - UP };
    },
    gone: { x: 0, y: 0, turn: 0 },
    late: 0,
  }),
  fan: (n, count) => ({
    at: (time) => around(UP + OPEN * (0.5 - n / (count - 1)) + SWAY[0] * Math.sin(time / SWAY[1])),
    gone: { ...around(UP), turn: 0 },
    late: 0,
  }),
  ribbons: (n, count, width) => {
    const side = n % 2 ? 1 : -1;
    const column = Math.floor(n / 2);
    const share = column / (Math.ceil(count / 2) - 1);
    const x = (WIDE * width - LENGTH) * (0.5 - share);
    const phase = (time) => time / WAVE[1] + column * WAVE[2];
    return {
      at: (time) => ({ x, y: side * ASIDE + WAVE[0] * Math.sin(phase(time)), turn: LEAN * Math.cos(phase(time)) }),
      gone: { x, y: side * ASIDE + DROP, turn: 0.3 * side },
      late: ONE_BY_ONE * share,
    };
  },
};
