/*
 * Exercises that count. Each function takes the content of one exercise and returns a step for Course.start().
 * What the learner does is kept in Course.memory(id), so that coming back restores it, also half done.
 *
 *   choice   one or several right options, true or false    classify  two words for every statement
 *   order    put sentences in order                         match     find the partner of every statement
 */
const Exercises = (() => {
  "use strict";

  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const feedback = (right, text) =>
    `<p class="feedback ${right ? "good" : "think"}"><strong>${right ? "Right." : "Not quite."}</strong> ${text}</p>`;

  function reveal(element) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  }

  const head = ({ title, lead = "" }) => `<h1>${title}</h1>${lead && `<p class="lead">${lead}</p>`}`;
  const frame = (content, fields) => `${head(content)}
    <form class="exercise" novalidate>${fields}
      <div class="answer" role="status"></div>
      <button type="submit" class="second check">Check answer</button>
    </form>`;

  /*
   * What all exercises share: read the fields, draw the state, check, tell the platform, lock when solved.
   *   read(form)          the answer as the learner left it     ready(answer)  is it complete enough to be checked?
   *   draw(form, mine)    show the state                        share(answer)  how much of it is right, from 0 to 1
   *   report(answer)      { type, response, pattern } in the words of SCORM 2004
   */
  function run(root, content, { initial, read, draw, ready, share, report }) {
    const mine = Course.memory(content.id, { a: initial, tries: 0, ok: 0, now: 0 }); // now: an answer is on show
    const form = root.querySelector("form");
    const answer = form.querySelector(".answer");
    const check = form.querySelector(".check");
    let since = Date.now();

    const refresh = () => {
      draw(form, mine);
      answer.innerHTML = mine.now ? feedback(mine.ok === 1, mine.ok ? content.why : content.hint) : "";
      check.hidden = mine.ok === 1;
      check.disabled = !ready(mine.a) || Boolean(mine.now);
      for (const field of all(form, "input, select, .move")) field.disabled = mine.ok === 1;
    };
    // Every change is saved, so that an unfinished answer survives a closed tab.
    const change = (next) => {
      mine.a = next;
      mine.now = 0;
      refresh();
      Course.keep();
    };
    form.addEventListener("change", () => change(read(form)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (mine.ok || !ready(mine.a)) return;
      const right = share(mine.a);
      mine.ok = right === 1 ? 1 : 0;
      mine.now = 1;
      mine.tries += 1;
      refresh();
      if (mine.ok) document.getElementById("next").focus({ preventScroll: true });
      reveal(answer);
      Course.solved(content.id, { ok: mine.ok, share: right });
      Course.record({
        id: content.id,
        text: content.question || content.title,
        since,
        weighting: 1,
        result: mine.ok ? "correct" : "incorrect",
        ...report(mine.a),
      });
      since = Date.now();
    });
    refresh();
    return { change, mine };
  }

  const step = (content, html, setup) => ({ id: content.id, check: content.id, title: content.title, html, setup });

  // ---------------------------------------------------------------- One or several right options
  // content: { id, title, lead, question, many, truth, options: [[id, text]], right: [id], why, hint }
  function choice(content) {
    const fields = content.options
      .map(
        ([id, text]) => `
      <label class="option"><input type="${content.many ? "checkbox" : "radio"}" name="${content.id}" value="${id}">
        <span>${text}</span></label>`,
      )
      .join("");
    return step(
      content,
      () =>
        frame(
          content,
          `<fieldset>
        <legend>${content.question}${content.many ? " <span>Choose all that apply.</span>" : ""}</legend>
        <div class="options">${fields}</div></fieldset>`,
        ),
      (root) =>
        run(root, content, {
          initial: [],
          read: (form) => all(form, "input:checked").map((input) => input.value),
          ready: (a) => a.length > 0,
          share: (a) => ([...a].sort().join() === [...content.right].sort().join() ? 1 : 0),
          draw: (form, mine) =>
            all(form, "input").forEach((input) => {
              input.checked = mine.a.includes(input.value);
              const label = input.closest("label");
              label.classList.toggle("is-right", mine.ok === 1 && input.checked);
              const wrong = input.checked && !content.right.includes(input.value);
              label.classList.toggle("is-off", wrong && mine.now === 1);
            }),
          report: (a) => ({
            type: content.truth ? "true-false" : "choice",
            response: a.join("[,]"),
            pattern: content.right.join("[,]"),
          }),
        }),
    );
  }

  // ---------------------------------------------------------------- Statements with two possible answers
  // content: { id, title, lead, question, kinds: [[id, word]], items: [{ id, text, kind, why }], why, hint }
  function classify(content) {
    const row = (item) => `
      <fieldset class="row" data-id="${item.id}"><legend>${item.text}</legend>
        <div class="pair">${content.kinds
          .map(
            ([id, word]) => `
          <label><input type="radio" name="${content.id}-${item.id}" value="${id}">
            <span>${word}</span></label>`,
          )
          .join("")}
          </div>
        <p class="row-note"></p></fieldset>`;
    const pairs = (pick) => content.items.map((item) => `${item.id}[.]${pick(item)}`).join("[,]");
    return step(
      content,
      () => frame(content, `<div class="rows">${content.items.map(row).join("")}</div>`),
      (root) =>
        run(root, content, {
          initial: {},
          read: (form) =>
            Object.fromEntries(
              all(form, ".row").flatMap((one) => {
                const input = one.querySelector("input:checked");
                return input ? [[one.dataset.id, input.value]] : [];
              }),
            ),
          ready: (a) => Object.keys(a).length === content.items.length,
          share: (a) => content.items.filter((item) => a[item.id] === item.kind).length / content.items.length,
          draw: (form, mine) =>
            content.items.forEach((item) => {
              const one = all(form, ".row").find((fieldset) => fieldset.dataset.id === item.id);
              for (const input of all(one, "input")) input.checked = mine.a[item.id] === input.value;
              const off = mine.now === 1 && mine.a[item.id] !== item.kind;
              one.classList.toggle("is-off", off);
              one.querySelector(".row-note").textContent = off ? item.why : "";
            }),
          report: (a) => ({
            type: "matching",
            response: pairs((item) => a[item.id]),
            pattern: pairs((item) => item.kind),
          }),
        }),
    );
  }

  // ---------------------------------------------------------------- Put sentences in order
  // content: { id, title, lead, question, items: [[id, text]] in the order shown first, right: [id], why, hint }
  function order(content) {
    const text = Object.fromEntries(content.items);
    const mover = (id, by, end) => `
      <button type="button" class="move" data-by="${by}" ${end ? 'aria-disabled="true"' : ""}
        aria-label="Move ${by < 0 ? "up" : "down"}: ${text[id]}"><svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="${by < 0 ? "M10 16V5m-5 5l5-5 5 5" : "M10 4v11m-5-5l5 5 5-5"}"/></svg></button>`;
    return step(
      content,
      () =>
        frame(
          content,
          `<p class="question" id="${content.id}-q">${content.question}</p>
        <ol class="order" aria-labelledby="${content.id}-q"></ol><p class="sr said" role="status"></p>`,
        ),
      (root) => {
        const list = root.querySelector(".order");
        const { change, mine } = run(root, content, {
          initial: content.items.map(([id]) => id),
          read: () => mine.a,
          ready: () => true,
          share: (a) => a.filter((id, i) => id === content.right[i]).length / a.length,
          draw: (form, { a, ok, now }) => {
            list.innerHTML = a
              .map(
                (id, i) => `
              <li data-id="${id}" class="${now && id !== content.right[i] ? "is-off" : ok ? "is-right" : ""}">
                <span>${text[id]}</span>
                <span class="moves">${mover(id, -1, i === 0)}${mover(id, 1, i === a.length - 1)}</span>
              </li>`,
              )
              .join("");
          },
          report: (a) => ({ type: "sequencing", response: a.join("[,]"), pattern: content.right.join("[,]") }),
        });
        list.addEventListener("click", (event) => {
          const button = event.target.closest(".move");
          if (!button || mine.ok) return;
          const id = button.closest("li").dataset.id;
          const from = mine.a.indexOf(id);
          const to = from + Number(button.dataset.by);
          if (to < 0 || to >= mine.a.length) return;
          const next = mine.a.filter((one) => one !== id);
          next.splice(to, 0, id);
          change(next);
          // The list was rendered again: return the focus to the same button of the same sentence.
          list.querySelector(`[data-id="${id}"] [data-by="${button.dataset.by}"]`).focus();
          root.querySelector(".said").textContent = `Now at place ${to + 1} of ${next.length}`;
        });
      },
    );
  }

  // ---------------------------------------------------------------- Find the partner
  // content: { id, title, lead, answers: [[id, text]], items: [{ id, text, partner }], why, hint }
  function match(content) {
    const row = (item) => `
      <li class="pairing" data-id="${item.id}"><label for="${content.id}-${item.id}">${item.text}</label>
        <select id="${content.id}-${item.id}"><option value="">Choose a reply</option>
          ${content.answers.map(([id, text]) => `<option value="${id}">${text}</option>`).join("")}</select></li>`;
    const pairs = (pick) => content.items.map((item) => `${item.id}[.]${pick(item)}`).join("[,]");
    return step(
      content,
      () => frame(content, `<ul class="pairings">${content.items.map(row).join("")}</ul>`),
      (root) =>
        run(root, content, {
          initial: {},
          read: (form) =>
            Object.fromEntries(all(form, ".pairing").map((li) => [li.dataset.id, li.querySelector("select").value])),
          ready: (a) => content.items.every((item) => a[item.id]),
          share: (a) => content.items.filter((item) => a[item.id] === item.partner).length / content.items.length,
          draw: (form, mine) =>
            content.items.forEach((item) => {
              const li = all(form, ".pairing").find((one) => one.dataset.id === item.id);
              li.querySelector("select").value = mine.a[item.id] || "";
              li.classList.toggle("is-off", mine.now === 1 && mine.a[item.id] !== item.partner);
              li.classList.toggle("is-right", mine.now === 1 && mine.a[item.id] === item.partner);
            }),
          report: (a) => ({
            type: "matching",
            response: pairs((item) => a[item.id]),
            pattern: pairs((item) => item.partner),
          }),
        }),
    );
  }

  // ---------------------------------------------------------------- The last step of a part
  // Links to the exercises that are still open, or confirms the end of the part.
  function ending({ title, html }) {
    return {
      id: "end",
      title,
      html: () => {
        const open = Course.unsolved();
        const links = open
          .map((one) => `<li><button type="button" class="second" data-go="${one.id}">${one.title}</button></li>`)
          .join("");
        const note = `<div class="note">
          <p><strong>${open.length === 1 ? "One exercise is" : `${open.length} exercises are`} still open.</strong>
            The part counts as completed when ${open.length === 1 ? "it is" : "they are"} solved.
            You can try as often as you like.</p>
          <ul class="open">${links}</ul></div>`;
        return `<h1>${title}</h1>${html()}${open.length ? note : ""}`;
      },
      setup: (root) =>
        all(root, "[data-go]").forEach((button) =>
          button.addEventListener("click", () => Course.goTo(button.dataset.go)),
        ),
    };
  }

  return { all, reveal, head, choice, classify, order, match, ending };
})();
