// 200 conversations about nine themes, of which 31 are questions without an answer: ten questions, each asked in other
// words

/** What people say about a theme, and the words by which it is known, in any form. */
export const plantedThemes = [
  {
    name: "swapping shifts",
    words: /swap\w* (?:\w+ )?shift/,
    texts: [
      "How do I swap a shift?",
      "Can I swap shifts with a colleague?",
      "I swapped my shift and nobody knew.",
      "Who has to approve it when we swap shifts?",
      "Swapping shifts takes weeks here.",
      "Is swapping a shift allowed on holidays?",
    ],
  },
  {
    name: "protective gloves",
    words: /(?:protective|protect\w*) glove/,
    texts: [
      "Where do I get protective gloves?",
      "My protective glove is torn.",
      "Are protective gloves needed in hall 2?",
      "The protective gloves are too big for me.",
      "Which protective glove is right for acid?",
    ],
  },
  {
    name: "requesting leave",
    words: /(?:request\w*) (?:\w+ )?leave|leave request/,
    texts: [
      "How do I request leave?",
      "I requested leave and got no answer.",
      "Who approves leave requests?",
      "Requesting leave in the app does not work.",
      "My leave request was refused, why?",
      "Can I take back a leave request?",
    ],
  },
  {
    name: "reporting accidents",
    words: /report\w* (?:\w+ )?accident|accident report/,
    texts: [
      "How do I report an accident?",
      "Must small accidents be reported?",
      "I reported an accident on Monday.",
      "Who reads accident reports?",
      "Reporting accidents takes too many forms.",
      "Where do I find the accident report?",
    ],
  },
  {
    name: "forklift licence",
    words: /forklift licen/,
    texts: [
      "When does my forklift licence expire?",
      "I lost my forklift licence.",
      "Do two forklift licences count?",
      "How long is a forklift licence valid?",
      "The forklift licence costs how much?",
    ],
  },
  {
    name: "locking machines",
    words: /lock\w* (?:\w+ )?machine/,
    texts: [
      "How do I lock a machine?",
      "Who may lock the machines?",
      "I locked the machine and left.",
      "Locking machines is not explained in the course.",
      "Is a locked machine safe to clean?",
      "Machines are locked with which key?",
    ],
  },
  {
    name: "customer complaints",
    words: /customer\w* complain|complain\w* customer/,
    texts: [
      "How do I answer a customer complaint?",
      "Customer complaints make me nervous.",
      "A customer complained about the wait.",
      "Who handles customer complaints at night?",
      "What do I write when customers complain?",
      "I had three customer complaints today.",
    ],
  },
  {
    name: "resetting passwords",
    words: /reset\w* (?:\w+ )?password|password reset/,
    texts: [
      "How do I reset my password?",
      "I reset the password and still cannot log in.",
      "Resetting passwords needs a phone, I have none.",
      "Who can reset a password for me?",
      "The password reset does not arrive.",
      "Are passwords reset every year?",
    ],
  },
  {
    name: "training videos",
    words: /training vid/,
    texts: [
      "The training video stops after a minute.",
      "Are the training videos in Polish?",
      "Can I watch a training video at home?",
      "Training videos are too long.",
      "Where is the training video about ladders?",
    ],
  },
];

/** Questions without an answer: the wordings of each. */
export const plantedQuestions: string[][] = [
  [
    "Where can I park my bicycle?",
    "Is there parking for bicycles?",
    "Where do I park bicycles?",
    "Where do I leave my bike?",
  ],
  ["Is the canteen open on Sundays?", "Does the canteen open on a Sunday?", "When is the canteen opened on Sunday?"],
  [
    "Can I expense train tickets?",
    "Are train tickets expensed?",
    "How do I expense a train ticket?",
    "Who pays for my train?",
  ],
  ["Who repairs broken headsets?", "My headset broke, who repairs it?", "Where do I get a broken headset repaired?"],
  [
    "May I record a meeting with clients?",
    "Are we allowed to record client meetings?",
    "Recording meetings with a client, is that allowed?",
  ],
  ["Wie beantrage ich Bildungsurlaub?", "Wo kann ich Bildungsurlaub beantragen?", "Wer beantragt den Bildungsurlaub?"],
  [
    "Wo finde ich die Gehaltsabrechnung?",
    "Wo sind meine Gehaltsabrechnungen zu finden?",
    "Ich finde meine Gehaltsabrechnungen nicht.",
  ],
  [
    "Comment commander une carte de visite ?",
    "Qui commande les cartes de visite ?",
    "Où sont commandées mes cartes de visite ?",
  ],
  [
    "¿Cómo cambio mi contraseña del correo?",
    "¿Dónde se cambian las contraseñas del correo?",
    "No puedo cambiar la contraseña del correo.",
  ],
  ["Hvor bestiller jeg nye arbeidssko?", "Hvem kan bestille arbeidssko til meg?"],
];

export const PLANTED = 200;

/** The messages, unanswered ones first. */
export function plantMessages(): { text: string; theme: number | null; question: number | null }[] {
  const unanswered = plantedQuestions.flatMap((texts, question) =>
    texts.map((text) => ({ text, theme: null, question })),
  );
  const answered = Array.from({ length: PLANTED - unanswered.length }, (_, at) => {
    const theme = at % plantedThemes.length;
    const { texts } = plantedThemes[theme]!;
    return { text: texts[Math.floor(at / plantedThemes.length) % texts.length]!, theme, question: null };
  });
  return [...unanswered, ...answered];
}
