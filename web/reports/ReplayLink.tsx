import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatElapsed } from "#web/core/format/format.ts";

/** A link to the replay of a session, from `t` milliseconds on. `name`: the person or course of the row. */
export function ReplayLink({ to, t: elapsed, name }: { to: string; t: number | null; name: string | null }) {
  const { t } = useTranslation();
  const from = elapsed === null ? t("replay.link") : t("replay.linkAt", { time: formatElapsed(elapsed) });
  return (
    <Link to={to} title={from} aria-label={[from, name].filter(Boolean).join(": ")} style={{ color: "var(--ly-link)" }}>
      {t("replay.link")}
    </Link>
  );
}
