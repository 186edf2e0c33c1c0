import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = { errors: Record<string, ReactNode>; labels: Record<string, string>; failure: string | null };

/** A list of errors above the form, if there are several; each item focuses its field. */
export function ErrorList({ errors, labels, failure }: Props) {
  const { t } = useTranslation();
  const entries = Object.entries(errors).filter(([, message]) => Boolean(message));
  if (!failure && entries.length < 3) return null;
  const focusField = (path: string, index: number) => {
    const fields = document.querySelectorAll<HTMLElement>('form [aria-invalid="true"]');
    (document.querySelector<HTMLElement>(`form [name="${CSS.escape(path)}"]`) ?? fields[index] ?? fields[0])?.focus();
  };
  return (
    <div className={classes.errors} role="alert">
      {failure ?? (
        <>
          <strong>{t("events.edit.errors", { count: entries.length })}</strong>
          <ul>
            {entries.map(([path, message], index) => (
              <li key={path}>
                <button type="button" onClick={() => focusField(path, index)}>
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
