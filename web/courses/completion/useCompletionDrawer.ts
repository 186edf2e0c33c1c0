import { useSearchParams } from "react-router";

const PARAM = "completion";

/** The enrolment whose completion a drawer of the page explains; it is in the URL (`?completion=ID`). */
export function useCompletionDrawer() {
  const [params, setParams] = useSearchParams();
  const change = (id: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (id === null) after.delete(PARAM);
        else after.set(PARAM, id);
        return after;
      },
      { preventScrollReset: true },
    );
  return { id: params.get(PARAM), open: (id: string) => change(id), close: () => change(null) };
}
