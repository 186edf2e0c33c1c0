/** Joins the pieces of a paragraph. */
const text = (...pieces: string[]) => pieces.join(" ");

/** What is stored, why, on which legal basis (GDPR), and for how long. */
const stored: [what: string, why: string, basis: string, howLong: string][] = [
  [
    "Name, email, company, login times",
    "To let you log in and assign your courses",
    "Contract, Art. 6(1)(b)",
    "Until your data is deleted",
  ],
  [
    "Password as a one-way hash, sessions with network address and browser",
    "To protect your account",
    "Contract, Art. 6(1)(b); security, Art. 6(1)(f)",
    "Sessions end after 14 days without use, at the latest 30 days after the login",
  ],
  [
    "Courses, progress, scores, answers, and your activity in courses step by step",
    "To save your progress, and to show results to you and the admins",
    "Contract, Art. 6(1)(b), or your employer's interest in training, Art. 6(1)(f)",
    "Until your data is deleted",
  ],
  [
    text(
      "Recordings of course pages, if your company has switched them on: what is shown,",
      "clicks and scrolling; what you type is masked",
    ),
    "To see where people get stuck",
    "Consent, Art. 6(1)(a)",
    "Until you reject Analytical cookies, or for the days your company has set",
  ],
  ["Emails sent to you", "To document what was sent", "Contract, Art. 6(1)(b)", "Until your data is deleted"],
  [
    "Your cookie choices",
    "To prove consent",
    "Legal obligation, Art. 6(1)(c) with Art. 7(1)",
    "While valid, and three more years",
  ],
  [
    "Who viewed, exported or changed your records",
    "To make access transparent",
    "Legitimate interest, Art. 6(1)(f)",
    "Until your data is deleted",
  ],
  [
    "Logins, failed attempts, and changes to your password and second factor",
    "To detect misuse",
    "Legitimate interest, Art. 6(1)(f)",
    "Logins and attempts 90 days, changes until your data is deleted",
  ],
];

/**
 * Privacy policy of a new installation, as Markdown: describes what this software does. Operators should review and
 * complete it.
 */
export const defaultPolicy = [
  "This page explains what this academy stores about you, why, for how long, and what rights you have.",
  "",
  "## Who is responsible",
  "",
  text(
    "The organisation that runs this academy decides why and how your data is used.",
    "If your employer gave you your access code, your employer is responsible for your training records,",
    "and this academy stores them on its behalf.",
  ),
  "",
  "## What is stored",
  "",
  "| What | Why | Legal basis (GDPR) | How long |",
  "| --- | --- | --- | --- |",
  ...stored.map((cells) => `| ${cells.join(" | ")} |`),
  "",
  "No data is sold or sent to advertising networks. Pages load nothing from other hosts.",
  "",
  "## Who sees it",
  "",
  text(
    "Admins of this academy see the records of all learners. Learners see only their own.",
    "Companies cannot see each other's data. Your Privacy page shows who viewed your records.",
  ),
  "",
  "## Cookies and storage in your browser",
  "",
  text(
    "Essential: the login, with a cookie that recognises this browser for 365 days; your cookie choice;",
    "a journal that stores your answers until they are saved; what you type into a registration form,",
    "until the tab is closed; for admins also unfinished uploads and the guest list of a check-in.",
    "Functional: light or dark mode, a collapsed menu, hidden columns,",
    "and camera and sound of the check-in, stored only after you choose them.",
    "“Cookie preferences” lists each of them by name.",
    "A new installation uses no analytical or targeting cookies.",
    "You can change your choice at any time with “Cookie preferences” at the bottom of a page.",
  ),
  "",
  "## Your rights",
  "",
  "- **Access and portability**: go to Privacy and select Export my data to get all your data as one file.",
  "- **Correction**: ask your administrator.",
  text(
    "- **Deletion**: go to Privacy and select Delete my data. You first see what is deleted,",
    "what is kept without your name, and why.",
    "Your company may be required to retain records of mandatory training for some years.",
    "They are stored separately under a random number.",
  ),
  "- **Complaint**: contact the data protection authority of your country.",
  "",
  "## Backups",
  "",
  "Backups made before a deletion contain your data until they expire.",
  "",
].join("\n");
