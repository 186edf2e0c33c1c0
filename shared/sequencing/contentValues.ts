// What the content of an activity has reported, as the engine takes it over when the activity ends

/**
 * `values`: the run-time data at the end of a visit; `set`: the elements that the content has set itself; `isStored`:
 * it was not initialized in this visit, and the values are those of earlier ones.
 */
export type Content = {
  values: Record<string, string>;
  set: ReadonlySet<string>;
  exit: string;
  isStored?: true;
};

/** Content that has not been initialized in this visit: its attempt is suspended, so that nothing is assumed of it. */
export const storedContent = (values: Record<string, string>): Content => ({
  values,
  set: new Set(Object.keys(values)),
  exit: "suspend",
  isStored: true,
});

const scores = ["scaled", "raw", "min", "max"];

export function contentValues({ values, set }: Content) {
  const read = (prefix: string) => ({
    success_status: values[`${prefix}.success_status`] ?? "unknown",
    success_status_was_set: set.has(`${prefix}.success_status`),
    completion_status: values[`${prefix}.completion_status`] ?? "unknown",
    completion_status_was_set: set.has(`${prefix}.completion_status`),
    progress_measure: values[`${prefix}.progress_measure`] ?? "",
    score_was_set: scores.some((name) => set.has(`${prefix}.score.${name}`)),
    score: Object.fromEntries(scores.map((name) => [name, values[`${prefix}.score.${name}`] ?? ""])),
  });
  const objectives = Object.entries(values).flatMap(([name, id]) => {
    const [, n] = /^cmi\.objectives\.(\d+)\.id$/.exec(name) ?? [];
    return n === undefined ? [] : [{ id, ...read(`cmi.objectives.${n}`) }];
  });
  return { ...read("cmi"), objectives };
}
