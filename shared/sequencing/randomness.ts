import type { EngineActivity } from "#shared/sequencing/engineState.ts";
import type { Activity } from "#shared/packages/activityTree.ts";

// Selection and random order of the parts of a group (SN SR.1, SR.2). The engine draws again when it delivers a part,
// after it has chosen the part by the order before; here an attempt is drawn before it begins.

type Random = NonNullable<Activity["random"]>;

const shuffle = <T>(list: T[]): T[] => {
  const shuffled = [...list];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
};
const isDrawn = (timing: Random["order"]) => timing === "once" || timing === "onEachNewAttempt";

function draw(activity: EngineActivity, { order, reorder, selection, count }: Random, isRepeated: boolean) {
  const applies = (timing: Random["order"]) => (isRepeated ? timing === "onEachNewAttempt" : isDrawn(timing));
  if (applies(selection)) {
    const chosen = new Set(shuffle(activity._children).slice(0, count ?? activity._children.length));
    for (const child of activity._children) Object.assign(child, availability(chosen.has(child)));
  }
  if (applies(order) && reorder === true) activity._children = shuffle(activity._children);
  activity._processedChildren = activity._children.filter((child) => child.isAvailable === true);
}
const availability = (isAvailable: boolean) => ({ isAvailable, isHiddenFromChoice: !isAvailable });

export function createDraws(activities: EngineActivity[], definitions: Map<string, Activity>) {
  const randomOf = ({ id, _children }: EngineActivity) => {
    const random = definitions.get(id)?.random;
    const isRandom = random && _children.length > 0 && (isDrawn(random.order) || isDrawn(random.selection));
    return isRandom ? random : null;
  };
  return {
    /** Before the first attempt. */
    drawAll() {
      for (const activity of activities) {
        const random = randomOf(activity);
        if (random) draw(activity, random, false);
      }
    },
    /** When the attempt on an activity has ended. */
    drawAgain(activity: EngineActivity) {
      const random = randomOf(activity);
      const repeats = random?.order === "onEachNewAttempt" || random?.selection === "onEachNewAttempt";
      if (random && repeats && !activity.isSuspended) draw(activity, random, true);
    },
  };
}
