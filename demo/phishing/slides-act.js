/* Slides 6 to 11: text messages and calls, then what to do after a click. */
Course.add(
  {
    id: "sms",
    title: "Small screen, same trick",
    html: () =>
      Exercises.smsHtml({
        intro:
          "Yesterday’s message is real, this morning’s is not. Sender names can be forged, so your phone puts " +
          "both into the same conversation. What do you do?",
        options: [
          ["a", "Open the link, just to look"],
          ["b", "Reply STOP"],
          ["c", "Leave it, look up the parcel in the app, report the message"],
        ],
      }),
    setup: (root) =>
      Exercises.sms(root, {
        right: "c",
        answers: {
          a: "Looking is not free. The page learns that a person reads this number, and a payment form is two taps away.",
          b: "Any reply confirms that your number is in use. More messages will follow.",
          c: "You contact the parcel service in a way you trust, and the security desk can warn everyone else.",
        },
      }),
  },

  {
    id: "call",
    title: "A caller in a hurry",
    html: () =>
      Exercises.callHtml({
        intro: "Your phone rings. Listen line by line, and hang up as soon as you have heard enough.",
      }),
    setup: (root) =>
      Exercises.call(root, {
        lines: [
          [
            "Hi, this is Daniel from the service desk. Do you have a minute?",
            "A first name and a department. Anyone can say that.",
          ],
          [
            "You work with Maren, and your staff number is 4471, right?",
            "Names and numbers are easy to collect. Knowing them proves nothing.",
          ],
          ["Somebody is signing in as you right now. We have to be quick.", "Fear and time, two levers at once."],
          [
            "I am sending a request to your phone. Just press Approve.",
            "This is what the call is for: the request opens your account.",
          ],
          [
            "It did not work. Read me the six digits from the text message, then.",
            "Nobody at Norrvik ever asks for a code or a password. Not once.",
          ],
        ],
        endings: {
          early: "Good ear. You were gone before he could ask for anything.",
          now: "In time. You heard what he wanted and gave him nothing.",
          late: "Late, but without a loss. The clearest sign came one line earlier.",
        },
      }),
  },

  {
    id: "minutes",
    title: "The first five minutes after a click",
    html: () => `
      <h1>The first five minutes after a click</h1>
      <p class="lead">You clicked, typed or opened something. It happens. From here on, speed matters more than
        guilt.</p>
      <ol class="minutes">
        <li><span class="pillar">0<small>min</small></span><h2>Stop</h2>
          <p class="small text">Close nothing, delete nothing. The message and the page are evidence.</p></li>
        <li><span class="pillar">1<small>min</small></span><h2>Disconnect</h2>
          <p class="small text">Wi-Fi off, cable out. Leave the computer running.</p></li>
        <li><span class="pillar">2<small>min</small></span><h2>Call 4040</h2>
          <p class="small text">The security desk, day and night. Three words will do: “I have clicked.”</p></li>
        <li><span class="pillar">3<small>min</small></span><h2>New password</h2>
          <p class="small text">Typed it in? Change it, from another device.</p></li>
        <li><span class="pillar">5<small>min</small></span><h2>Write it down</h2>
          <p class="small text">When, what you opened, what you typed. Two lines are enough.</p></li>
      </ol>
      <p class="note"><strong>The rule: the security desk hears from you within 5 minutes</strong>, even when you are
        not sure.
        A false alarm costs a short call. A silent click can cost weeks.</p>`,
  },

  {
    id: "report",
    title: "Report it: one step, no blame",
    html: () => `
      <div class="split">
        <div class="copy">
          <h1>Report it: <br>one step, no blame</h1>
          <dl class="ways">
            <div><dt>Email</dt><dd>Select <span class="key">Report phishing</span> above the message. Then leave it
              alone.</dd></div>
            <div><dt>Text or chat</dt><dd>Take a screenshot and send it to
              <span class="key">report@norrvik.example</span></dd></div>
            <div><dt>Phone call</dt><dd>Hang up. Then call <span class="key">4040</span>, the number on your
              badge.</dd></div>
          </dl>
          <h2>What happens next</h2>
          <p>The desk looks at it, takes the same message out of every mailbox, and writes back to you, also when it was
            harmless.</p>
          <p>Nobody is blamed for reporting. Nobody is blamed for clicking and saying so.</p>
        </div>
        <div class="picture">${Art.flag()}</div>
      </div>`,
  },

  {
    id: "sort",
    title: "Six messages, three trays",
    html: () =>
      Exercises.sortHtml({
        intro: "Put each message where it belongs. You see immediately whether it fits.",
        trays: [
          ["a", "Go ahead", "Expected, and it asks for nothing"],
          ["b", "Check first", "Could be real: ask through another channel"],
          ["c", "Report", "No doubt left"],
        ],
      }),
    setup: (root) =>
      Exercises.sort(root, [
        {
          id: "1",
          tray: "a",
          text: "The canteen sends next week’s menu to all of us, as every Friday. No link, no attachment.",
          why: "Expected, and nothing to click or to give away.",
        },
        {
          id: "2",
          tray: "b",
          text: "A supplier you know well asks you to pay into a new bank account. The address is right.",
          why: "Mailboxes get taken over. Call the supplier on the number in our system.",
        },
        {
          id: "3",
          tray: "c",
          text: "Your phone asks you to approve a sign-in. You are not signing in anywhere.",
          why: "Somebody has your password. Deny, then call 4040.",
        },
        {
          id: "4",
          tray: "a",
          text: "A colleague shares the file you agreed on in this morning’s meeting, through our intranet.",
          why: "Expected, from the right person, in the right place.",
        },
        {
          id: "5",
          tray: "c",
          text: "A text message from “your bank”: card blocked, follow the link to unlock it.",
          why: "A link, a loss and a hurry. Your bank does not work this way.",
        },
        {
          id: "6",
          tray: "b",
          text: "The head of finance calls about an urgent transfer. You know the voice, but not the number.",
          why: "Voices can be imitated. Hang up and call back through the directory.",
        },
      ]),
  },

  {
    id: "habits",
    title: "Three habits to keep",
    html: () => `
      <h1>Three habits to keep</h1>
      <ul class="three">
        <li>${Art.habits.pause()}<h2>Pause</h2><p>Hurry is the surest sign. Let go of the mouse and read it once
          more.</p></li>
        <li>${Art.habits.way()}<h2>Use another channel</h2>
          <p>Check with a number, an app or an address that you knew before the message.</p></li>
        <li>${Art.habits.report()}<h2>Report</h2><p>Doubt is reason enough. After a click, call 4040 within 5
          minutes.</p></li>
      </ul>
      <p class="note">Next come five questions. Four right answers pass the course, and you can try again.</p>`,
  },
);
