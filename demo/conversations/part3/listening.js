/* Part 3: seven seconds of silence, and a self-rating. Both are recorded, neither counts towards the score. */
const Listening = (() => {
  "use strict";

  const goal = 7;

  // ---------------------------------------------------------------- Silence
  const silenceHtml = () => `
    <div class="silence">
      <svg class="silence-arch" viewBox="0 0 160 200" aria-hidden="true">
        <clipPath id="arch"><path d="M10 200V80a70 70 0 0 1 140 0v120z"/></clipPath>
        <g clip-path="url(#arch)"><rect width="160" height="200" fill="#dbe2ea"/>
          <rect class="silence-fill" y="200" width="160" height="200" fill="#26364f"/></g>
        <circle class="silence-sun" cx="80" cy="78" r="26" fill="#f2b72e" opacity="0"/>
      </svg>
      <div>
        <p class="question"><q>How do you see it?</q></p>
        <div class="actions">
          <button type="button" class="second ask-it">Ask the question</button>
          <button type="button" class="second speak" hidden>Speak again</button>
        </div>
        <p class="said" role="status"></p>
      </div>
    </div>`;

  function silence(root) {
    const mine = Course.memory("p3-silence", { best: 0, last: 0 });
    const part = (name) => root.querySelector(`.${name}`);
    const fill = (seconds) => {
      part("silence-fill").setAttribute("y", 200 - Math.min(seconds / goal, 1) * 200);
      part("silence-sun").setAttribute("opacity", seconds >= goal ? 1 : 0);
    };
    const verdict = () =>
      !mine.last
        ? ""
        : mine.last >= goal
          ? `${mine.last} seconds. Long, was it not? For Per it was just enough to begin.`
          : `You spoke after ${mine.last} seconds. Per was still thinking. Try it once more.`;
    let from = 0;
    let ticker;

    const draw = () => {
      fill(mine.last);
      part("said").textContent = verdict();
      part("ask-it").textContent = mine.last ? "Ask again" : "Ask the question";
    };
    part("ask-it").addEventListener("click", () => {
      from = performance.now();
      fill(0);
      part("said").textContent = "Per looks at the table.";
      part("ask-it").hidden = true;
      part("speak").hidden = false;
      part("speak").focus();
      ticker = setInterval(() => {
        if (!root.querySelector(".silence")) return clearInterval(ticker);
        fill((performance.now() - from) / 1000);
      }, 100);
    });
    part("speak").addEventListener("click", () => {
      clearInterval(ticker);
      mine.last = Math.round((performance.now() - from) / 100) / 10;
      mine.best = Math.max(mine.best, mine.last);
      part("ask-it").hidden = false;
      part("speak").hidden = true;
      part("ask-it").focus();
      draw();
      Course.record({
        id: "p3-silence",
        type: "numeric",
        text: "Seconds of silence after the question",
        response: mine.last,
        pattern: `${goal}[:]`,
        result: mine.last >= goal ? "correct" : "incorrect",
      });
    });
    draw();
  }

  // ---------------------------------------------------------------- Rating
  const scale = ["Never", "Rarely", "Sometimes", "Often", "Always"].map((word) => [word.toLowerCase(), word]);
  const calmText = "When somebody attacks me, I stay curious";
  const advice = {
    never: "Start with the silence. Seven seconds are enough to let the first reply go by.",
    rarely: "Start with the silence. Seven seconds are enough to let the first reply go by.",
    sometimes: "Say back what you heard, before you say what you think. It buys time and costs nothing.",
    often: "Then watch the reasons: ask “what else?” once more than feels natural.",
    always: "Ask somebody from your team whether they see it the same way.",
  };

  const calmHtml = () => `
    <fieldset class="calm"><legend>“${calmText}.”</legend>
      <div class="scale">${scale
        .map(([id, word]) => `<label><input type="radio" name="calm" value="${id}"><span>${word}</span></label>`)
        .join("")}</div>
    </fieldset>
    <p class="said" role="status"></p>`;

  function calm(root) {
    const mine = Course.memory("p3-calm", { a: "" });
    const draw = () => {
      for (const input of root.querySelectorAll("input")) input.checked = input.value === mine.a;
      root.querySelector(".said").textContent = advice[mine.a] || "";
    };
    root.querySelector(".calm").addEventListener("change", (event) => {
      mine.a = event.target.value;
      draw();
      Course.record({ id: "p3-calm", type: "likert", text: calmText, response: mine.a, replace: true });
    });
    draw();
  }

  return { silenceHtml, silence, calmHtml, calm };
})();
