// The baseline for spectators: boardgame.io serving a game of patience, set up as in its manual.
// node patience.js PORT

const { Server } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const Patience = {
  name: "patience",
  setup: () => ({
    piles: Array.from({ length: 17 }, () => ({ count: 3, cards: ["7H", "6S", "5D"] })),
    secret: { stock: [] },
  }),
  playerView: PlayerView.STRIP_SECRETS,
  moves: {
    play: ({ G }, source, target) => {
      G.piles[target].cards.push(G.piles[source].cards.pop());
    },
  },
};

Server({ games: [Patience], origins: [/.*/] }).run(Number(process.argv[2]));
