import { createContext, useContext } from "react";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";

/** What blocks have to know of the course they are in. */
export type Author = {
  draft: CourseDraft;
  lessonId: string;
  /** Keys and names of the variables that texts and conditions can use. */
  variables: { key: string; label: string }[];
};
export const AuthorContext = createContext<Author | null>(null);
export function useAuthor() {
  const author = useContext(AuthorContext);
  if (!author) throw new Error("outside of an editor");
  return author;
}

/** The settings of the open lesson, if it is a quiz. */
export function useOpenQuiz() {
  const { draft, lessonId } = useAuthor();
  return lessonsOf(draft).find(({ id }) => id === lessonId)?.quiz;
}
