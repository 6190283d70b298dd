// Measures where the cards of a new game come from, before the first frame shows them: from the stock or, in a game without
// one, from the player's side of the table.

{
  const box = (element) => element.getBoundingClientRect();
  const cards = document.getElementById("table");
  const cloth = box(cards.closest(".cloth"));
  const stock = document.getElementById("stock");
  const from = stock ? box(stock) : { left: (cloth.left + cloth.right) / 2, top: cloth.bottom };
  for (const pile of cards.querySelectorAll(".pile")) {
    const { left, top } = box(pile);
    pile.style.setProperty("--from", `${from.left - left}px ${from.top - top}px`);
  }
  setTimeout(() => cards.removeAttribute("data-dealt"), 2000); // also where few frames are drawn, the cards are there then
}
