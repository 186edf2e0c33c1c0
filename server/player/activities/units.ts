import { createHash } from "node:crypto";
import { isSatisfied } from "#server/player/activities/moveOn.ts";
import { ACTIVITY_TYPES } from "#server/player/activities/vocabulary.ts";
import type { PartState } from "#server/player/trackingState.ts";
import { COURSE_ID, MOVE_ON, type MoveOn, PUBLISHER_ID } from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";

// The blocks and the course of a cmi5 package, as its flat table of contents shows them

/** `key` names it among the parts of the course; `sco`s of its AUs. */
export type Unit = {
  key: string;
  type: keyof typeof ACTIVITY_TYPES;
  publisherId: string;
  title: string;
  scos: string[];
};

/** Among lessons, the id of the lesson stands before the identifiers of its package. */
const placeOf = ({ sco, given }: Part) => {
  const identifier = sco.endsWith(given[PUBLISHER_ID] ?? "") ? given[PUBLISHER_ID] : /sha256:.*$/.exec(sco)?.[0];
  return sco.slice(0, sco.length - (identifier?.length ?? 0));
};

/** Blocks before those around them, and then the course. */
export function listUnits(parts: Part[], courseTitle: string): Unit[] {
  const ofCmi5 = parts.filter(({ kind }) => kind === "cmi5");
  const blocks = ofCmi5.flatMap((heading, at) => {
    if (heading.href !== null) return [];
    const after = ofCmi5.slice(at + 1);
    const end = after.findIndex(({ depth }) => depth <= heading.depth);
    const inside = after.slice(0, end < 0 ? after.length : end);
    return [{ heading, unit: toUnit("block", heading.sco, heading.given[PUBLISHER_ID] ?? "", heading.title, inside) }];
  });
  const courses = Map.groupBy(ofCmi5, (part) => `${placeOf(part)}${part.given[COURSE_ID] ?? ""}`);
  return [
    ...blocks.toSorted((a, b) => b.heading.depth - a.heading.depth).map(({ unit }) => unit),
    ...[...courses].map(([key, inside]) =>
      toUnit("course", `course ${key}`, inside[0]?.given[COURSE_ID] ?? "", courseTitle, inside),
    ),
  ];
}

const toUnit = (type: Unit["type"], key: string, publisherId: string, title: string, inside: Part[]): Unit => ({
  key,
  type,
  publisherId,
  title,
  scos: inside.filter(({ href }) => href !== null).map(({ sco }) => sco),
});

/** The units of which every AU is satisfied. */
export function findSatisfied(units: Unit[], parts: Part[], states: ReadonlyMap<string, PartState>): Unit[] {
  const rules = new Map(parts.map(({ sco, given }) => [sco, given[MOVE_ON] as MoveOn | undefined]));
  const isDone = (sco: string) => {
    const rule = rules.get(sco);
    return rule === "NotApplicable" || (rule !== undefined && isSatisfied(rule, states.get(sco) ?? { cmi: {} }));
  };
  return units.filter(({ scos }) => scos.length > 0 && scos.every(isDone));
}

/** The id of an activity in statements: ours, because cmi5 forbids that of the package (8.1.5, 9.3.9). */
export const activityIdOf = (publicUrl: string, courseId: string, key: string) =>
  `${publicUrl}/activities/${courseId}/${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;
/** Whether an id is that of an activity of any course here. */
export const isActivityHere = (publicUrl: string, id: string) => id.startsWith(`${publicUrl}/activities/`);
