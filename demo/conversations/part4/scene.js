/*
 * Part 4: a short scene. Every node is what Per says; every choice leads to the next node and brings 0, 1 or 2 points.
 * Three decisions, six points. The path is kept, so that a half-played scene goes on where it stopped.
 */
const Scene = (() => {
  "use strict";

  const start = "start";
  const nodes = {
    start: {
      per: "So. What is this about?",
      choices: {
        a: {
          points: 1,
          to: "guarded",
          text: "“Nothing bad. How are things in general?”",
          note: "Friendly, but he now waits for the blow.",
        },
        b: {
          points: 2,
          to: "open",
          text:
            "“The handover. Four times this month it came after three, and the night crew starts without a " +
            "briefing. How do you see it?”",
          note: "Named, shown, what follows, asked. Half a minute.",
        },
        c: {
          points: 0,
          to: "closed",
          text: "“You are always late, Per, and the whole crew is fed up with it.”",
          note: "Two verdicts and an audience. He has to defend himself.",
        },
      },
    },
    open: {
      per: "<i>After a pause.</i> The trucks come in at ten to three. I cannot sign for something I have not seen.",
      choices: {
        a: { points: 0, to: "cold", text: "“Others manage it.”", note: "A comparison ends every explanation." },
        b: {
          points: 1,
          to: "polite",
          text: "“Then I will talk to the drivers, and that is that.”",
          note: "Quick and well meant, but it is your solution, not his.",
        },
        c: {
          points: 2,
          to: "moving",
          text: "“So you would sign blind, and you do not want that. Is that it?”",
          note: "He feels understood, and can think further.",
        },
      },
    },
    guarded: {
      per: "All right. And what do you really want to say?",
      choices: {
        a: {
          points: 2,
          to: "moving",
          text: "“The handover came after three, four times this month. I want to understand what makes it hard.”",
          note: "Back to the fact, and a real question.",
        },
        b: {
          points: 0,
          to: "cold",
          text: "“I think you know exactly what I mean.”",
          note: "A riddle in place of a sentence.",
        },
        c: {
          points: 1,
          to: "polite",
          text: "“Perhaps we could all be a bit quicker in the afternoon.”",
          note: "Now nobody knows who should do what.",
        },
      },
    },
    closed: {
      per: "<i>Crosses his arms.</i> Twelve years. And that is what I get.",
      choices: {
        a: {
          points: 0,
          to: "cold",
          text: "“Now calm down, please.”",
          note: "Nobody has ever calmed down because of this sentence.",
        },
        b: {
          points: 1,
          to: "polite",
          text: "“Let us stop here and talk another day.”",
          note: "Better than a fight, but the matter stays on the table.",
        },
        c: {
          points: 2,
          to: "moving",
          text: "“That came out wrong. I value the twelve years. Let me start again with what I saw.”",
          note: "Taking back a sentence costs little and opens a lot.",
        },
      },
    },
    moving: {
      per: "If the trucks came at half past two, I would be done by three. Easily.",
      choices: {
        a: {
          points: 1,
          to: "",
          text: "“Good. Then I will arrange it.”",
          note: "A solution, but only one of you has a task.",
        },
        b: {
          points: 2,
          to: "",
          text:
            "“I will ask dispatch today. Until Friday you sign for what you have seen. Monday at nine we look " +
            "at it together?”",
          note: "Who, what, until when, and a date to look at it.",
        },
        c: {
          points: 0,
          to: "",
          text: "“And why did you not say so weeks ago?”",
          note: "You got what you came for, and hit back.",
        },
      },
    },
    polite: {
      per: "Fine. I will try to be quicker.",
      choices: {
        a: { points: 0, to: "", text: "“Trying is not enough.”", note: "True, perhaps. But now he will not even try." },
        b: {
          points: 2,
          to: "",
          text: "“What would have to be different for it to work?”",
          note: "The question that turns politeness into a plan.",
        },
        c: { points: 1, to: "", text: "“Thank you, Per.”", note: "A nice end. Nothing has been agreed." },
      },
    },
    cold: {
      per: "<i>Looks at the clock.</i> Then write it down, if you have to.",
      choices: {
        a: {
          points: 2,
          to: "",
          text: "“I would rather not. I want it to work. What would you need for that?”",
          note: "An open hand, late but honest.",
        },
        b: { points: 0, to: "", text: "“Fine. Then I will.”", note: "Now it is a file, no longer a conversation." },
        c: {
          points: 1,
          to: "",
          text: "“Let us both sleep on it. Thursday at two, here?”",
          note: "A pause with a date. Not lost yet.",
        },
      },
    },
  };
  const most = 6;
  const endings = [
    [
      5,
      "They look at it on Monday",
      "Per takes his jacket off. A week later, three of four handovers were complete " +
        "by three, and the fourth had a reason.",
    ],
    [4, "A beginning", "Per nods. It is not all settled, but both know what comes next."],
    [2, "Polite, and open", "Per goes back to work. On Thursday the handover comes at twenty past three."],
    [0, "The door is closed", "Per leaves. The crew hears his version first."],
  ];

  const html = () => `
    <h1>Tuesday, 14:30</h1>
    <ol class="talk" aria-live="polite"></ol>
    <fieldset class="decide"><legend></legend><div class="options"></div></fieldset>
    <div class="outcome" role="status"></div>
    <button type="button" class="second replay" hidden>Play it again</button>`;

  function setup(root) {
    const mine = Course.memory("p4-scene", { path: [] }); // path: ['start.b', 'open.c', …]
    const part = (name) => root.querySelector(`.${name}`);
    let since = Date.now();

    const step = (entry) => {
      const [node, choice] = entry.split(".");
      return { node: nodes[node], choice: nodes[node].choices[choice] };
    };
    const points = () => mine.path.reduce((sum, entry) => sum + step(entry).choice.points, 0);
    const here = () => (mine.path.length ? step(mine.path.at(-1)).choice.to : start);
    const say = (who, text, note) =>
      part("talk").insertAdjacentHTML(
        "beforeend",
        `<li class="${who}"><strong>${who === "per" ? "Per" : "You"}</strong><p>${text}</p>
        ${note ? `<p class="talk-note">${note}</p>` : ""}</li>`,
      );

    const ask = () => {
      const at = here();
      part("decide").hidden = !at;
      part("replay").hidden = Boolean(at);
      if (!at) {
        const [, name, text] = endings.find(([from]) => points() >= from);
        part("outcome").innerHTML = `<h2>${name}</h2><p>${text}</p>
          <p class="points"><strong>${points()} of ${most} points.</strong>
            ${points() / most >= 0.6 ? "Passed." : "Four are needed. Play it again, another way."}</p>`;
        return;
      }
      part("outcome").innerHTML = "";
      part("decide").querySelector("legend").textContent = `Decision ${mine.path.length + 1} of 3: what do you say?`;
      part("options").innerHTML = Object.entries(nodes[at].choices)
        .map(([id, choice]) => `<button type="button" class="option" data-id="${id}">${choice.text}</button>`)
        .join("");
    };

    const draw = () => {
      part("talk").innerHTML = "";
      say("per", nodes[start].per);
      for (const entry of mine.path) {
        const { choice } = step(entry);
        say("you", choice.text, choice.note);
        if (choice.to) say("per", nodes[choice.to].per);
      }
      ask();
    };

    part("options").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const at = here();
      const { choices } = nodes[at];
      const choice = choices[button.dataset.id];
      const best = Object.keys(choices).find((id) => choices[id].points === 2);
      mine.path.push(`${at}.${button.dataset.id}`);
      say("you", choice.text, choice.note);
      if (choice.to) say("per", nodes[choice.to].per);
      ask();
      const over = !choice.to;
      (over ? part("replay") : part("options").firstElementChild).focus({ preventScroll: true });
      Exercises.reveal(over ? part("replay") : part("decide"));
      if (over) Course.solved("p4-scene", { ok: true, share: points() / most });
      Course.record({
        id: `p4-scene-${mine.path.length}`,
        type: "choice",
        since,
        weighting: 1,
        text: `Per: ${nodes[at].per.replace(/<.*?>/g, "")}`,
        response: `${at}-${button.dataset.id}`,
        pattern: `${at}-${best}`,
        result: ["incorrect", "0.5", "correct"][choice.points],
      });
      since = Date.now();
    });
    part("replay").addEventListener("click", () => {
      mine.path = [];
      draw();
      root.querySelector("h1").focus();
      since = Date.now();
      Course.save();
    });
    draw();
  }

  return { html, setup };
})();
