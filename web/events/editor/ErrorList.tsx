import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = {
  errors: Record<string, ReactNode>;
  labels: Record<string, string>;
  failure: string | null;
  /** Shows and focuses a field; without it the field is focused where it is. */ onShow?: (path: string) => void;
};

const focusField = (path: string) =>
  (
    document.querySelector<HTMLElement>(`form [name="${CSS.escape(path)}"]`) ??
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')
  )?.focus();

/** A list of errors above the form, if there are several; each item focuses its field. */
export function ErrorList({ errors, labels, failure, onShow = focusField }: Props) {
  const { t } = useTranslation();
  const entries = Object.entries(errors).filter(([, message]) => Boolean(message));
  if (!failure && entries.length < 3) return null;
  return (
    <div className={classes.errors} role="alert">
      {failure ?? (
        <>
          <strong>{t("events.edit.errors", { count: entries.length })}</strong>
          <ul>
            {entries.map(([path, message]) => (
              <li key={path}>
                <button type="button" onClick={() => onShow(path)}>
                  {labels[path] ?? labels[path.split(".")[0] ?? ""] ?? path}: {message}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
