import type { ComponentProps } from "react";
import { LessonView } from "#web/lessons/learner/LessonView.tsx";
import { QuizView } from "#web/lessons/learner/quiz/QuizView.tsx";

type Props = Omit<ComponentProps<typeof QuizView>, "place"> &
  Pick<ComponentProps<typeof LessonView>, "visible"> & {
    /** Null for a lesson that is no quiz. */
    place: ComponentProps<typeof QuizView>["place"] | null;
  };

/** The open lesson: its blocks, or its page as a quiz. */
export function LessonBody({ place, visible, left, main, ...shared }: Props) {
  return place ? (
    <QuizView {...shared} place={place} left={left} main={main} />
  ) : (
    <LessonView {...shared} visible={visible} />
  );
}
