import { IconCheck, IconMinus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/completion/completions.module.css";
import { conditionTitle, conditionValue, missingText } from "#web/courses/completion/conditionTexts.ts";
import { formatElapsed } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import type { ConditionState, TeamCompletion } from "#shared/completions/completions.ts";
import type { CourseKind } from "#shared/courses/completionRules.ts";

type Condition = Pick<ConditionState, "test" | "isMet" | "label"> & Partial<ConditionState>;
type Props = {
  tests: (Condition | { match: "all" | "any"; isMet: boolean; tests: Condition[] })[] | TeamCompletion["tests"];
  kind: CourseKind;
};

/** The conditions of a course, each with its value and limit as far as they are known, and a link to the replay. */
export function ConditionList({ tests, kind }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={classes.conditions}>
      {tests.map((test, at) =>
        "tests" in test ? (
          <li key={at} className={classes.set}>
            <p className={classes.setTitle}>{t(`completions.setOf.${test.match}`)}</p>
            <ul className={classes.conditions}>
              {test.tests.map((one, inner) => (
                <OneCondition key={inner} condition={one} kind={kind} />
              ))}
            </ul>
          </li>
        ) : (
          <OneCondition key={at} condition={test} kind={kind} />
        ),
      )}
    </ul>
  );
}

function OneCondition({ condition, kind }: { condition: Condition; kind: CourseKind }) {
  const { t } = useTranslation();
  const { isMet, replay } = condition;
  const title = conditionTitle(condition, kind);
  const full = condition.missing === undefined ? null : (condition as ConditionState);
  const missing = full && missingText(full);
  const Icon = isMet ? IconCheck : IconMinus;
  return (
    <li className={classes.condition}>
      <span className={classes.mark} data-met={isMet || undefined}>
        <Icon size={15} stroke={2.2} aria-hidden />
        <span className="ly-hidden">{t(isMet ? "completions.state.met" : "completions.state.open")}</span>
      </span>
      <div className={classes.words}>
        <p className={classes.name}>{title}</p>
        {full && <p className={classes.dim}>{conditionValue(full, kind)}</p>}
        {missing && <p className={classes.dim}>{missing}</p>}
      </div>
      {replay && (
        <Link className={classes.link} to={replayPath(replay.sessionId, replay.t)}>
          {t("completions.replayAt", { time: formatElapsed(replay.t) })}
          <span className="ly-hidden">: {title}</span>
        </Link>
      )}
    </li>
  );
}
