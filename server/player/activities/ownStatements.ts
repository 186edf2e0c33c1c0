import { randomUUID } from "node:crypto";
import {
  ACTIVITY_TYPES,
  CATEGORY,
  LAUNCH_MODE,
  LAUNCH_PARAMETERS_EXTENSION,
  LAUNCH_URL,
  type LaunchMode,
  MASTERY_SCORE_EXTENSION,
  MOVE_ON_EXTENSION,
  SESSION_ID,
  VERBS,
} from "#server/player/activities/vocabulary.ts";
import type { Agent, Json, Statement } from "#shared/statements/xapi.ts";
import type { Unit } from "#server/player/activities/units.ts";
import { LAUNCH_PARAMETERS, MASTERY_SCORE, MOVE_ON, PUBLISHER_ID } from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";
import { formatDuration } from "#shared/player/runTimeData.ts";

// What the platform says about launches (cmi5 9.3.1, 9.3.6, 9.3.9)

/** What all statements of a launch have in common. `activityIdOf`: of a part or a unit, by its key. */
export type Speech = {
  launchId: string;
  actor: Agent;
  registration: string;
  activityIdOf: (key: string) => string;
};

type Said = Pick<Statement, "verb" | "object" | "result"> & {
  publisherId: string;
  extensions?: Record<string, Json>;
};

const say = ({ launchId, actor, registration }: Speech, said: Said): Statement => ({
  id: randomUUID(),
  actor,
  verb: said.verb,
  object: said.object,
  ...(said.result && { result: said.result }),
  context: {
    registration,
    contextActivities: {
      category: [{ id: CATEGORY.cmi5 }],
      grouping: [{ id: said.publisherId }],
    },
    extensions: { [SESSION_ID]: launchId, ...said.extensions },
  },
  timestamp: new Date().toISOString(),
});

const verb = (name: keyof typeof VERBS) => ({ id: VERBS[name], display: { en: name } });
const unitObject = (speech: Speech, part: Part) => ({
  id: speech.activityIdOf(part.sco),
  definition: { name: { en: part.title } },
});

export function sayLaunched(speech: Speech, part: Part, { mode, url }: { mode: LaunchMode; url: string }) {
  const { given } = part;
  return say(speech, {
    verb: verb("launched"),
    object: unitObject(speech, part),
    publisherId: given[PUBLISHER_ID] ?? "",
    extensions: {
      [LAUNCH_MODE]: mode,
      [LAUNCH_URL]: url,
      [MOVE_ON_EXTENSION]: given[MOVE_ON] ?? "NotApplicable",
      ...(given[MASTERY_SCORE] !== undefined && { [MASTERY_SCORE_EXTENSION]: Number(given[MASTERY_SCORE]) }),
      ...(given[LAUNCH_PARAMETERS] !== undefined && { [LAUNCH_PARAMETERS_EXTENSION]: given[LAUNCH_PARAMETERS] }),
    },
  });
}

/** `seconds`: from the launch to the last statement of the AU (9.5.4.2). */
export const sayAbandoned = (speech: Speech, part: Part, seconds: number) =>
  say(speech, {
    verb: verb("abandoned"),
    object: unitObject(speech, part),
    publisherId: part.given[PUBLISHER_ID] ?? "",
    result: { duration: formatDuration(seconds) },
  });

export const saySatisfied = (speech: Speech, unit: Unit) =>
  say(speech, {
    verb: verb("satisfied"),
    object: {
      id: speech.activityIdOf(unit.key),
      definition: { type: ACTIVITY_TYPES[unit.type], name: { en: unit.title } },
    },
    publisherId: unit.publisherId,
  });
