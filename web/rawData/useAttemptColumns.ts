import { useSearchParams } from "react-router";
import { useVariableChoices } from "#web/rawData/useRawDataChoices.ts";
import { MAX_COLUMNS } from "#shared/rawData/rawData.ts";
import type { Variable } from "#shared/variables/variables.ts";

export type AttemptColumns = {
  /** The variables of the course; undefined while loading. */
  all: Variable[] | undefined;
  shown: Variable[];
  toggle: (id: string) => void;
};

/**
 * The variables that are columns, stored in the URL (`?columns=ID,ID`). By default the active ones of the course, up to
 * the maximum.
 */
export function useAttemptColumns(courseId: string): AttemptColumns {
  const [params, setParams] = useSearchParams();
  const all = useVariableChoices(courseId);
  const chosen = params.get("columns")?.split(",");
  const isShown = ({ id, status }: Variable) => (chosen ? chosen.includes(id) : status === "active");
  const shown = (all ?? []).filter(isShown).slice(0, MAX_COLUMNS);
  const toggle = (id: string) => {
    const ids = shown.map((one) => one.id);
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.set("columns", next.join(","));
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return { all, shown, toggle };
}
