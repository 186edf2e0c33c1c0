// The state of the engine as JSON: what differs from a tree that was just built. The engine's own form of it leaves out
// part of its fields, and repeats the others for every activity.

type Value = string | number | boolean | null;
type Values = Record<string, Value>;
type Fields = Record<string, unknown>;
/** What of an activity differs: itself, its controls, its objectives, the order of its children and those in use. */
export type ActivityState = {
  a?: Values;
  c?: Values;
  o?: Record<string, Values>;
  order?: number[];
  used?: number[];
};
/** Activities are named by their number in the tree, the root being 0. */
export type EngineState = {
  activities: Record<string, ActivityState>;
  current: number | null;
  suspended: number | null;
  shared: Record<string, Values>;
};

export type EngineActivity = Fields & {
  id: string;
  parent: EngineActivity | null;
  children: EngineActivity[];
  isActive: boolean;
  isSuspended: boolean;
  attemptCount: number;
  _children: EngineActivity[];
  _processedChildren: EngineActivity[] | null;
  _primaryObjective: Fields | null;
  _objectives: Fields[];
  sequencingControls: Fields;
};
export type EngineTree = {
  root: EngineActivity;
  _currentActivity: EngineActivity | null;
  _suspendedActivity: EngineActivity | null;
};
type Shared = Map<string, Fields>;

const isValue = (value: unknown): value is Value =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
const valuesOf = (fields: Fields): Values =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => isValue(entry[1])));

const objectivesOf = ({ _primaryObjective, _objectives }: EngineActivity) => [
  ...new Set([..._objectives, ...(_primaryObjective ? [_primaryObjective] : [])]),
];

/** Remembers a tree that was just built, and reads and writes what has changed since. */
export function createStateOf(tree: EngineTree, shared: Shared) {
  const list = (activity: EngineActivity): EngineActivity[] => [activity, ...activity._children.flatMap(list)];
  const activities = list(tree.root);
  const numbers = new Map(activities.map((activity, n) => [activity, n]));
  const numberOf = (activity: EngineActivity | null) => (activity ? (numbers.get(activity) ?? null) : null);
  const toNumbers = (some: EngineActivity[]) => some.flatMap((one) => numberOf(one) ?? []);
  const fresh = activities.map((activity) => ({
    a: valuesOf(activity),
    c: valuesOf(activity.sequencingControls),
    o: objectivesOf(activity).map(valuesOf),
    order: toNumbers(activity._children),
    objectives: [...activity._objectives],
  }));
  const freshShared = [...shared].map(([id, fields]) => [id, valuesOf(fields)] as const);
  type Fresh = (typeof fresh)[number];

  const difference = (before: Values, fields: Fields): Values | undefined => {
    const changed = Object.entries(valuesOf(fields)).filter(([name, value]) => before[name] !== value);
    return changed.length > 0 ? Object.fromEntries(changed) : undefined;
  };
  const readActivity = (activity: EngineActivity, before: Fresh): ActivityState => {
    const objectives = objectivesOf(activity).flatMap((objective, n) => {
      const values = difference(before.o[n] ?? {}, objective);
      return values ? [[String(n), values] as const] : [];
    });
    const order = toNumbers(activity._children);
    const used = activity._processedChildren && toNumbers(activity._processedChildren);
    const [a, c] = [difference(before.a, activity), difference(before.c, activity.sequencingControls)];
    return {
      ...(a && { a }),
      ...(c && { c }),
      ...(objectives.length > 0 && { o: Object.fromEntries(objectives) }),
      ...(order.join() !== before.order.join() && { order }),
      ...(used && { used }),
    };
  };

  /** Only fields that the engine has, with values of the type that they have. */
  const assign = (fields: Fields, before: Values, stored: Values | undefined) => {
    for (const [name, value] of Object.entries({ ...before, ...stored })) {
      const known = before[name];
      const fits = known === null || value === null || typeof value === typeof known;
      if (Object.hasOwn(before, name) && isValue(value) && fits) fields[name] = value;
    }
  };
  const activitiesOf = (stored: number[] | undefined, of: number[]) => {
    const isKnown = Array.isArray(stored) && stored.every((n) => of.includes(n));
    return isKnown && new Set(stored).size === stored.length
      ? stored.map((n) => activities[n] as EngineActivity)
      : null;
  };

  return {
    activities,
    read(): EngineState {
      const changed = activities.flatMap((activity, n) => {
        const state = readActivity(activity, fresh[n] as Fresh);
        return Object.keys(state).length > 0 ? [[String(n), state] as const] : [];
      });
      return {
        activities: Object.fromEntries(changed),
        current: numberOf(tree._currentActivity),
        suspended: numberOf(tree._suspendedActivity),
        shared: Object.fromEntries(
          freshShared.flatMap(([id, before]) => {
            const values = difference(before, shared.get(id) ?? {});
            return values ? [[id, values] as const] : [];
          }),
        ),
      };
    },
    write(state: EngineState | null) {
      for (const [n, activity] of activities.entries()) {
        const before = fresh[n] as Fresh;
        const stored = state?.activities[String(n)] ?? {};
        activity._objectives = [...before.objectives];
        assign(activity, before.a, stored.a);
        assign(activity.sequencingControls, before.c, stored.c);
        for (const [k, objective] of objectivesOf(activity).entries())
          assign(objective, before.o[k] ?? {}, stored.o?.[String(k)]);
        const order = activitiesOf(stored.order, before.order);
        const children = before.order.map((one) => activities[one] as EngineActivity);
        activity._children = order?.length === children.length ? order : children;
        activity._processedChildren = activitiesOf(stored.used, before.order);
      }
      tree._currentActivity = activities[state?.current ?? -1] ?? null;
      tree._suspendedActivity = activities[state?.suspended ?? -1] ?? null;
      for (const [id, before] of freshShared) assign(shared.get(id) ?? {}, before, state?.shared[id]);
    },
  };
}
