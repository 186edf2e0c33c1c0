import type { Replay, ReplayValue, ReplayVariable } from "#shared/reports/replays.ts";
import { type FoldedValue, foldValue, type VariableValue } from "#shared/variables/variableTypes.ts";
import type { ReplayData } from "#web/reports/replay/replayData.ts";

type Change = {
  id: number;
  t: number;
  variable: ReplayVariable;
  value: VariableValue;
  /** The current value before and after the change. */
  before: VariableValue;
  after: VariableValue;
  refused: boolean;
  masked: boolean;
};
/** A variable with its changes in order. */
export type VariableTrack = { variable: ReplayVariable; times: number[]; changes: Change[] };

/** The variables of a session with their values over time. */
export function indexVariables(
  replay: Pick<Replay, "variables">,
  { events, values }: Pick<ReplayData, "events" | "values">,
  timeOf: (at: string) => number,
) {
  const first = events[0]?.seq ?? 1;
  const byVariable = Map.groupBy(values, ({ variableId }) => variableId);
  const tracks = replay.variables.map((variable): VariableTrack => {
    const timed = (byVariable.get(variable.id) ?? [])
      .map((value) => ({
        ...value,
        t: (value.seq === null ? null : events[value.seq - first]?.t) ?? timeOf(value.happenedAt),
      }))
      .toSorted((a, b) => a.t - b.t || a.id - b.id);
    const changes = foldChanges(variable, timed);
    return { variable, changes, times: changes.map(({ t }) => t) };
  });
  return {
    tracks,
    changes: tracks.flatMap(({ changes }) => changes),
    bySeq: new Set(values.flatMap(({ seq }) => (seq === null ? [] : [seq]))),
  };
}

function foldChanges(variable: ReplayVariable, values: (ReplayValue & { t: number })[]): Change[] {
  const masked = variable.privacy === "sensitive";
  let folded: FoldedValue | null =
    variable.start === null ? null : foldValue(variable.writeMode, null, { id: 0, at: -1, value: variable.start });
  return values.map(({ id, t, value, refusal }) => {
    const before = folded?.current ?? null;
    if (refusal === null && !masked) folded = foldValue(variable.writeMode, folded, { id, at: t, value });
    return { id, t, variable, value, before, after: folded?.current ?? null, refused: refusal !== null, masked };
  });
}
