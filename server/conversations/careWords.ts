// Words of messages in which somebody may need help from a person. Found without a model. Whole words, in lower case and without
// accents; a star stands for any ending. Phrases rather than single words, so that "this deadline kills me" is no alarm.

export type CareTopic = "selfHarm" | "violence" | "harassment";

const phrases: Record<CareTopic, string[]> = {
  selfHarm: [
    "kill myself",
    "killing myself",
    "end my life",
    "take my own life",
    "want to die",
    "wish i was dead",
    "wish i were dead",
    "suicid*",
    "hurt myself",
    "hurting myself",
    "self harm*",
    "cut myself",
    "no reason to live",
    "better off dead",
    "umbringen",
    "selbstmord*",
    "suizid*",
    "nicht mehr leben",
    "mein leben beenden",
    "mich verletzen",
    "ritze mich",
    "me suicider",
    "me tuer",
    "mettre fin a mes jours",
    "envie de mourir",
    "suicidarme",
    "matarme",
    "quitarme la vida",
    "quiero morir",
    "ta livet mitt",
    "ta mitt liv",
    "selvmord*",
    "sjalvmord*",
    "vil ikke leve",
    "vill inte leva",
  ],
  violence: [
    "kill him",
    "kill her",
    "kill them",
    "kill you",
    "going to shoot",
    "bring a gun",
    "stab him",
    "stab her",
    "beats me",
    "hits me",
    "bringe ihn um",
    "bringe sie um",
    "schlagt mich",
    "er schlagt",
    "sie schlagt mich",
    "erschiessen",
    "le tuer",
    "la tuer",
    "il me frappe",
    "elle me frappe",
    "matarlo",
    "matarla",
    "me pega",
    "drepe ham",
    "drepe henne",
    "slar meg",
    "doda honom",
    "doda henne",
  ],
  harassment: [
    "sexually harass*",
    "touched me",
    "touches me",
    "groped me",
    "raped",
    "rape me",
    "stalks me",
    "stalking me",
    "threatens me",
    "threatened me",
    "blackmails me",
    "belastigt mich",
    "hat mich angefasst",
    "vergewaltigt",
    "bedroht mich",
    "erpresst mich",
    "me harcele",
    "m a touchee",
    "violee",
    "me menace",
    "me acosa",
    "me violo",
    "me amenaza",
    "trakasserer meg",
    "voldtatt",
    "truer meg",
  ],
};

const normalise = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("æ", "ae")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ");

const patterns = Object.entries(phrases).map(([topic, list]) => ({
  topic: topic as CareTopic,
  pattern: new RegExp(
    `(?:^| )(?:${list.map((phrase) => (phrase.endsWith("*") ? `${phrase.slice(0, -1)}\\p{L}*` : phrase)).join("|")})(?: |$)`,
    "u",
  ),
}));

/** What a message may speak of; null for nearly all. */
export const findCareTopic = (text: string): CareTopic | null =>
  patterns.find(({ pattern }) => pattern.test(normalise(text)))?.topic ?? null;
