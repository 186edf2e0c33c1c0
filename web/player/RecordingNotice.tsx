import { useTranslation } from "react-i18next";
import classes from "#web/player/RecordingNotice.module.css";
import { OPEN_COOKIE_BANNER_EVENT } from "#shared/consent/consent.ts";

/** Says that the page is being recorded, with a link to the choice. */
export function RecordingNotice({ company }: { company: string }) {
  const { t } = useTranslation();
  return (
    <p className={classes.notice} role="status">
      <span className={classes.dot} aria-hidden />
      {t("player.recording.text", { company })}{" "}
      <button type="button" onClick={() => dispatchEvent(new Event(OPEN_COOKIE_BANNER_EVENT))}>
        {t("player.recording.change")}
      </button>
    </p>
  );
}
