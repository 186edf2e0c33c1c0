import type { Engine } from "#shared/sequencing/engine.ts";
import { UNNAMED_OBJECTIVE } from "#shared/sequencing/settings.ts";

type Values = Record<string, string>;

const statuses = ["success_status", "completion_status", "progress_measure"];
const scores = ["scaled", "raw", "min", "max"];
const isKnown = (value: unknown): value is string => typeof value === "string" && value !== "" && value !== "unknown";

/** The objectives of an activity with what is known of each, which may be shared with other activities. */
function objectivesOf(engine: Engine, id: string) {
  const objectives = engine.objectivesAtLaunch(id).filter((objective) => objective.id !== UNNAMED_OBJECTIVE);
  return objectives.map((objective) => {
    const score = (objective.score ?? {}) as Record<string, unknown>;
    const values = [
      ...statuses.map((name) => [name, objective[name]] as const),
      ...scores.map((name) => [`score.${name}`, score[name]] as const),
    ];
    return { id: String(objective.id), known: values.filter((entry): entry is [string, string] => isKnown(entry[1])) };
  });
}

/**
 * The objectives with which an activity begins an attempt, as data model values (SCORM 2004 4th Ed. RTE 4.2.17).
 * `resumed`: the values of its last visit, if it is continued; what other activities have changed since is in them.
 */
export function readLaunchValues(engine: Engine, id: string, resumed: Values | null): Values {
  const ids = Object.entries(resumed ?? {}).flatMap(([name, value]) => {
    const [, n] = /^cmi\.objectives\.(\d+)\.id$/.exec(name) ?? [];
    return n === undefined ? [] : [[value, Number(n)] as const];
  });
  const numbers = new Map(ids);
  const values: Values = {};
  for (const objective of objectivesOf(engine, id)) {
    const n = numbers.get(objective.id) ?? numbers.size;
    numbers.set(objective.id, n);
    values[`cmi.objectives.${n}.id`] = objective.id;
    for (const [name, value] of objective.known) values[`cmi.objectives.${n}.${name}`] = value;
  }
  return values;
}
