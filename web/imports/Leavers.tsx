import { Button, Checkbox, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { formatAgoInText } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import classes from "#web/imports/imports.module.css";
import { FIRST_PAGE, PagedPeople } from "#web/imports/PagedPeople.tsx";
import { type ImportDetail, imports } from "#shared/imports/imports.ts";

export type LeaverChoice = { answer: "keep" | "suspend" | null; keepIds: string[] };
type Props = { file: ImportDetail; choice: LeaverChoice; onChange: (choice: LeaverChoice) => void };

/** People who are missing in the file: asked about, and never suspended without an answer. */
export function Leavers({ file, choice, onChange }: Props) {
  const { t } = useTranslation();
  const [paging, setPaging] = useState(FIRST_PAGE);
  const { data } = useQuery(pagedQueryFor(imports.leavers, { params: { id: file.id }, query: paging }));
  const { answer, keepIds } = choice;
  const keep = (id: string, isKept: boolean) =>
    onChange({ ...choice, keepIds: isKept ? [...keepIds, id] : keepIds.filter((one) => one !== id) });
  return (
    <div id="leavers">
      <Section title={t("imports.leaversTitle", { count: file.leavers })}>
        <p className={classes.text}>{t("imports.leaversText", { company: file.company })}</p>
        <Radio.Group
          value={answer}
          onChange={(value) => onChange({ ...choice, answer: value as "keep" | "suspend" })}
          aria-label={t("imports.leaversTitle", { count: file.leavers })}
        >
          <Stack gap={8} mb={14}>
            <Radio value="keep" label={t("imports.leaversKeep")} />
            <Radio value="suspend" label={t("imports.leaversSuspend")} />
          </Stack>
        </Radio.Group>
        <PagedPeople data={data} paging={paging} onPage={setPaging}>
          {({ id, name, email, externalId, lastActive }) => (
            <>
              {answer === "suspend" && (
                <Checkbox
                  checked={!keepIds.includes(id)}
                  onChange={(event) => keep(id, !event.currentTarget.checked)}
                  aria-label={name || (email ?? "")}
                />
              )}
              <strong>{name || email}</strong>
              <span>{email}</span>
              <span>{externalId}</span>
              <span>
                {lastActive ? t("imports.lastActive", { when: formatAgoInText(lastActive) }) : t("imports.neverActive")}
              </span>
            </>
          )}
        </PagedPeople>
        {answer === "suspend" && keepIds.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange({ ...choice, keepIds: [] })}>
            {t("imports.suspendAll")}
          </Button>
        )}
      </Section>
    </div>
  );
}
