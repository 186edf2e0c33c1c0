/** Figures about fewer people are hidden, because they could tell about one of them. */
export const MIN_GROUP = 10;
