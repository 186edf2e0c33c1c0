const MAX_LENGTH = 64;

/** The key that a name suggests: “Explain it simply” is `explain-it-simply`. Empty if the name has no Latin letter. */
export const suggestPromptKey = (name: string) =>
  name
    .normalize("NFD")
    .replace(/\p{Mark}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, "");
