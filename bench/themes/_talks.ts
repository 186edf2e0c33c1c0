import { assistant, banking, clinc, clincDomains, germanBots, type Labelled, shuffle } from "./_collections.ts";

/** Conversations, most of them about one of nine themes, and others about something else. */
export type Talk = {
  talks: { texts: string[]; theme: string | null }[];
  /** Other conversations: about similar themes, and about another subject. */
  similar: { texts: string[]; theme: string | null }[];
  different: { texts: string[]; theme: string | null }[];
  minPeople: number;
};

const THEMES = 9;
/** For each theme three conversations are nothing but small talk. */
const SMALL_TALK = 1 / 3;

type Source = {
  items: Labelled[];
  different: Labelled[];
  smallTalk: string[];
  perTheme: number;
  minPeople: number;
  draws: number;
};

/** `draws` times nine themes of a collection; the others are of its other themes. */
function draw({ items, different, smallTalk, perTheme, minPeople, draws }: Source): Talk[] {
  const byTheme = [...Map.groupBy(items, ({ label }) => label)].filter(([, same]) => same.length >= perTheme);
  return Array.from({ length: draws }, (_, at) => {
    const drawn = shuffle(byTheme, at + 1);
    const chatter = shuffle(smallTalk, at + 1);
    let next = 0;
    const chat = () => chatter[next++ % chatter.length]!;
    const talksOf = (themes: typeof byTheme) =>
      themes.flatMap(([theme, same]) =>
        shuffle(same, at + 1)
          .slice(0, perTheme)
          .flatMap(({ text }, number) => [
            { texts: [chat(), text, chat()], theme },
            ...(number < perTheme * SMALL_TALK ? [{ texts: [chat(), chat()], theme: null }] : []),
          ]),
      );
    return {
      talks: talksOf(drawn.slice(0, THEMES)),
      similar: talksOf(drawn.slice(THEMES, 2 * THEMES)),
      different: shuffle(different, at + 1)
        .slice(0, THEMES * perTheme)
        .map(({ text }) => ({ texts: [chat(), text, chat()], theme: null })),
      minPeople,
    };
  });
}

const textsOf = (items: Labelled[]) => items.map(({ text }) => text);
const courtesies = ["greeting", "goodbye", "thank_you", "are_you_a_bot", "what_can_i_ask_you", "yes", "no", "maybe"];
const chatterOf = (part: "train" | "test") => textsOf(clinc(part).filter(({ label }) => courtesies.includes(label)));

function clincTalks(domains: string[]) {
  const intents = domains.flatMap((domain) => clincDomains()[domain] ?? []);
  const items = [...clinc("train"), ...clinc("test")].filter(({ label }) => intents.includes(label));
  const different = clinc("test").filter(
    ({ label }) => label !== "oos" && !intents.includes(label) && !courtesies.includes(label),
  );
  return draw({ items, different, smallTalk: chatterOf("test"), perTheme: 40, minPeople: 10, draws: 5 });
}

function assistantTalks(language: string) {
  const all = assistant(language);
  const isSmall = ({ label }: Labelled) => label.startsWith("smalltalk");
  const items = all.filter((one) => /^(support|trivia)/.test(one.label));
  const rest = all.filter((one) => one.label === "None");
  return draw({
    items,
    different: rest,
    smallTalk: textsOf(all.filter(isSmall)),
    perTheme: 10,
    minPeople: 3,
    draws: 5,
  });
}

const workOrders = () => clinc("train").filter(({ label }) => clincDomains().auto_and_commute!.includes(label));

/** `banking` is the one by which thresholds were chosen. */
export const TALKS: Record<string, () => Talk[]> = {
  banking: () =>
    draw({
      items: banking(),
      different: workOrders(),
      smallTalk: chatterOf("train"),
      perTheme: 40,
      minPeople: 10,
      draws: 5,
    }),
  work: () => clincTalks(["work", "auto_and_commute"]),
  travel: () => clincTalks(["travel", "utility"]),
  kitchen: () => clincTalks(["kitchen_and_dining", "home"]),
  assistantEn: () => assistantTalks("en"),
  assistantEs: () => assistantTalks("es"),
  assistantFr: () => assistantTalks("fr"),
  germanBots: () => {
    const isSmall = ({ label }: Labelled) =>
      /chitchat|greet|goodbye|affirm|deny|thank|happy|love|insult|confused|provocate|acknowledge|bot|handle/.test(
        label,
      );
    const all = germanBots();
    const smallTalk = textsOf(all.filter(isSmall));
    const items = all.filter((one) => !isSmall(one));
    return draw({ items, different: [], smallTalk, perTheme: 8, minPeople: 3, draws: 5 });
  },
};
