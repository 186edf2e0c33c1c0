import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { enrolmentRules, type PreviewPart, type RuleDraft } from "#shared/enrolmentRules/enrolmentRules.ts";

const SIZE = 25;

/** The people behind a number of the preview. */
export function PeopleDialog({ draft, part, onClose }: { draft: RuleDraft; part: PreviewPart; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [page, setPage] = useState(1);
  const [q] = useDebouncedValue(typed.trim(), 300);
  const { data, error } = useQuery({
    ...pagedQueryFor(enrolmentRules.previewPeople, { body: { ...draft, part, q, page, size: SIZE } }),
    retry: false,
  });
  const total = data?.total ?? 0;
  return (
    <Dialog opened onClose={onClose} title={t(`enrolmentRules.people.${part}`)} size={560}>
      <TextInput
        aria-label={t("enrolmentRules.people.search")}
        placeholder={t("enrolmentRules.people.search")}
        value={typed}
        maxLength={200}
        data-autofocus
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
      />
      {error && <p role="alert">{messageOf(error)}</p>}
      {data && total === 0 && <p>{t("enrolmentRules.people.none")}</p>}
      <ul className={classes.people}>
        {data?.items.map((person) => (
          <li key={person.id}>
            <span>
              {nameOf(person)}
              <small>{[person.email ?? person.personnelNumber, person.company].filter(Boolean).join(" · ")}</small>
            </span>
            {part === "fresh" && person.dueDate && (
              <span className={classes.dim}>{t("enrolmentRules.people.due", { day: formatDue(person.dueDate) })}</span>
            )}
          </li>
        ))}
      </ul>
      {total > SIZE && (
        <div className={classes.pages}>
          <span className={classes.dim}>
            {t("enrolmentRules.people.page", {
              from: formatNumber((page - 1) * SIZE + 1),
              to: formatNumber(Math.min(page * SIZE, total)),
              total: formatNumber(total),
            })}
          </span>
          <span>
            <Button variant="default" size="compact-sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t("enrolmentRules.people.earlier")}
            </Button>{" "}
            <Button
              variant="default"
              size="compact-sm"
              disabled={page * SIZE >= total}
              onClick={() => setPage(page + 1)}
            >
              {t("enrolmentRules.people.later")}
            </Button>
          </span>
        </div>
      )}
    </Dialog>
  );
}
