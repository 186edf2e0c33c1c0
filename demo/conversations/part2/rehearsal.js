/* Part 2: the four sentences of an opening, and a light that walks through them in thirty seconds. */
const Rehearsal = (() => {
  "use strict";

  const sentences = [
    ["Name it", 5, "Per, I want to talk about the handover at three."],
    ["Show it", 10, "Four times this month it came later. On Tuesday it was twenty past."],
    ["Say what follows", 8, "The night crew then starts without a briefing, and that worries me."],
    ["Ask", 7, "How do you see it?"],
  ];

  const lines = () =>
    `<ol class="opening">${sentences
      .map(
        ([name, seconds, text]) => `
    <li class="s${seconds}"><span class="opening-name">${name}</span><span class="opening-time">${seconds} s</span>
      <q>${text}</q></li>`,
      )
      .join("")}</ol>`;

  function setup(root) {
    const mine = Course.memory("aloud", { done: 0 });
    const button = root.querySelector(".rehearse");
    const said = root.querySelector(".said");
    const items = [...root.querySelectorAll(".opening li")];
    let timer;

    const finish = (text) => {
      clearTimeout(timer);
      items.forEach((item) => item.classList.remove("is-now"));
      button.textContent = mine.done ? "Once more" : "Start the thirty seconds";
      said.classList.remove("sr");
      said.textContent = text;
      timer = undefined;
    };
    const light = (index) => {
      items.forEach((item, i) => item.classList.toggle("is-now", i === index));
      if (!root.contains(button)) return; // the learner has moved on
      if (index === items.length) {
        mine.done = 1;
        Course.save();
        return finish("Thirty seconds. Now stop, and let him answer.");
      }
      said.classList.add("sr"); // the eye sees the light, the ear gets the name
      said.textContent = sentences[index][0];
      timer = setTimeout(light, sentences[index][1] * 1000, index + 1);
    };
    button.addEventListener("click", () => {
      if (timer) return finish("Stopped.");
      button.textContent = "Stop";
      light(0);
    });
    if (mine.done) finish("You have said it once. Once more does no harm.");
  }

  return { lines, setup };
})();
