import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import classes from "#web/auth/AuthFrame.module.css";

/** Message above the fields. The live region exists from the start, so that screen readers announce changes. */
export function Notice({ bad, good }: { bad?: string | null | undefined; good?: string | null | undefined }) {
  const text = bad ?? good;
  return (
    <div role={bad ? "alert" : "status"} aria-live="polite">
      {text && (
        <p className={classes.notice} data-tone={bad ? "bad" : "ok"} style={{ marginTop: 0 }}>
          {bad ? (
            <IconAlertCircle size={18} stroke={1.7} aria-hidden />
          ) : (
            <IconCircleCheck size={18} stroke={1.7} aria-hidden />
          )}
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
