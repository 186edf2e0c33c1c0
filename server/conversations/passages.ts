/** Maximum number of passages for an answer. */
export const PASSAGES = 6;
