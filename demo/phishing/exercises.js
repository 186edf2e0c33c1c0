/*
 * Exercises for slides 3 to 5: levers, inspecting a mail, reading addresses.
 * Each one keeps what the learner did in Course.memory(slideId, initial) and draws itself again from there,
 * so that coming back after a break needs no extra code. Content comes from the slides.
 */
const Exercises = (() => {
  "use strict";

  const all = (root, selector) => [...root.querySelectorAll(selector)];

  // Feedback is announced by the live region around it and never by colour alone.
  const feedback = (right, text) =>
    `<p class="feedback ${right ? "good" : "think"}"><strong>${right ? "Right." : "Not quite."}</strong> ${text}</p>`;

  // Bring new feedback into view, also when it appears below the fold of a phone.
  function reveal(element) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  }

  // ---------------------------------------------------------------- Levers: native disclosure widgets
  const lever = (id, name, quote, why, question) => `
    <details data-id="${id}">
      <summary>${Art.levers[id]()}<span><strong>${name}</strong><q>${quote}</q></span></summary>
      <p>${why} Ask yourself: <strong>${question}</strong></p>
    </details>`;

  function levers(root) {
    const mine = Course.memory("levers", { open: [] });
    for (const item of all(root, "details")) {
      item.open = mine.open.includes(item.dataset.id);
      item.addEventListener("toggle", () => {
        mine.open = all(root, "details[open]").map((other) => other.dataset.id);
        Course.save();
      });
    }
  }

  // ---------------------------------------------------------------- Mail: find five spots
  const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const spot = (id, text) => `<button type="button" class="spot" data-id="${id}" aria-pressed="false">${text}</button>`;

  const mailHtml = ({ intro, to }) => `
    <div class="copy"><h1>Inspect this email</h1><p class="lead">${intro}</p></div>
    <div class="inspect">
      <article class="mail" aria-label="Email to inspect">
        <div class="mail-head">
          <p class="mail-from"><strong>Norrvik IT Service</strong>
            ${spot("sender", "&lt;it-service@norrvik-support.example&gt;")}</p>
          <p class="mail-subject">Mailbox full: ${spot("deadline", "confirm before 16:00")}</p>
          <p class="dim small">Today 14:12, to you</p>
        </div>
        <div class="mail-body">
          <p>${spot("logo", '<span class="mail-logo">Norrvik Energi</span>')}</p>
          <p>${spot("greeting", `Hello ${escape(to)},`)}</p>
          <p>${spot("story", "Your mailbox has reached 98 % of its size.")} Confirm your account to keep receiving
            mail.</p>
          <p>${spot(
            "link",
            `<span class="mail-link">Keep my mailbox</span>
            <span class="mail-target">https://norrvik.example.mail-quota.example/login</span>`,
          )}</p>
          <p>${spot("check", "Do not call the service desk, this runs automatically.")}</p>
          <p class="mail-file">${spot("file", "quota-report.html, 12 KB")}</p>
        </div>
      </article>
      <aside class="findings" aria-label="What you found">
        <p class="count"><span class="pillars" aria-hidden="true"></span><strong></strong></p>
        <div class="finding" role="status"></div>
        <button type="button" class="second reveal">Show the rest</button>
      </aside>
    </div>`;

  function mail(root, spots) {
    const mine = Course.memory("email", { hits: [], last: "", shown: 0 });
    const wrong = Object.keys(spots).filter((id) => spots[id].wrong);

    const draw = () => {
      const found = wrong.filter((id) => mine.hits.includes(id)).length;
      for (const button of all(root, ".spot")) {
        const { wrong: bad } = spots[button.dataset.id];
        const hit = mine.hits.includes(button.dataset.id);
        button.setAttribute("aria-pressed", hit);
        button.classList.toggle("is-wrong", Boolean(hit && bad));
        button.classList.toggle("is-fine", Boolean(hit && !bad));
        button.querySelector(".tag")?.remove();
        if (!hit) continue;
        button.insertAdjacentHTML("beforeend", `<span class="tag">${bad ? "suspicious" : "proves nothing"}</span>`);
      }
      root.querySelector(".count strong").textContent = `${found} of ${wrong.length} found`;
      root.querySelector(".pillars").innerHTML = wrong
        .map((_, i) => `<i class="${i < found ? "on" : ""}"></i>`)
        .join("");
      const last = spots[mine.last];
      const done = found === wrong.length;
      root.querySelector(".finding").innerHTML =
        (last
          ? `<h2>${last.name}</h2><p>${last.text}</p>`
          : '<p class="dim">Select a spot in the message. You read here what it tells you.</p>') +
        (!done
          ? ""
          : mine.shown
            ? '<p class="dim">Select the others to read about them.</p>'
            : "<p><strong>All five. In real life, one is enough to report it.</strong></p>");
      root.querySelector(".reveal").hidden = done;
    };

    root.addEventListener("click", (event) => {
      const button = event.target.closest(".spot");
      if (!button) return;
      mine.last = button.dataset.id;
      if (!mine.hits.includes(mine.last)) mine.hits.push(mine.last);
      draw();
      Course.save();
    });
    root.querySelector(".reveal").addEventListener("click", () => {
      mine.last = wrong.find((id) => !mine.hits.includes(id));
      mine.hits = [...new Set([...mine.hits, ...wrong])];
      mine.shown = 1;
      draw();
      all(root, ".spot")
        .find((button) => button.dataset.id === mine.last)
        .focus({ preventScroll: true });
      Course.save();
    });
    draw();
  }

  // ---------------------------------------------------------------- Addresses: which part is the owner?
  function addresses(root, items) {
    const mine = Course.memory("address", { tried: {} }); // item id -> index of the part selected last
    const list = root.querySelector(".addresses");
    const no = (text) => `<p class="no"><strong>Not quite.</strong> ${text}</p>`;

    list.innerHTML = items
      .map(
        (item, n) => `
      <li data-id="${item.id}">
        <div class="url" role="group" aria-label="Address ${n + 1}">
          <span class="dim">https://</span>${item.parts
            .map((part, i) => `<button type="button" data-part="${i}" aria-pressed="false">${part}</button>`)
            .join("")}
        </div>
        <div class="verdict" role="status"></div>
      </li>`,
      )
      .join("");

    const draw = (item) => {
      const row = all(list, "li").find((li) => li.dataset.id === item.id);
      const tried = mine.tried[item.id];
      for (const button of all(row, "button")) {
        const chosen = Number(button.dataset.part) === tried;
        button.setAttribute("aria-pressed", chosen);
        button.className = chosen ? (tried === item.owner ? "is-owner" : "is-missed") : "";
      }
      row.querySelector(".verdict").innerHTML =
        tried === undefined
          ? ""
          : tried === item.owner
            ? `<p class="ok"><strong>${item.verdict}.</strong> ${item.text}</p>`
            : tried < item.owner
              ? no("Decoration. Go on to the right, up to the first slash.")
              : no("After the first slash comes only the page. Look left of it.");
    };

    list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const item = items.find(({ id }) => id === button.closest("li").dataset.id);
      mine.tried[item.id] = Number(button.dataset.part);
      draw(item);
      Course.save();
    });
    items.forEach(draw);
  }

  return { all, feedback, reveal, lever, levers, mailHtml, mail, addresses };
})();
