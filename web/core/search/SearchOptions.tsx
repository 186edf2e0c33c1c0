import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/core/search/SearchDialog.module.css";
import type { SearchGroup } from "#web/core/search/searchGroups.tsx";

type Props = {
  ref: Ref<HTMLDivElement>;
  id: string;
  idOf: (index: number) => string;
  groups: SearchGroup[];
  /** Index of the option that Enter opens, counted through all groups. */
  current: number;
  onActive: (index: number) => void;
  onOpen: () => void;
};

/** The list of the search. Options are links, so that a new tab and "copy link" work; the focus stays in the field. */
export function SearchOptions({ ref, id, idOf, groups, current, onActive, onOpen }: Props) {
  const { t } = useTranslation();
  const firstOf = groups.map((_, at) => groups.slice(0, at).reduce((sum, { options }) => sum + options.length, 0));
  return (
    <div ref={ref} id={id} role="listbox" aria-label={t("search.results")} className={classes.list}>
      {groups.map(({ kind, options }, group) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <p id={`${id}-${kind}`} className={classes.kind}>
            {t(`search.kinds.${kind}`)}
          </p>
          {options.map(({ key, title, detail, status, mark, to }, at) => {
            const index = (firstOf[group] ?? 0) + at;
            return (
              <Link
                key={key}
                id={idOf(index)}
                to={to}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                className={classes.option}
                onPointerMove={() => onActive(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={(event) => {
                  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen();
                }}
              >
                <span className={classes.mark} aria-hidden>
                  {mark}
                </span>
                <span className={classes.words}>
                  <span className={classes.title}>{title}</span>
                  {detail && <span className={classes.detail}>{detail}</span>}
                </span>
                {status && <Pill>{status}</Pill>}
              </Link>
            );
          })}
        </div>
      ))}
    </div>
  );
}
