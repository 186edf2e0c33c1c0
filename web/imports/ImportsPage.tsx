import { Button, SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Time } from "#web/core/display/Time.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { useUploads } from "#web/core/upload/uploads.ts";
import { importDestination, importOf, importPath, IMPORT_SLOT } from "#web/imports/importUpload.ts";
import classes from "#web/imports/imports.module.css";
import { ImportState } from "#web/imports/ImportState.tsx";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { companies, type CompanyRow } from "#shared/companies/companies.ts";
import { type ImportAbout, importAbout } from "#shared/imports/importReasons.ts";
import { IMPORT_MAX_BYTES, imports } from "#shared/imports/imports.ts";

/** Starts an import of people for a company, and lists those of the last month. */
export function ImportsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const companyId = params.get("company");
  const { data: choices } = useQuery(queryFor(companies.choices));
  const { data: linked } = useQuery({
    ...queryFor(companies.get, { params: { id: companyId ?? "" } }),
    enabled: companyId !== null,
  });
  const [chosen, setChosen] = useState<CompanyRow | null>(null);
  const [about, setAbout] = useState<ImportAbout>("people");
  const company = chosen ?? (linked?.status === "active" ? linked : null);
  const [done] = useUploads({ slot: IMPORT_SLOT }).filter(({ phase }) => phase === "done");
  useEffect(() => {
    if (!done) return;
    dismissUpload(done.id);
    void navigate(importPath(importOf(done).id));
  }, [done, navigate]);
  const noCompany = choices !== undefined && !choices.items.some(({ status }) => status === "active");
  return (
    <>
      <PageHead
        title={t("imports.title")}
        line={t("imports.line")}
        parent={{ to: "/learners", label: t("imports.back") }}
      />
      {noCompany ? (
        <EmptyState
          title={t("imports.none")}
          text={t("imports.noCompany")}
          action={
            <Button component={Link} to="/companies">
              {t("imports.toCompanies")}
            </Button>
          }
        />
      ) : (
        <Stack gap="md" className={classes.start}>
          <CompanySelect
            key={company?.id ?? "none"}
            label={t("imports.company")}
            value={company}
            onChange={setChosen}
          />
          <div className={classes.about}>
            <span id="about">{t("imports.about")}</span>
            <SegmentedControl
              aria-labelledby="about"
              value={about}
              onChange={(value) => setAbout(value as ImportAbout)}
              data={importAbout.options.map((value) => ({ value, label: t(`imports.aboutIs.${value}`) }))}
            />
          </div>
          {company && (
            <FileDrop
              key={`${company.id} ${about}`}
              destination={importDestination(company.id, about)}
              label={t(`imports.file.${about}`)}
              hint={t(`imports.fileHint.${about}`)}
              accept={[".csv", ".txt", ".tsv", ".xlsx"]}
              maxBytes={IMPORT_MAX_BYTES}
              finishing={t("imports.finishing")}
            />
          )}
        </Stack>
      )}
      <Section title={t("imports.earlier")}>
        <DataTable
          list={imports.list}
          noun={t("imports.list.noun")}
          rowKey={(row) => row.id}
          name={(row) => row.fileName}
          to={(row) => importPath(row.id)}
          columns={[
            { key: "fileName", head: t("imports.list.file") },
            { key: "about", head: t("imports.list.about"), render: (row) => t(`imports.aboutIs.${row.about}`) },
            { key: "company", head: t("imports.company"), render: (row) => row.company },
            { key: "state", head: t("imports.list.state"), render: (row) => <ImportState file={row} /> },
            { key: "by", head: t("imports.list.by"), minor: true, render: (row) => row.createdBy ?? "–" },
            { key: "at", head: t("imports.list.at"), render: (row) => <Time at={row.createdAt} /> },
          ]}
          phone={(row) => ({
            line: `${t(`imports.aboutIs.${row.about}`)} · ${row.company}`,
            side: <ImportState file={row} />,
          })}
          empty={{ title: t("imports.none"), text: t("imports.noneText") }}
        />
      </Section>
    </>
  );
}
