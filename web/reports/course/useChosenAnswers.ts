import { useSearchParams } from "react-router";
import { type AnswerGroup, answerGroup } from "#shared/reports/questionFigures.ts";

export type ChosenAnswers = { sco: string; key: string; group: AnswerGroup };

const names = { sco: "sco", key: "question", group: "answers" } as const;

/** The figure of a question whose people are shown. It is in the URL, so that Back returns to them from a replay. */
export function useChosenAnswers() {
  const [params, setParams] = useSearchParams();
  const group = answerGroup.safeParse(params.get(names.group));
  const [sco, key] = [params.get(names.sco), params.get(names.key)];
  const chosen: ChosenAnswers | null = group.success && sco !== null && key ? { sco, key, group: group.data } : null;
  const linkTo = (answers: ChosenAnswers) => {
    const next = new URLSearchParams(params);
    for (const name of ["sco", "key", "group"] as const) next.set(names[name], answers[name]);
    return `?${next}`;
  };
  const close = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of Object.values(names)) after.delete(name);
        return after;
      },
      { preventScrollReset: true },
    );
  return { chosen, linkTo, close };
}
