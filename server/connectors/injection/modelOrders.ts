// Finds texts that give orders to a language model ("prompt injection"): messages of people, and passages of documents.
// A finding is shown to admins and counted; it changes no answer. English, German, French and Spanish. Measured by
// `npm run orders` on public collections (docs/benchmarks.md); what is said in other words is missed.

/** Longest text that is looked at, in characters. */
const MAX_CHARS = 20_000;

/** Up to `n` words in between. */
const within = (n: number) => `(?:\\s+\\S+){0,${n}}?\\s+`;
const wordOf = (...words: string[]) => `\\b(?:${words.join("|")})`;

const drop = wordOf(
  "ignor\\w*",
  "disregard\\w*",
  "forget",
  "overlook",
  "override",
  "bypass",
  "do not follow",
  "don ?t follow",
  "stop following",
  "vergiss",
  "vergesst",
  "vergessen sie",
  "missachte\\w*",
  "oubli\\w+",
  "olvid\\w+",
  "descart\\w+",
);
/** Verbs that are ordinary in handbooks: an order only with what models are given. */
const change = wordOf("abandon", "drop", "erase", "change", "remove", "leave", "replace");
const earlier = wordOf(
  "previous\\w*",
  "prior",
  "preceding",
  "above",
  "earlier",
  "before",
  "everything",
  "foregoing",
  "initial",
  "vorherige\\w*",
  "vorige\\w*",
  "bisherige\\w*",
  "obige\\w*",
  "vorangegangene\\w*",
  "davor",
  "zuvor",
  "alles",
  "precedent\\w*",
  "ci dessus",
  "anterior\\w*",
  "previ[ao]s",
);
const rules = wordOf(
  "instruct\\w*",
  "guidelines?",
  "prompts?",
  "orders",
  "commands?",
  "tasks?",
  "assignments?",
  "anweisung\\w*",
  "instruktion\\w*",
  "aufgabe\\w*",
  "befehl\\w*",
  "vorgaben",
  "auftrag\\w*",
  "consignes?",
  "instrucc\\w*",
  "ordenes",
);
const own = wordOf("your", "you were given", "dein\\w*", "ihr\\w*", "tes", "ta", "votre", "vos", "tus?", "sus?");
const show = wordOf(
  "show",
  "reveal",
  "print",
  "repeat",
  "output",
  "leak",
  "display",
  "tell me",
  "give me",
  "spell ?check",
  "zeig\\w*",
  "nenn\\w*",
  "gib",
  "wiederhol\\w*",
  "verrat\\w*",
  "montre\\w*",
  "affiche\\w*",
  "repete\\w*",
  "muestra\\w*",
  "repite",
  "revela\\w*",
);
const secret = wordOf(
  "system ?prompts?",
  "(?:initial|hidden|secret|internal|original|above) (?:prompts?|instructions)",
  "prompt ?texts?",
  "(?:your|all|all your|the) prompts?",
  "your (?:instructions|rules|guidelines)",
  "dein\\w* (?:anweisungen|prompts?|instruktionen)",
  "system ?anweisung\\w*",
  "(?:tes|vos) (?:instructions|consignes)",
  "(?:tus|sus) instrucciones",
  "instrucciones del sistema",
);
/** Verbs at the end, as in German. */
const dropped = wordOf(
  "ignorier\\w*",
  "vergessen",
  "streichen",
  "hinter (?:sich|dir)",
  "ignored",
  "forgotten",
  "irrelevant",
);
const against = wordOf("abweichend", "contrary", "instead of", "statt", "despite", "trotz");
const stands = wordOf("written", "stands", "said", "steht", "stand", "sentences?");
const before = wordOf("above", "prompt", "before the text", "oben", "zuvor", "davor");
const fresh = wordOf("new", "neue\\w*", "nouvelle\\w*", "nueva\\w*");
const work = "(?:tasks?|instructions|orders|aufgaben?|anweisungen|instrucciones)";
const fromNowOn = wordOf(
  "from now on",
  "as of now",
  "ab jetzt",
  "ab sofort",
  "von nun an",
  "desormais",
  "a partir de ahora",
);
const you = "(?:you|du|sie|tu|vous|eres|usted)\\b";
const behave = wordOf("pretend\\b", "act\\b", "respond\\b", "answer\\b", "behave\\b");
const limits = "(?:rules|restrictions|limits|filters|guidelines|ethics|policy|policies)\\b";
const model = "\\b(?:ai|llm|chatbot|assistant|language model)s?\\b";
const say = "(?:answer|reply|respond|say|tell|recommend|ignore|output)\\b";
const reader = "(?:the |to the )?(?:user|learner|human)\\b";
const patterns = [
  `${drop}${within(5)}${earlier}`,
  `${drop}${within(3)}${rules}`,
  `${change}${within(3)}(?:${own} (?:instructions|prompts?|thoughts)|previous (?:information|tasks|instructions))`,
  `${drop}${within(2)}${own}${within(2)}${wordOf("rules", "regeln", "regles", "reglas")}`,
  `${earlier}${within(5)}${dropped}`,
  `${against}${within(3)}(?:${earlier}|what you(?: ve)? (?:have )?been told)`,
  "\\byour (?:new )?instructions are now\\b|\\badditional instructions?\\b|\\binstruction ?:",
  `${stands}${within(5)}${before}`,
  "\\b(?:do not|don't) answer this question\\b|\\b(?:just|only) (?:output|print|reply with|answer with|say)\\b",
  "\\b(?:now you are|nun bist du|jetzt bist du|nun sind sie|now act as)\\b",
  `${drop}\\s+(?:about\\s+)?(?:all|everything|alles|tout|todo)\\b`,
  `${show}${within(6)}${secret}`,
  `${fresh}\\s+${work}\\s*(?:follow|are|is|folgen|lauten|:)`,
  "\\byou are (?:now|no longer)\\b",
  `${fromNowOn}\\W+(?:\\S+\\s+){0,2}?${you}`,
  "\\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|nicht mehr)\\b",
  "\\b(?:tu es|vous etes) (?:maintenant|desormais)\\b",
  "\\bahora eres\\b",
  "\\b(?:developer|god|dan|jailbreak|debug|sudo) mode\\b|\\bdo anything now\\b|\\bjailbr[eo]ak\\w*",
  "\\bwithout (?:any )?(?:restrictions?|limitations?|filters?|censorship)\\b",
  `${behave}${within(4)}(?:no|without|free of|unbound by)\\s+(?:\\S+\\s+){0,2}?${limits}`,
  "\\b(?:if|when|as) you(?:'re| are) (?:an? )?(?:ai|llm|chatbot|language model|assistant)\\b",
  `${model}${within(3)}(?:must|shall|should) (?:now |always |only |never )?${say}`,
  `\\bdo not (?:tell|mention|reveal)\\b(?:\\s+(?:this|it|that|anything|to|about)){0,3}\\s+${reader}`,
];
const ORDERS = new RegExp(patterns.join("|"), "u");
/** Marks by which chat templates of models separate who speaks. */
const TEMPLATE_MARKS = /<\|[a-z_]{3,24}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?system>/iu;
const SPEAKERS = /^\s{0,3}(?:#{1,4}\s*)?(?:system|assistant)\s*(?:prompt|message|instruction)?\s*:/imu;
/** Characters of the block of tags, which are invisible and which models read as letters. */
const TAGS = /[\u{E0020}-\u{E007E}]/u;

/** Whether a text seems to give orders to a language model. */
export function givesOrders(text: string) {
  const start = text.slice(0, MAX_CHARS);
  if (TAGS.test(start) || TEMPLATE_MARKS.test(start) || SPEAKERS.test(start)) return true;
  const plain = start
    .normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}|\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}:']+/gu, " ");
  return ORDERS.test(plain);
}
