import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { BlockView } from "#web/lessons/learner/BlockView.tsx";
import { LessonProvider, type LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { LessonScore } from "#web/lessons/learner/LessonScore.tsx";
import { type QuestionList, QuestionListContext } from "#web/lessons/learner/questions/questionList.ts";
import { Unclear } from "#web/lessons/learner/Unclear.tsx";
import { useSeenBlocks } from "#web/lessons/learner/useSeenBlocks.ts";
import type { VisibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import classes from "#web/lessons/learner/lesson.module.css";
import { directionOf } from "#shared/lessons/direction.ts";
import type { ShownBlock } from "#shared/lessons/shownLesson.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";

type Props = {
  title: string;
  tools: LessonTools;
  visible: VisibleBlocks;
  questions: QuestionList;
  /** The element that scrolls. */
  area: RefObject<HTMLElement | null>;
};

/** A lesson: its title and the blocks that the learner sees. */
export function LessonView({ title, tools, visible, questions, area }: Props) {
  const { lesson, record, readOnly, isReplayed } = tools;
  const { document: content, state, sco } = lesson;
  const { blocks, gate } = visible;
  const heading = useRef<HTMLHeadingElement>(null);
  const resumeAt = useRef(state.ended ? null : state.last);

  // The place of the last visit, before the page is painted.
  useLayoutEffect(() => {
    const scrolled = area.current;
    if (!scrolled || isReplayed) return;
    scrolled.scrollTo(0, 0);
    const last = resumeAt.current;
    const block = last === null ? null : scrolled.querySelector(`[data-block="${CSS.escape(last)}"]`);
    if (block && block !== scrolled.querySelector("[data-block]")) block.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [area, sco, isReplayed]);

  const seen = useMemo(() => new Set(state.seen), [state.seen]);
  const shownKey = `${sco} ${blocks.map(({ id }) => id).join(" ")} ${gate}`;
  useSeenBlocks(area, shownKey, {
    onSeen: (id) => {
      if (!readOnly && !seen.has(id)) record({ type: "block.seen", key: id });
    },
    onEnd: () => {
      if (!readOnly && !state.ended) record({ type: "lesson.end" });
    },
  });
  useEffect(() => {
    resumeAt.current = null;
  }, []);

  return (
    <LessonProvider value={tools}>
      <QuestionListContext value={questions}>
        <article className={classes.lesson} lang={content.language} dir={directionOf(content.language)}>
          <h2 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h2>
          {blocks.map((block) => (
            <div
              key={isReplayed ? givenIn(block, tools) : block.id}
              data-block={block.id}
              data-kind={block.kind}
              className={classes.block}
            >
              <BlockView block={block} />
              <Unclear block={block} />
            </div>
          ))}
          {gate === null && <LessonScore blocks={blocks} />}
          {gate === null && <div data-end="" className={classes.end} />}
        </article>
      </QuestionListContext>
    </LessonProvider>
  );
}

/** Identifies a block with what was entered in it. */
export const givenIn = (block: ShownBlock, { lesson, facts }: LessonTools) =>
  JSON.stringify([block.id, lesson.state.answers[block.id]?.response, ...writtenBy(block).map(facts.value)]);
