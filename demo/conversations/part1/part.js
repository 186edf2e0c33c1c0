/* Part 1: what to clear up before the conversation. */
Course.start({
  number: 1,
  parts: 4,
  title: "Before you speak",
  next: "../part2/index.html",
  objective: { id: "prepare", text: "Tell facts from verdicts and name an aim that both can check" },
  steps: [
    {
      id: "later",
      title: "The talk you keep moving to next week",
      html: () => `
        <h1>The talk you keep moving to next week</h1>
        <p class="lead">Most hard conversations do not fail in the room. They fail before it: we arrive with a
          verdict, a
          speech and no question.</p>
        <div class="case">
          <h2>The case that goes with you</h2>
          <p>Elin leads a crew of six at the Skarfoss substation. Four times this month, Per has handed over late. The
            night crew starts without a briefing and has begun to joke about it. Elin likes Per. She has said nothing
            yet.</p>
        </div>
        <h2>What waiting costs</h2>
        <ul class="plain">
          <li>The others draw their own conclusions, about Per and about you.</li>
          <li>Per takes silence for consent.</li>
          <li>When you do speak, you are angrier than the matter deserves.</li>
        </ul>`,
    },

    Exercises.classify({
      id: "p1-facts",
      title: "What would a camera have seen?",
      lead: "Per will argue with a verdict. He cannot argue with what was filmed. Which is which?",
      kinds: [
        ["fact", "Fact"],
        ["verdict", "Verdict"],
      ],
      items: [
        {
          id: "s1",
          kind: "fact",
          text: "On Tuesday, Per signed the handover at 15:20. His shift ends at 15:00.",
          why: "A date and two times: the camera has it.",
        },
        {
          id: "s2",
          kind: "verdict",
          text: "Per does not care about the night crew.",
          why: "Nobody can film what he cares about.",
        },
        {
          id: "s3",
          kind: "verdict",
          text: "He is always late.",
          why: "“Always” is a verdict with the number missing.",
        },
        {
          id: "s4",
          kind: "fact",
          text: "Four handover forms this month have no second signature.",
          why: "The forms are in the binder. Anyone can count them.",
        },
        {
          id: "s5",
          kind: "verdict",
          text: "Since the reorganisation he has had an attitude.",
          why: "What does he do or say? That would be the fact.",
        },
      ],
      why: "A camera knows no adjectives. Take only what it filmed into the room.",
      hint: "Read the marked lines again. Could a camera have filmed them?",
    }),

    {
      id: "three",
      title: "Three sentences on one card",
      html: () => `
        <h1>Three sentences on one card</h1>
        <p class="lead">Write them down before you invite anyone. If one of them is missing, you are not ready yet.</p>
        <ol class="cards">
          <li><h2>Fact</h2><p class="ask">What happened?</p>
            <p><q>Four times this month, the handover came after three.</q></p></li>
          <li><h2>Effect</h2><p class="ask">What does it cause?</p>
            <p><q>The night crew starts without a briefing. Last week they stood at the wrong bay.</q></p></li>
          <li><h2>Wish</h2><p class="ask">What do you want?</p>
            <p><q>I want it complete by three, and I want to know what makes that hard.</q></p></li>
        </ol>`,
    },

    Exercises.choice({
      id: "p1-aim",
      title: "What should be different next Monday?",
      lead: "Elin writes four aims on her card and crosses out three. Which one stays?",
      question: "A good aim for this conversation:",
      options: [
        ["annoyed", "Per understands how annoyed everybody is"],
        ["agreed", "Per and I have agreed how the handover is complete by 15:00"],
        ["admits", "Per admits that he was wrong"],
        ["chest", "I have got it off my chest"],
      ],
      right: ["agreed"],
      why: "Both can check it on Monday. The other three ask for feelings or for a winner.",
      hint: "How would the two of them see on Monday that it worked? Look for the aim that both can check.",
    }),

    Exercises.choice({
      id: "p1-setting",
      title: "Fifteen minutes and a closed door",
      lead: "The place speaks before you do. Elin prepares the invitation.",
      question: "What does she plan for?",
      many: true,
      options: [
        ["room", "A room where nobody looks in"],
        ["subject", "The subject, in one line of the invitation"],
        ["friday", "Friday at 15:45, so that it is over before the weekend"],
        ["after", "A little time afterwards, for both of them"],
        ["witness", "A colleague as a witness, to be on the safe side"],
      ],
      right: ["room", "subject", "after"],
      why: "Fair and calm. Friday evening would leave Per alone with it, and a witness turns a talk into a hearing.",
      hint: "Put yourself in Per’s chair: which of these would you want? Three are right.",
    }),

    Exercises.ending({
      title: "Ready to open the door",
      html: () => `
        <ol class="take"><li>Facts that a camera has seen</li><li>An aim that both of you can check</li>
          <li>A room, a subject line and enough time</li></ol>
        <p class="lead">The next part is about the half minute after you have closed the door.</p>`,
    }),
  ],
});
