import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/completion/completions.module.css";
import { doneText, type Todo, todoOf } from "#web/courses/completion/todoTexts.ts";
import { ownCompletionQuery } from "#web/courses/completion/ownCompletionQuery.ts";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { conditionsOf, type OwnCompletion as Own } from "#shared/completions/completions.ts";
import { leftToDo } from "#shared/courses/completionState.ts";

/** What the learner has still to do in a course, the nearest first, and what is done. */
export function OwnCompletion({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data: own } = useQuery({ ...ownCompletionQuery(courseId), throwOnError: false });
  if (!own) return null;
  const { setByAdmin, reopened, state, status } = own;
  const told = setByAdmin ?? reopened;
  const isOpen =
    status !== "completed" && !own.isArchived && state !== null && (own.attemptNo > 0 || reopened !== null);
  if (!told && !isOpen) return null;
  return (
    <>
      {told && (
        <p className={classes.told}>
          {t(setByAdmin ? "completions.mine.setByAdmin" : "completions.mine.reopened", {
            day: formatDate(told.at),
            reason: told.reason,
          })}
        </p>
      )}
      {isOpen && <Left own={own} />}
    </>
  );
}

function Left({ own }: { own: Own }) {
  const { t } = useTranslation();
  const { state } = own;
  if (!state) return null;
  const left = leftToDo(state);
  const done = conditionsOf(state).filter(({ isMet }) => isMet);
  const title = left.length > 0 ? t("completions.mine.title", { count: left.length }) : t("completions.mine.almost");
  return (
    <Section title={title}>
      {left.length === 0 && <p className={classes.dim}>{t("completions.mine.almostText")}</p>}
      <ol className={classes.own}>
        {left.map((ways, at) => (
          <li key={at}>
            {ways.length > 1 && <p className={classes.setTitle}>{t("completions.mine.oneIsEnough")}</p>}
            {ways.map((condition, way) => (
              <OneTodo key={way} todo={todoOf(condition, own)} isFirst={at === 0 && way === 0} />
            ))}
          </li>
        ))}
      </ol>
      {done.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("completions.mine.done")}</h3>
          <ul className={classes.own}>
            {done.map((condition, at) => (
              <li key={at} className={classes.done}>
                <IconCheck size={18} stroke={1.8} aria-hidden />
                {doneText(condition, own)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={classes.ask}>{t("completions.mine.ask")}</p>
    </Section>
  );
}

const OneTodo = ({ todo: { what, text, action }, isFirst }: { todo: Todo; isFirst: boolean }) => (
  <div className={classes.todo}>
    <div className={classes.words}>
      <p className={classes.name}>{what}</p>
      {text && <p className={classes.dim}>{text}</p>}
    </div>
    {action && (
      <Button component={Link} to={action.to} variant={isFirst ? "filled" : "default"} size="sm">
        {action.label}
      </Button>
    )}
  </div>
);

/** The nearest thing to do, after the course was left without completing it. */
export function NextToDo({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data: own } = useQuery({ ...ownCompletionQuery(courseId), throwOnError: false });
  const next = own?.state && own.status !== "completed" ? leftToDo(own.state)[0]?.[0] : undefined;
  if (!own || !next) return null;
  const { what, action } = todoOf(next, own);
  return (
    <div className={classes.next}>
      <span>{t("completions.mine.next", { what })}</span>
      {action && (
        <Button component={Link} to={action.to} variant="default" size="compact-sm">
          {action.label}
        </Button>
      )}
    </div>
  );
}
