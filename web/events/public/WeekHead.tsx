import { i18n } from "#web/core/i18n.ts";

/** The weekday names of a month, starting with the first of `days`. */
export const WeekHead = ({ days }: { days: string[] }) => (
  <thead>
    <tr>
      {days.slice(0, 7).map((day) => (
        <th key={day} scope="col">
          <abbr title={weekday(day, "long")}>{weekday(day, "short")}</abbr>
        </th>
      ))}
    </tr>
  </thead>
);
const weekday = (day: string, length: "long" | "short") =>
  new Intl.DateTimeFormat(i18n.language, { weekday: length, timeZone: "UTC" }).format(new Date(`${day}T12:00Z`));
