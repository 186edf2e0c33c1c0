/* Part 4: a conversation with choices, then the learner's own. */
Course.start({
  number: 4,
  parts: 4,
  title: "Your own next conversation",
  objective: { id: "lead", text: "Lead a difficult conversation to an agreement that both can check" },
  passFrom: 0.6, // share of the points in the scene
  steps: [
    {
      id: "chair",
      title: "You are Elin now",
      html: () => `
        <h1>You are Elin now</h1>
        <p class="lead">Tuesday, 14:30, room 2. Per sits down and keeps his jacket on.</p>
        <p>What he says depends on you: he can open up, stay on guard or close the door. You can play the scene as often
          as you like, the best round counts.</p>
        <dl class="facts">
          <div><dt>Decisions</dt><dd>3</dd></div>
          <div><dt>Points for each</dt><dd>0 to 2</dd></div>
          <div><dt>To pass</dt><dd>4 of 6</dd></div>
        </dl>
        <p class="note">After that you leave Elin’s chair and prepare a conversation of your own.</p>`,
    },

    {
      id: "scene",
      title: "Tuesday, 14:30",
      check: "p4-scene",
      html: () => Scene.html(),
      setup: (root) => Scene.setup(root),
    },

    {
      id: "own",
      title: "Your own next conversation",
      html: () => Own.notesHtml(),
      setup: (root) => Own.notes(root),
    },

    {
      id: "ready",
      title: "How ready are you?",
      html: () => Own.readyHtml(),
      setup: (root) => Own.ready(root),
    },

    Exercises.ending({ title: "Your card", html: () => Own.card() }),
  ],
});
