import { createContext, useCallback, useContext } from "react";

/** What the player can do with a question. */
export type QuestionActions = {
  /** A complete answer was entered and not checked. */
  canCheck: boolean;
  isOpen: boolean;
  check: () => void;
  /** Chooses by number, from 0. */
  choose: (index: number) => void;
};
export type QuestionList = {
  /** The visible questions, in order. */
  ids: string[];
  register: (id: string, actions: QuestionActions) => () => void;
  activate: (id: string) => void;
};

export const QuestionListContext = createContext<QuestionList>({
  ids: [],
  register: () => () => {},
  activate: () => {},
});

export function useQuestions(id: string) {
  const list = useContext(QuestionListContext);
  const { register, activate, ids } = list;
  return {
    place: ids.indexOf(id) + 1,
    total: ids.length,
    register: useCallback((actions: QuestionActions) => register(id, actions), [register, id]),
    activate: useCallback(() => activate(id), [activate, id]),
  };
}
