/** Calls `visit` with every object in a JSON value, from the outside in. */
export function walkObjects(value: unknown, visit: (object: Record<string, unknown>) => void) {
  if (Array.isArray(value)) for (const one of value) walkObjects(one, visit);
  else if (value !== null && typeof value === "object") {
    visit(value as Record<string, unknown>);
    for (const one of Object.values(value)) walkObjects(one, visit);
  }
}

/** The ids of the files that a document shows. */
export function listMedia(value: unknown): string[] {
  const ids = new Set<string>();
  walkObjects(value, ({ fileId }) => {
    if (typeof fileId === "string") ids.add(fileId);
  });
  return [...ids];
}

/** JSON that does not depend on the order of keys. */
export const sortedJson = (value: unknown) =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
