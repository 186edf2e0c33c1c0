/* Slides 12 to 17: five questions and the result. Questions are data, one function renders every kind. */
(() => {
  "use strict";

  // right: ids of the right options, or the number. Ids are single characters, as SCORM 1.2 requires.
  const questions = [
    {
      id: "q1-owner",
      type: "choice",
      right: ["b"],
      text: "You type your password at https://norrvik.example.<wbr>salary-desk.example/login. Who receives it?",
      options: [
        ["a", "Norrvik, because the address begins with norrvik.example"],
        ["b", "Whoever owns salary-desk.example"],
        ["c", "Nobody, because https keeps it secret"],
      ],
      why:
        "Left of the first slash stands the owner: salary-desk.example. The s in https only means that nobody " +
        "else listens on the way to them.",
    },
    {
      id: "q2-five-minutes",
      type: "choice",
      many: true,
      right: ["a", "c", "d"],
      text: "You typed your password into a page that now looks wrong. What do you do in the first five minutes?",
      options: [
        ["a", "Switch Wi-Fi off and pull the network cable"],
        ["b", "Delete the email, so that nobody else opens it"],
        ["c", "Call the security desk"],
        ["d", "Change the password from another device"],
        ["e", "Shut the computer down"],
      ],
      why:
        "Disconnect, call, change the password. Keep the message and leave the computer running: both " +
        "hold evidence.",
    },
    {
      id: "q3-caller",
      type: "true-false",
      right: ["f"],
      text: "A caller knows your name, your manager and your staff number. That proves that he is a colleague.",
      options: [
        ["t", "True"],
        ["f", "False"],
      ],
      why: "All three are easy to collect. Hang up and call back on a number that you already knew.",
    },
    {
      id: "q4-minutes",
      type: "numeric",
      right: 5,
      text: "After a click, within how many minutes does the security desk hear from you at the latest?",
      label: "Minutes",
      why: "Within 5 minutes, even when you are not sure.",
    },
    {
      id: "q5-gift-cards",
      type: "choice",
      right: ["c"],
      text:
        "Your manager writes from a private address: “In a meeting. Buy four gift cards and send me the codes. " +
        "Keep it between us.” What do you do?",
      options: [
        ["a", "Buy one card first, to be on the safe side"],
        ["b", "Reply and ask whether it is really her"],
        ["c", "Call her on the number in the directory, then report the message"],
        ["d", "Leave it and think no more of it"],
      ],
      why:
        "A reply reaches the attacker. The directory reaches her. And your report protects the next person " +
        "who gets it.",
    },
  ];

  const answer = (question) => (Course.state.q[question.id] = Course.state.q[question.id] || { a: [] });
  const checked = (question) => answer(question).ok !== undefined;
  const right = (question) => answer(question).ok === 1;
  const percent = () => (questions.filter(right).length / questions.length) * 100;
  const marks = (current) =>
    questions.map((question) =>
      right(question) ? "on" : answer(question).ok === 0 ? "off" : question === current ? "now" : "",
    );

  const isRight = (question, given) =>
    question.type === "numeric"
      ? Number(given[0]) === question.right
      : [...given].sort().join() === question.right.join();

  // ---------------------------------------------------------------- One question
  const field = (question, given, locked) =>
    question.type === "numeric"
      ? `<label class="number">${question.label}
        <input type="text" inputmode="numeric" pattern="[0-9]*" maxlength="3" autocomplete="off" name="${question.id}"
          value="${given[0] ?? ""}" ${locked ? "disabled" : ""}></label>`
      : question.options
          .map(([id, text]) => {
            const mark = !locked ? "" : question.right.includes(id) ? "is-right" : given.includes(id) ? "is-off" : "";
            return `
        <label class="choice ${mark}">
          <input type="${question.many ? "checkbox" : "radio"}" name="${question.id}" value="${id}"
            ${given.includes(id) ? "checked" : ""} ${locked ? "disabled" : ""}>
          <span>${text}</span>
          ${mark && `<em>${mark === "is-right" ? "right answer" : "your answer"}</em>`}
        </label>`;
          })
          .join("");

  function questionSlide(question, n) {
    return {
      id: question.id,
      title: `Question ${n + 1} of ${questions.length}`,
      ready: () => checked(question),
      html: () => `
        <div class="quiz">
          <form class="copy" novalidate>
            <h1 class="quiz-count">Question ${n + 1} of ${questions.length}</h1>
            <fieldset>
              <legend>${question.text}${question.many ? " <span>Choose all that apply.</span>" : ""}</legend>
              <div class="fields">${field(question, answer(question).a, checked(question))}</div>
            </fieldset>
            <div class="result" role="status"></div>
            <button type="submit" class="primary check">Check answer</button>
          </form>
          <div class="tower">${Art.windows(marks(question))}</div>
        </div>`,
      setup: (root) => {
        const form = root.querySelector("form");
        const since = Date.now();
        const read = () => [...new FormData(form).getAll(question.id)].map((value) => value.trim()).filter(Boolean);

        const draw = () => {
          const { a, ok } = answer(question);
          form.querySelector(".check").hidden = checked(question);
          form.querySelector(".check").disabled = a.length === 0;
          if (!checked(question)) return;
          form.querySelector(".fields").innerHTML = field(question, a, true);
          form.querySelector(".result").innerHTML = Exercises.feedback(ok === 1, question.why);
          root.querySelector(".tower").innerHTML = Art.windows(marks());
        };

        // Every change is saved, so that an unfinished answer survives a closed tab.
        form.addEventListener("input", () => {
          answer(question).a = read();
          draw();
          Course.keep();
        });
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          const given = read();
          if (checked(question) || given.length === 0) return;
          if (question.type === "numeric" && !/^\d+$/.test(given[0])) {
            form.querySelector(".result").innerHTML = '<p class="feedback think">Enter a whole number.</p>';
            return;
          }
          const ok = isRight(question, given);
          Course.state.q[question.id] = { a: given, ok: ok ? 1 : 0 };
          draw();
          Course.refresh();
          document.getElementById("next").focus({ preventScroll: true });
          Exercises.reveal(form.querySelector(".result"));
          Course.record({
            id: question.id,
            type: question.type,
            since,
            correct: ok,
            response: given.join(","),
            pattern: [].concat(question.right).join(","),
          });
          if (questions.every(checked)) Course.reportScore(percent());
        });
        draw();
      },
    };
  }

  // ---------------------------------------------------------------- Result
  const resultSlide = {
    id: "result",
    title: "Your result",
    html: () => {
      const done = questions.every(checked);
      const won = done && percent() >= Course.passMark();
      const before = Course.passed() && !won; // passed on an earlier visit whose answers are gone
      const [heading, lead] = won
        ? ["Passed. The light is on.", "Pause, take another way, report. You can close the course now."]
        : done
          ? [
              "Not passed yet",
              `You need ${Course.passMark()} %. Read the comments, look at a slide again if you
              like, then try once more.`,
            ]
          : before
            ? ["You passed this course before", "That result stays. You can answer the questions again."]
            : ["Some questions are still open", "Go back and answer the questions that are still dark."];
      return `
        <div class="quiz">
          <div class="copy">
            <h1>${heading}</h1>
            <p class="lead">${lead}</p>
            ${
              done
                ? `<p class="score"><strong>${Math.round(percent())} %</strong>
              ${questions.filter(right).length} of ${questions.length} right</p>`
                : ""
            }
            <ol class="review">${questions
              .map(
                (question, n) => `
              <li><span class="mark ${right(question) ? "ok" : "no"}">
                  ${right(question) ? "right" : checked(question) ? "missed" : "open"}</span>
                <span>${n + 1}. ${question.text}</span></li>`,
              )
              .join("")}</ol>
            <div class="actions">
              ${done && !won ? '<button type="button" class="primary retry">Try again</button>' : ""}
              <button type="button" class="second restart">Back to the first slide</button>
            </div>
            ${before && done ? '<p class="dim">You passed this course before. That result stays.</p>' : ""}
          </div>
          <div class="tower">${Art.windows(marks())}</div>
        </div>`;
    },
    setup: (root) => {
      root.querySelector(".restart").addEventListener("click", () => Course.goTo("start"));
      root.querySelector(".retry")?.addEventListener("click", () => {
        Course.state.q = {};
        Course.goTo(questions[0].id);
      });
    },
  };

  Course.add(...questions.map(questionSlide), resultSlide);
})();
