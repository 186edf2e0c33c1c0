import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = { errors: Record<string, ReactNode>; labels: Record<string, string>; failure: string | null };

/** What is wrong, above the form when there is more than can be seen at once; each line leads to its field. */
export function ErrorList({ errors, labels, failure }: Props) {
  const { t } = useTranslation();
  const wrong = Object.entries(errors).filter(([, words]) => Boolean(words));
  if (!failure && wrong.length < 3) return null;
  const go = (path: string, index: number) => {
    const fields = document.querySelectorAll<HTMLElement>('form [aria-invalid="true"]');
    (document.querySelector<HTMLElement>(`form [name="${CSS.escape(path)}"]`) ?? fields[index] ?? fields[0])?.focus();
  };
  return (
    <div className={classes.faults} role="alert">
      {failure ?? (
        <>
          <strong>{t("events.edit.errors", { count: wrong.length })}</strong>
          <ul>
            {wrong.map(([path, words], at) => (
              <li key={path}>
                <button type="button" onClick={() => go(path, at)}>
                  {labels[path] ?? labels[path.split(".")[0] ?? ""] ?? path}: {words}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
