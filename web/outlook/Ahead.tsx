import { Anchor, SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DayMark } from "#web/core/display/DayMark.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { EventLine, type Reader } from "#web/outlook/EventLine.tsx";
import classes from "#web/outlook/outlook.module.css";
import { MAX_EVENTS, MAX_OUTLOOK_DAYS, OUTLOOK_DAYS, type Outlook } from "#shared/outlook/outlook.ts";

const PERIODS = [OUTLOOK_DAYS, 60, MAX_OUTLOOK_DAYS];

type Props = { outlook: Outlook; days: number; onDays: (days: number) => void; reader: Reader };

/** What will reach a person, day by day. */
export function Ahead({ outlook, days, onDays, reader }: Props) {
  const { t } = useTranslation();
  const { items, until, zone, isCut } = outlook;
  const byDay = Object.entries(Object.groupBy(items, ({ day }) => day));
  return (
    <>
      <div className={classes.tools}>
        <p>{reader === "self" ? t("outlook.ownHint") : t("outlook.hint", { zone })}</p>
        <SegmentedControl
          size="sm"
          aria-label={t("outlook.period")}
          value={String(days)}
          onChange={(value) => onDays(Number(value))}
          data={PERIODS.map((period) => ({ value: String(period), label: t("outlook.days", { count: period }) }))}
        />
      </div>
      <Reminders outlook={outlook} reader={reader} />
      {items.length === 0 ? (
        <p className={classes.none}>
          <strong>{t("outlook.none", { day: formatDate(until) })}</strong>
          <span>{t("outlook.noneText")}</span>
        </p>
      ) : (
        <ol className={classes.days}>
          {byDay.map(([day, events = []]) => (
            <li key={day}>
              <DayMark day={day} />
              <ul>
                {events.map((event, at) => (
                  <EventLine key={`${event.kind} ${at}`} event={event} reader={reader} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
      {isCut && <p className={classes.dim}>{t("outlook.cut", { count: MAX_EVENTS, n: formatNumber(MAX_EVENTS) })}</p>}
    </>
  );
}

/** Whether and when reminders leave, for those who are not the person. */
function Reminders({ outlook, reader }: { outlook: Outlook; reader: Reader }) {
  const { t } = useTranslation();
  const { reminders, name, company, companyId, hour, hasMailServer } = outlook;
  if (reader === "self") return null;
  const text = t(`outlook.reminders.${reminders}`, { name, company, hour: `${String(hour).padStart(2, "0")}:00` });
  return (
    <p className={classes.dim}>
      {text}{" "}
      {reader === "admin" && (
        <Anchor component={Link} inherit underline="always" to={`/companies/${companyId}/reminders`}>
          {t("outlook.plan")}
        </Anchor>
      )}{" "}
      {reader === "admin" && !hasMailServer && t("outlook.noMailServer")}
    </p>
  );
}
