/* Exercises for slides 6, 7 and 10: text message, phone call, sorting. They report what was chosen first. */
(() => {
  "use strict";
  const { all, feedback, reveal } = Exercises;

  // ---------------------------------------------------------------- Text message
  Exercises.smsHtml = ({ intro, options }) => `
    <h1>Small screen, same trick</h1>
    <div class="split phone-split">
      <div class="copy">
        <p>${intro}</p>
        <div class="options" role="group" aria-label="What do you do?">
          ${options
            .map(
              ([id, text]) =>
                `<button type="button" class="option" data-id="${id}" aria-pressed="false">${text}</button>`,
            )
            .join("")}
        </div>
        <div class="answer" role="status"></div>
      </div>
      <div class="phone" role="img" aria-label="A phone. Yesterday: Your parcel arrives tomorrow between 9 and 12.
        Today: Parcel PN-48213 is held at customs. Pay 19 kr today or it goes back.
        Link to nordpakke.example.parcel-fee.example">
        <div class="phone-screen" aria-hidden="true">
          <p class="phone-name"><span>N</span>NordPakke</p>
          <p class="when">Yesterday 18:20</p>
          <p class="bubble">Your parcel arrives tomorrow between 9 and 12.</p>
          <p class="when">Today 07:52</p>
          <p class="bubble">Parcel PN-48213 is held at customs. Pay 19 kr today or it goes back:
            <u>nordpakke.example.parcel-fee.example</u></p>
        </div>
      </div>
    </div>`;

  Exercises.sms = (root, { right, answers }) => {
    const mine = Course.memory("sms", { choice: "" });
    const since = Date.now();
    const draw = () => {
      for (const button of all(root, ".option")) {
        const chosen = button.dataset.id === mine.choice;
        button.setAttribute("aria-pressed", chosen);
        button.classList.toggle("is-right", chosen && mine.choice === right);
        button.classList.toggle("is-off", chosen && mine.choice !== right);
      }
      root.querySelector(".answer").innerHTML = mine.choice
        ? feedback(mine.choice === right, answers[mine.choice])
        : "";
    };
    root.querySelector(".options").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const first = !mine.choice;
      mine.choice = button.dataset.id;
      draw();
      reveal(root.querySelector(".answer"));
      if (!first) return Course.save();
      Course.record({
        id: "practice-sms",
        type: "choice",
        response: mine.choice,
        pattern: right,
        correct: mine.choice === right,
        weighting: 0,
        since,
      });
    });
    draw();
  };

  // ---------------------------------------------------------------- Phone call
  Exercises.callHtml = ({ intro }) => `
    <div class="split call-split">
      <div class="copy">
        <h1>A caller in a hurry</h1>
        <p class="lead">${intro}</p>
        <div class="ending" role="status"></div>
      </div>
      <div class="call">
        <p class="caller"><span aria-hidden="true">${Art.person()}</span>
          <strong>Unknown number</strong></p>
        <ol class="lines" aria-live="polite"></ol>
        <div class="actions">
          <button type="button" class="second listen">Keep listening</button>
          <button type="button" class="primary hangup">Hang up</button>
          <button type="button" class="second again" hidden>Take the call again</button>
        </div>
      </div>
    </div>`;

  Exercises.call = (root, { lines, endings }) => {
    const mine = Course.memory("call", { heard: 1, over: 0, told: 0 });
    const since = Date.now();
    const list = root.querySelector(".lines");
    const part = (name) => root.querySelector(`.${name}`);

    const draw = () => {
      // Only new lines are appended, so that a screen reader reads just those.
      while (list.children.length > mine.heard) list.lastChild.remove();
      for (let i = list.children.length; i < mine.heard; i++) {
        list.insertAdjacentHTML("beforeend", `<li><q>${lines[i][0]}</q></li>`);
      }
      for (const [i, item] of [...list.children].entries()) {
        if (!mine.over || item.children.length > 1) continue;
        item.insertAdjacentHTML("beforeend", `<p class="small">${lines[i][1]}</p>`);
      }
      part("listen").hidden = Boolean(mine.over) || mine.heard === lines.length;
      part("hangup").hidden = Boolean(mine.over);
      part("again").hidden = !mine.over;
      part("caller").classList.toggle("is-over", Boolean(mine.over));
      const sign = lines.length - 1; // the line in which he says what he wants
      const ending = mine.heard < sign ? endings.early : mine.heard === sign ? endings.now : endings.late;
      part("ending").innerHTML = mine.over
        ? `<p class="feedback ${mine.heard > sign ? "think" : "good"}"><strong>${ending}</strong> Now call 4040
             yourself, with the number on your badge. A real colleague will not mind.</p>
           <p>A voice that you know is no proof either. Voices can be imitated.</p>`
        : "";
    };

    part("listen").addEventListener("click", () => {
      mine.heard += 1;
      draw();
      reveal(list.lastChild);
      if (part("listen").hidden) part("hangup").focus();
      Course.save();
    });
    part("hangup").addEventListener("click", () => {
      mine.over = 1;
      draw();
      part("again").focus({ preventScroll: true });
      reveal(part("ending"));
      if (mine.told) return Course.save();
      mine.told = 1;
      Course.record({ id: "practice-call", type: "numeric", response: mine.heard, weighting: 0, since });
    });
    part("again").addEventListener("click", () => {
      mine.heard = 1;
      mine.over = 0;
      list.innerHTML = "";
      draw();
      part("listen").focus();
      Course.save();
    });
    draw();
  };

  // ---------------------------------------------------------------- Sorting into three trays
  Exercises.sortHtml = ({ intro, trays }) => `
    <div class="copy"><h1>Six messages, three trays</h1><p class="lead">${intro}</p></div>
    <div class="sort">
      <div class="card" role="status"></div>
      <div class="trays" role="group" aria-label="Trays">
        ${trays
          .map(
            ([id, name, rule]) => `<button type="button" class="tray" data-id="${id}">
          <strong>${name}</strong><span>${rule}</span><i aria-hidden="true"></i></button>`,
          )
          .join("")}
      </div>
      <div class="actions">
        <button type="button" class="second onward" hidden>Next message</button>
        <button type="button" class="second again" hidden>Sort again</button>
      </div>
    </div>`;

  Exercises.sort = (root, items) => {
    // put: item id -> tray chosen first, now: index of the item on show, told: already reported
    const mine = Course.memory("sort", { put: {}, now: 0, told: 0 });
    const since = Date.now();
    const name = (tray) => root.querySelector(`.tray[data-id="${tray}"] strong`).textContent;
    const part = (selector) => root.querySelector(selector);
    const right = (item) => mine.put[item.id] === item.tray;

    const draw = () => {
      const item = items[mine.now];
      const put = item && mine.put[item.id];
      const hits = items.filter(right).length;
      part(".card").innerHTML = item
        ? `<p class="dim small">Message ${mine.now + 1} of ${items.length}</p><p class="message">${item.text}</p>` +
          (put ? feedback(right(item), (right(item) ? "" : `It belongs under “${name(item.tray)}”. `) + item.why) : "")
        : `<h2>${hits} of ${items.length} on the first try</h2><ul class="sorted">${items
            .map(
              (one) => `
            <li><span class="tray-name">${name(one.tray)}</span><span>${one.text}</span>
            <span class="mark ${right(one) ? "ok" : "no"}">${right(one) ? "right" : "missed"}</span>
          </li>`,
            )
            .join("")}</ul>`;
      for (const tray of all(root, ".tray")) {
        tray.disabled = Boolean(put) || !item;
        tray.classList.toggle("is-here", Boolean(put) && tray.dataset.id === item.tray);
        tray.querySelector("i").innerHTML = items
          .filter((one) => mine.put[one.id] && one.tray === tray.dataset.id)
          .map(() => "<b></b>")
          .join("");
      }
      part(".trays").hidden = !item;
      part(".onward").hidden = !put;
      part(".onward").textContent = mine.now === items.length - 1 ? "Show the result" : "Next message";
      part(".again").hidden = Boolean(item);
    };

    part(".trays").addEventListener("click", (event) => {
      const tray = event.target.closest(".tray");
      if (!tray || tray.disabled) return;
      mine.put[items[mine.now].id] = tray.dataset.id;
      draw();
      part(".onward").focus({ preventScroll: true });
      reveal(part(".onward"));
      Course.save();
    });
    part(".onward").addEventListener("click", () => {
      mine.now += 1;
      draw();
      const done = mine.now === items.length;
      (done ? part(".again") : part(".tray")).focus({ preventScroll: true });
      reveal(part(".card"));
      if (!done || mine.told) return Course.save();
      mine.told = 1;
      const pairs = (pick) => items.map((one) => `${one.id}.${pick(one)}`).join(",");
      Course.record({
        id: "practice-sort",
        type: "matching",
        response: pairs((one) => mine.put[one.id]),
        pattern: pairs((one) => one.tray),
        correct: items.every(right),
        weighting: 0,
        since,
      });
    });
    part(".again").addEventListener("click", () => {
      Object.assign(mine, { put: {}, now: 0 });
      draw();
      part(".tray").focus({ preventScroll: true });
      Course.save();
    });
    draw();
  };
})();
