/* Part 3: listening when it gets hard. */
Course.start({
  number: 3,
  parts: 4,
  title: "Listening under pressure",
  next: "../part4/index.html",
  objective: { id: "listen", text: "Stay in the conversation when the answer is silence, attack, reasons or retreat" },
  steps: [
    {
      id: "answers",
      title: "Then Per answers",
      html: () => `
        <h1>Then Per answers</h1>
        <p class="lead">You asked a real question, so you get a real answer. It is rarely the one you rehearsed.</p>
        <ol class="cards four">
          <li><h2>Silence</h2><p><q>…</q></p><p class="ask">He is looking for words, or for safe ground.</p></li>
          <li><h2>Attack</h2><p><q>And you? You were late twice yourself.</q></p>
            <p class="ask">Often shame that has put on armour.</p></li>
          <li><h2>Reasons</h2><p><q>The trucks come late and the form has nine pages.</q></p>
            <p class="ask">Some of it is true. It is what you came for.</p></li>
          <li><h2>Retreat</h2><p><q>Fine. Then it is all my fault.</q></p>
            <p class="ask">He wants it to be over. Nothing is agreed yet.</p></li>
        </ol>`,
    },

    {
      id: "p3-silence",
      title: "Hold the silence",
      html: () => `
        <h1>Hold the silence</h1>
        <p class="lead">Most of us fill a pause far too early, and the best answer is lost. Ask Elin’s question, then
          bear
          seven seconds without a word.</p>
        ${Listening.silenceHtml()}`,
      setup: (root) => Listening.silence(root),
    },

    Exercises.match({
      id: "p3-match",
      title: "What helps now?",
      lead: "Four answers from Per, four replies from Elin. Which one keeps the conversation going?",
      answers: [
        ["what-else", "“Late trucks. What else?”"],
        ["wait", "Wait, and say nothing"],
        ["no-culprit", "“No culprits. What would help?”"],
        ["later", "“Fair point. Tomorrow at nine.”"],
      ],
      items: [
        { id: "silence", text: "Per looks at the table and says nothing.", partner: "wait" },
        { id: "attack", text: "“And you? You were late twice yourself.”", partner: "later" },
        { id: "reasons", text: "“The trucks come late and the form has nine pages.”", partner: "what-else" },
        { id: "retreat", text: "“Fine. Then it is all my fault.”", partner: "no-culprit" },
      ],
      why: "Give silence time, give an attack its own date, take reasons seriously, and do not let a retreat end it.",
      hint: "Silence needs time, attacks need a place of their own, reasons need interest, retreat needs a way back.",
    }),

    Exercises.choice({
      id: "p3-echo",
      title: "Say back what you heard",
      lead:
        "The strongest tool of a listener: repeat in your own words what the other person means, and ask " +
        "whether that is it.",
      question:
        "“So the trucks come at ten to three, and then you have ten minutes for nine pages. Is that it?” " +
        "Elin agrees with Per by saying this.",
      truth: true,
      options: [
        ["true", "True"],
        ["false", "False"],
      ],
      right: ["false"],
      why: "It only shows that she has understood. People who feel understood can listen again.",
      hint: "Understanding and agreeing are two things. She may still want the handover at three.",
    }),

    {
      id: "p3-calm",
      title: "And you, under attack?",
      html: () => `
        <h1>And you, under attack?</h1>
        <p class="lead">No right answer here. It is stored with your results, and it helps you choose what to
          practise.</p>
        ${Listening.calmHtml()}`,
      setup: (root) => Listening.calm(root),
    },

    Exercises.ending({
      title: "You are still in the room",
      html: () => `
        <ol class="take"><li>Seven seconds of silence</li><li>One sentence that shows you have understood</li>
          <li>One thing at a time</li></ol>
        <p class="lead">In the last part you sit in Elin’s chair, and then in your own.</p>`,
    }),
  ],
});
