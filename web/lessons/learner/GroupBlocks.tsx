import { IconArrowLeft, IconArrowRight, IconChevronDown, IconExternalLink, IconRotate } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/groups.module.css";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

export const AccordionBlock = ({ block }: { block: ShownBlockOf<"accordion"> }) => (
  <div className={classes.accordion}>
    {block.items.map(({ id, title, text }) => (
      <details key={id}>
        <summary>
          <span>
            <Runs text={title} />
          </span>
          <IconChevronDown size={20} stroke={1.7} aria-hidden />
        </summary>
        <div className={classes.panel}>
          <Paragraphs texts={text} />
        </div>
      </details>
    ))}
  </div>
);

/** Arrow keys move between the tabs (WAI-ARIA Authoring Practices, tabs with automatic activation). */
export function TabsBlock({ block: { items } }: { block: ShownBlockOf<"tabs"> }) {
  const id = useId();
  const [active, setActive] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const forward = isRtl ? "ArrowLeft" : "ArrowRight";
    const back = isRtl ? "ArrowRight" : "ArrowLeft";
    const targets: Record<string, number> = {
      [forward]: (active + 1) % items.length,
      [back]: (active - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setActive(target);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  };
  return (
    <div>
      <div role="tablist" className={classes.tabs} onKeyDown={onKeyDown}>
        {items.map(({ id: item, title }, index) => (
          <button
            key={item}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === active}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === active ? 0 : -1}
            onClick={() => setActive(index)}
          >
            <Runs text={title} />
          </button>
        ))}
      </div>
      {items.map(({ id: item, text }, index) => (
        <div
          key={item}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== active}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a panel without controls takes the focus
          tabIndex={0}
          className={classes.panel}
        >
          <Paragraphs texts={text} />
        </div>
      ))}
    </div>
  );
}

export function ProcessBlock({ block: { items } }: { block: ShownBlockOf<"process"> }) {
  const { t } = useTranslation();
  const [at, setAt] = useState(0);
  const item = items[at];
  if (!item) return null;
  return (
    <section className={classes.process} aria-label={t("lessons.process")}>
      <div aria-live="polite">
        <p className={classes.step}>{t("lessons.step", { at: at + 1, total: items.length })}</p>
        <p className={classes.stepTitle}>
          <Runs text={item.title} />
        </p>
        <Paragraphs texts={item.text} />
      </div>
      <div className={classes.steps}>
        <button type="button" className={classes.small} disabled={at === 0} onClick={() => setAt(at - 1)}>
          <IconArrowLeft size={16} stroke={1.7} aria-hidden className={classes.mirrored} />
          {t("lessons.previousStep")}
        </button>
        <button
          type="button"
          className={classes.small}
          disabled={at === items.length - 1}
          onClick={() => setAt(at + 1)}
        >
          {t("lessons.nextStep")}
          <IconArrowRight size={16} stroke={1.7} aria-hidden className={classes.mirrored} />
        </button>
      </div>
    </section>
  );
}

export const FlashcardsBlock = ({ block }: { block: ShownBlockOf<"flashcards"> }) => (
  <ul className={classes.cards}>
    {block.cards.map((card) => (
      <li key={card.id}>
        <Flashcard {...card} />
      </li>
    ))}
  </ul>
);

function Flashcard({ front, back }: ShownBlockOf<"flashcards">["cards"][number]) {
  const { t } = useTranslation();
  const [isTurned, setTurned] = useState(false);
  return (
    <button
      type="button"
      className={classes.card}
      data-turned={isTurned || undefined}
      onClick={() => setTurned(!isTurned)}
    >
      <span aria-live="polite">
        <Runs text={isTurned ? back : front} />
      </span>
      <span className={classes.turn}>
        <IconRotate size={16} stroke={1.7} aria-hidden />
        {t(isTurned ? "lessons.turnBack" : "lessons.turn")}
      </span>
    </button>
  );
}

export function ChecklistBlock({ block }: { block: ShownBlockOf<"checklist"> }) {
  const { lesson, record, readOnly } = useLesson();
  const checked = lesson.state.checked[block.id] ?? [];
  const toggle = (id: string) => {
    const next = checked.includes(id) ? checked.filter((one) => one !== id) : [...checked, id];
    record({ type: "block.check", key: block.id, value: JSON.stringify(next) });
  };
  return (
    <ul className={classes.checklist}>
      {block.items.map(({ id, text }) => (
        <li key={id}>
          <label>
            <input type="checkbox" checked={checked.includes(id)} disabled={readOnly} onChange={() => toggle(id)} />
            <span>
              <Runs text={text} />
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Nothing for a lesson that the course no longer has. */
export function ButtonBlock({ block: { label, target } }: { block: ShownBlockOf<"button"> }) {
  const { lessons, openLesson, readOnly } = useLesson();
  if (target.kind === "page")
    return (
      <a className={classes.button} href={target.url} target="_blank" rel="noreferrer noopener">
        {label}
        <IconExternalLink size={18} stroke={1.7} aria-hidden />
      </a>
    );
  if (!lessons.some(({ id }) => id === target.lessonId)) return null;
  return (
    <button type="button" className={classes.button} disabled={readOnly} onClick={() => openLesson(target.lessonId)}>
      {label}
      <IconArrowRight size={18} stroke={1.7} aria-hidden className={classes.mirrored} />
    </button>
  );
}
