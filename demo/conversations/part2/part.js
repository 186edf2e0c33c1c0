/* Part 2: four sentences that open a conversation. */
Course.start({
  number: 2,
  parts: 4,
  title: "Opening in thirty seconds",
  next: "../part3/index.html",
  objective: { id: "open", text: "Open a conversation in four sentences: name it, show it, say what follows, ask" },
  steps: [
    {
      id: "minute",
      title: "The first half minute decides",
      html: () => `
        <h1>The first half minute decides</h1>
        <p class="lead">Before your second sentence ends, Per knows whether he is being helped or judged. Three openings
          that lose him:</p>
        <ol class="cards">
          <li><h2>The sandwich</h2><p><q>Great work lately. There is just one thing. But really, great work.</q></p>
            <p class="ask">He hears only the filling, and will never trust your praise again.</p></li>
          <li><h2>The hint</h2><p><q>Some people feel that handovers could be smoother.</q></p>
            <p class="ask">Which people? How smooth? Now he is busy guessing.</p></li>
          <li><h2>The ambush</h2><p><q>We need to talk. Sit down.</q></p>
            <p class="ask">His pulse goes up and his listening stops.</p></li>
        </ol>`,
    },

    {
      id: "anatomy",
      title: "Four sentences, thirty seconds",
      html: () => `
        <h1>Four sentences, thirty seconds</h1>
        <p class="lead">No warm-up and no verdict. The last sentence is a question, and then you stop.</p>
        ${Rehearsal.lines()}
        <p class="note">More than thirty seconds is a speech. A speech has an audience, a conversation has a
          partner.</p>`,
    },

    Exercises.order({
      id: "p2-order",
      title: "Put an opening in order",
      lead: "Another case: Maria has missed two visits to a customer.",
      question: "Move the four sentences into the order in which you would say them.",
      items: [
        ["effect", "They called me. They are thinking about another supplier."],
        ["name", "Maria, I want to talk about the visits to Fjell Dairy."],
        ["ask", "What happened from your side?"],
        ["fact", "The ones on the 3rd and on the 10th did not take place."],
      ],
      right: ["name", "fact", "effect", "ask"],
      why: "Name it, show it, say what follows, ask. Then stop talking.",
      hint: "First the subject, then what a camera has seen, then what follows from it. The question comes last.",
    }),

    Exercises.choice({
      id: "p2-sting",
      title: "Which one would you want to hear?",
      lead: "A report came two days late. Four ways to open the subject.",
      question: "Choose the opening that is clear and leaves the door open.",
      options: [
        ["never", "“You never deliver on time, and everybody can see it.”"],
        ["soft", "“I am sure you had your reasons, it is only a little unfortunate.”"],
        [
          "clear",
          "“The report was due on Monday, today is Wednesday. I had to move the meeting. What got in " + "the way?”",
        ],
        ["team", "“As a team, we should all keep an eye on our deadlines.”"],
      ],
      right: ["clear"],
      why: "A fact, an effect and a real question. Clear is kind: nobody has to guess.",
      hint: "Look for a fact, an effect and a question. Being vague spares you, not the other person.",
    }),

    {
      id: "aloud",
      title: "Say it once out loud",
      html: () => `
        <h1>Say it once out loud</h1>
        <p class="lead">A sentence that you have never heard yourself say will not come out in the room. Start, and
          speak
          Elin’s opening along with the light.</p>
        ${Rehearsal.lines()}
        <div class="actions"><button type="button" class="second rehearse">Start the thirty seconds</button></div>
        <p class="said" role="status"></p>`,
      setup: (root) => Rehearsal.setup(root),
    },

    Exercises.ending({
      title: "Now it is his turn",
      html: () => `
        <ol class="take"><li>Name it</li><li>Show it</li><li>Say what follows</li><li>Ask, and stop talking</li></ol>
        <p class="lead">The next part is about the hard half of the conversation: listening to the answer.</p>`,
    }),
  ],
});
