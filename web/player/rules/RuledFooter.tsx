import { useTranslation } from "react-i18next";
import classes from "#web/player/rules/Rules.module.css";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";
import type { SequencingView } from "#shared/sequencing/view.ts";

type Props = {
  view: SequencingView;
  isBusy: boolean;
  /** What the learner has asked for last is not allowed now. */
  isRefused: boolean;
  onNavigate: (request: NavigationRequest) => void;
};

/** Back and forth in a package with sequencing rules, where they allow it and do not hide the buttons. */
export function RuledFooter({ view, isBusy, isRefused, onNavigate }: Props) {
  const { t } = useTranslation();
  const { hidden, isFlowing, canPrevious } = view;
  const [hasPrevious, hasContinue] = [!hidden.includes("previous"), !hidden.includes("continue")];
  const hasButtons = isFlowing && ((hasPrevious && canPrevious) || hasContinue);
  const notice = (
    <p className={classes.notice} role="status">
      {isRefused && t("player.rules.refused")}
    </p>
  );
  if (!hasButtons) return notice;
  return (
    <>
      {notice}
      <div className={classes.footer} role="group" aria-label={t("player.rules.navigation")}>
        {hasPrevious && (
          <button
            type="button"
            className={`${classes.step} ${classes.previous}`}
            disabled={!canPrevious || isBusy}
            onClick={() => onNavigate("previous")}
          >
            {t("player.rules.previous")}
          </button>
        )}
        <span className={classes.grow} />
        {hasContinue && (
          <button
            type="button"
            className={`${classes.step} ${classes.next}`}
            disabled={isBusy}
            onClick={() => onNavigate("continue")}
          >
            {t("player.rules.continue")}
          </button>
        )}
      </div>
    </>
  );
}
