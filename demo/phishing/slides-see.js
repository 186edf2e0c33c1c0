/*
 * Slides 1 to 5: recognizing phishing.
 * A slide is a plain object. html() returns its markup (with one h1), setup(root) adds its behaviour.
 */
Course.add(
  {
    id: "start",
    title: "Phishing: see it, report it",
    html: () => `
      <div class="copy">
        <h1>Phishing: <span>see it, report it</span></h1>
        <p class="lead">You inspect an email, a text message and a phone call, practise the first five minutes after
          a click, and answer five questions.</p>
        <dl class="facts">
          <div><dt>Time</dt><dd>12 min</dd></div>
          <div><dt>Practice</dt><dd>5 exercises</dd></div>
          <div><dt>Pass mark</dt><dd>4 of 5</dd></div>
        </dl>
        <p class="dim small">You can leave at any time. Your progress and your answers are saved.</p>
      </div>
      <div class="picture">${Art.cover()}</div>`,
  },

  {
    id: "why",
    title: "Attackers do not break in, they ask",
    html: () => `
      <h1>Attackers do not break in, they ask</h1>
      <p class="lead">Getting through our firewall takes weeks. Asking a busy colleague for a password takes one
        message. Nearly all of these messages want one of three things.</p>
      <ul class="three">
        <li>${Art.key()}<h2>Your sign-in</h2>
          <p>A copied sign-in page keeps what you type. Minutes later, someone else reads your mail.</p></li>
        <li>${Art.payment()}<h2>A payment</h2>
          <p>A real invoice with a new account number. The money is gone before the supplier asks for it.</p></li>
        <li>${Art.foothold()}<h2>A foothold</h2>
          <p>An attachment or a “support tool” that opens a door, first to your computer, then to the control
            room.</p></li>
      </ul>
      <p class="note">Anyone can be caught on a busy day. What counts is how soon the security desk hears about
        it.</p>`,
  },

  {
    id: "levers",
    title: "Four levers that make us hurry",
    html: () => `
      <h1>Four levers that make us hurry</h1>
      <p class="lead">A convincing message pulls at least one of these. Open each one: how does it sound, and which
        question takes the hurry out of it?</p>
      <div class="levers">
        ${Exercises.lever(
          "time",
          "Time",
          "Your account will be closed at 16:00 today.",
          "A deadline is there to keep you from checking.",
          "What really happens if I answer in an hour?",
        )}
        ${Exercises.lever(
          "rank",
          "Authority",
          "This is Ingrid from the board. I need this done quietly.",
          "Rank makes questions feel rude.",
          "Would she ask me, and would she ask this way?",
        )}
        ${Exercises.lever(
          "gain",
          "Reward",
          "Your bonus statement is ready to view.",
          "Curiosity is faster than caution.",
          "Was I expecting this, today, from them?",
        )}
        ${Exercises.lever(
          "help",
          "Helpfulness",
          "I am locked out before a customer visit. Can you send me the code?",
          "Kind people make good targets.",
          "Can I help without giving anything away?",
        )}
      </div>`,
    setup: (root) => Exercises.levers(root),
  },

  {
    id: "email",
    title: "Inspect this email",
    html: () =>
      Exercises.mailHtml({
        intro: "Five details give it away, three prove nothing. Select what looks wrong.",
        to: Course.firstName() || "Jonas",
      }),
    setup: (root) =>
      Exercises.mail(root, {
        sender: {
          wrong: 1,
          name: "Sender address",
          text:
            "Our addresses end in norrvik.example. “norrvik-support.example” is another company: " +
            "a hyphen makes a new name.",
        },
        deadline: {
          wrong: 1,
          name: "Deadline",
          text: "Less than two hours, or you lose something. That is the time lever.",
        },
        logo: { name: "Logo", text: "A logo takes ten seconds to copy. It proves nothing, neither good nor bad." },
        greeting: {
          name: "Your name",
          text: "Names are easy to find. Being greeted by name does not make a message genuine.",
        },
        story: {
          name: "The story",
          text: "A full mailbox is believable, and that is the point. Do not judge a message by how likely it sounds.",
        },
        link: {
          wrong: 1,
          name: "Link target",
          text:
            "It leads to norrvik.example.mail-quota.example. The owner is mail-quota.example. " +
            "The next slide shows how to tell.",
        },
        check: {
          wrong: 1,
          name: "“Do not call”",
          text: "Nobody honest asks you not to check. This line alone is reason enough to report.",
        },
        file: {
          wrong: 1,
          name: "Attachment",
          text:
            "An .html file opens a page on your own computer, out of sight of our filters. " +
            "Often it is a copied sign-in page.",
        },
      }),
  },

  {
    id: "address",
    title: "Read an address from the right",
    html: () => `
      <div class="copy">
        <h1>Read an address from the right</h1>
        <p class="lead">Find the first single slash. The two words left of it say who owns the page. Everything before
          them is decoration.</p>
      </div>
      <p class="anatomy" aria-label="Example address: https://norrvik.example.mail-quota.example/login">
        <span class="dec">https://norrvik.example.<i>decoration</i></span><b>mail-quota.example<i>the
          owner</i></b><span>/login<i>the page</i></span>
      </p>
      <h2>Three addresses. Select the part that shows the owner.</h2>
      <ol class="addresses"></ol>`,
    setup: (root) =>
      Exercises.addresses(root, [
        {
          id: "a",
          parts: ["intranet.", "norrvik.example", "/holidays"],
          owner: 1,
          verdict: "Ours",
          text: "“intranet.” is part of our own domain.",
        },
        {
          id: "b",
          parts: ["norrvik-login.example", "/norrvik.example", "/start"],
          owner: 0,
          verdict: "Not ours",
          text: "What comes after the slash is only the name of a page.",
        },
        {
          id: "c",
          parts: ["drive.", "norrvik.example", ".file-room.example", "/open"],
          owner: 2,
          verdict: "Not ours",
          text: "Our name is only decoration here. A stranger owns the page.",
        },
      ]),
  },
);
