import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/WhyButton.module.css";

type Props = {
  isComplete: boolean;
  /** The id of the element that names the course. */
  describedBy: string;
  onClick: () => void;
};

/** Opens the drawer that says why a course is complete or not. */
export function WhyButton({ isComplete, describedBy, onClick }: Props) {
  const { t } = useTranslation();
  return (
    <button type="button" className={classes.why} aria-describedby={describedBy} onClick={onClick}>
      {t(isComplete ? "completions.whyComplete" : "completions.why")}
    </button>
  );
}
