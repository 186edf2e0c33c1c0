import {
  IconCalendarDue,
  IconCertificateOff,
  IconDoorExit,
  IconMail,
  IconMailOff,
  IconRefresh,
} from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDate, formatDue } from "#web/core/format/format.ts";
import classes from "#web/outlook/outlook.module.css";
import { stepText } from "#web/reminders/stepTexts.ts";
import type { OutlookEvent, StepAhead } from "#shared/outlook/outlook.ts";

/** Who reads: an admin, the person, or a manager of the person. */
export type Reader = "admin" | "self" | "manager";

const icons: Record<OutlookEvent["kind"], ComponentType<{ size: number; stroke: number }>> = {
  email: IconMail,
  held: IconMailOff,
  due: IconCalendarDue,
  opens: IconRefresh,
  expires: IconCertificateOff,
  leaves: IconDoorExit,
};

type Props<Event = OutlookEvent> = { event: Event; reader: Reader };

/** One event of a day: what it is, and what it is about. */
export function EventLine(props: Props) {
  const Icon = icons[props.event.kind];
  return (
    <li className={classes.event} data-kind={props.event.kind}>
      <Icon size={20} stroke={1.7} aria-hidden />
      <div>
        <Words {...props} />
      </div>
    </li>
  );
}

function Words({ event, reader }: Props): ReactNode {
  const { t } = useTranslation();
  switch (event.kind) {
    case "email":
      return <Email event={event} reader={reader} />;
    case "held": {
      const reason = t(`reminders.dropped.${event.reason}`);
      return (
        <>
          <p>{t(event.audience === "manager" ? "outlook.event.heldManager" : "outlook.event.held", { reason })}</p>
          <Step step={event.step} />
        </>
      );
    }
    case "due":
    case "expires":
      return <p>{t(`outlook.event.${event.kind}`, { course: event.course })}</p>;
    case "opens":
      return (
        <>
          <p>{t("outlook.event.opens", { course: event.course })}</p>
          <small>{t("outlook.event.opensNote", { day: formatDate(event.validUntil) })}</small>
        </>
      );
    case "leaves": {
      const { course, rule, isWithdrawn } = event;
      if (rule === null)
        return <p>{t(`outlook.event.${reader === "self" ? "takenFromYou" : "leavesWithdrawn"}`, { course })}</p>;
      return (
        <>
          <p>{t("outlook.event.leaves", { rule })}</p>
          <small>{t(isWithdrawn ? "outlook.event.leavesWithdrawn" : "outlook.event.leavesKept", { course })}</small>
        </>
      );
    }
  }
}

function Email({ event, reader }: Props<Extract<OutlookEvent, { kind: "email" }>>) {
  const { t } = useTranslation();
  const { recipient: name, toManager, steps, total } = event;
  const own = toManager ? "outlook.event.emailYourManager" : "outlook.event.emailYou";
  const others = toManager ? "outlook.event.emailManager" : "outlook.event.email";
  return (
    <>
      <p>{t(reader === "self" ? own : others, { name })}</p>
      {steps.map((step) => (
        <Step key={`${step.courseId} ${step.kind} ${step.days}`} step={step} />
      ))}
      {total > steps.length && <small>{t("outlook.more", { count: total - steps.length })}</small>}
    </>
  );
}

function Step({ step }: { step: StepAhead }) {
  const { t } = useTranslation();
  const { course, kind, dueDate } = step;
  // Steps before the due date name it by their distance, others do not.
  if (kind === "not_started" && dueDate !== null)
    return <small>{t("outlook.stepDue", { course, step: stepText(step), day: formatDue(dueDate) })}</small>;
  return <small>{t("outlook.step", { course, step: stepText(step) })}</small>;
}
