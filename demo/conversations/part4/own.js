/* Part 4: the learner's own conversation. Notes and rating are recorded and may be changed at any time. */
const Own = (() => {
  "use strict";

  const limit = 240; // SCORM 2004 guarantees 250 characters for a fill-in
  const fields = [
    ["situation", "Which conversation have you been putting off, and what has a camera seen of it?"],
    ["opening", "Your first sentence, word for word:"],
  ];
  const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const noted = () => Course.memory("own", { situation: "", opening: "" });
  const rated = () => Course.memory("ready", { value: Course.known("readiness") || 5, kept: 0 });

  // ---------------------------------------------------------------- Two notes
  const notesHtml = () => `
    <h1>Your own next conversation</h1>
    <p class="lead">Now your own. Two notes are enough to begin with.</p>
    <form class="notes">
      ${fields
        .map(
          ([id, question]) => `
        <label for="own-${id}">${question}</label>
        <textarea id="own-${id}" name="${id}" rows="2" maxlength="${limit}"
          aria-describedby="own-${id}-count"></textarea>
        <p class="counter" id="own-${id}-count"></p>`,
        )
        .join("")}
      <p class="note">These notes are stored with your results, and your training team can read them. Leave out
        names.</p>
      <button type="submit" class="second">Keep my notes</button>
      <p class="said" role="status"></p>
    </form>`;

  function notes(root) {
    const mine = noted();
    const form = root.querySelector("form");
    const draw = () => {
      for (const [id] of fields) {
        root.querySelector(`#own-${id}-count`).textContent = `${mine[id].length} of ${limit} characters`;
      }
    };
    for (const [id] of fields) form.elements[id].value = mine[id];
    form.addEventListener("input", (event) => {
      mine[event.target.name] = event.target.value;
      form.querySelector(".said").textContent = "";
      draw();
    });
    // Leaving a field records it, so that nothing is lost if the learner continues without pressing the button.
    form.addEventListener("change", (event) => {
      const [id, text] = fields.find(([name]) => name === event.target.name);
      // A fill-in is one line, "[,]" would cut it into two answers, and a brace in front would start a {lang=…} tag.
      const response = mine[id].replace(/\s+/g, " ").replaceAll("[,]", ",").trim().replace(/^\{/, "(");
      Course.record({ id: `p4-${id}`, type: "fill-in", text, response, replace: true });
      Course.share(id === "opening" ? "first_sentence" : "situation", response);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      Course.save();
      form.querySelector(".said").textContent = "Kept. You find them on your card at the end.";
    });
    draw();
  }

  // ---------------------------------------------------------------- A rating from 1 to 10
  const question = "How ready are you for this conversation, from 1 to 10?";
  const advice = (value) =>
    value <= 4
      ? "What would make it one more? A fact to look up, a sentence to try out loud? Begin there."
      : value <= 7
        ? "Good enough to invite. The rest comes with saying it out loud once."
        : "Then open your calendar and send the invitation today.";

  const readyHtml = () => `
    <h1>How ready are you?</h1>
    <p class="lead">Think of the conversation that you have just noted. Nobody is ever at ten.</p>
    <div class="rating">
      <output for="ready" id="ready-value">5</output>
      <div>
        <label for="ready">${question}</label>
        <input id="ready" type="range" min="1" max="10" step="1">
        <p class="ends" aria-hidden="true"><span>1, not at all</span><span>10, this minute</span></p>
      </div>
    </div>
    <button type="button" class="second keep-it"></button>
    <p class="said" role="status"></p>`;

  function ready(root) {
    const mine = rated();
    const slider = root.querySelector("input");
    const draw = () => {
      root.querySelector("output").textContent = mine.value;
      root.querySelector(".said").textContent = mine.kept ? advice(mine.value) : "";
      root.querySelector(".keep-it").textContent = `Keep ${mine.value}`;
      root.querySelector(".keep-it").hidden = Boolean(mine.kept);
    };
    const keepIt = () => {
      mine.kept = 1;
      draw();
      Course.record({ id: "p4-ready", type: "numeric", text: question, response: mine.value, replace: true });
      Course.share("readiness", mine.value);
    };
    slider.value = mine.value;
    slider.addEventListener("input", () => {
      mine.value = Number(slider.value);
      draw();
    });
    slider.addEventListener("change", keepIt);
    root.querySelector(".keep-it").addEventListener("click", () => {
      keepIt();
      slider.focus();
    });
    draw();
  }

  // ---------------------------------------------------------------- The card
  function card() {
    const { situation, opening } = noted();
    const { value, kept } = rated();
    const line = (text, empty) => (text.trim() ? escape(text) : `<span class="dim">${empty}</span>`);
    return `
      <div class="card">
        <h2>The conversation</h2>
        <p>${line(situation, "Nothing noted yet. Go back one or two steps, it takes a minute.")}</p>
        <h2>My first sentence</h2><p class="card-sentence">${line(opening, "Still to be found.")}</p>
        ${kept ? `<h2>How ready I am</h2><p>${value} of 10</p>` : ""}
      </div>
      <p>Name it, show it, say what follows, ask. Then seven seconds of silence.</p>`;
  }

  return { notesHtml, notes, readyHtml, ready, card };
})();
