import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CertificateState } from "#web/certificates/CertificateState.tsx";
import classes from "#web/certificates/certificates.module.css";
import { savePdf, saveProof } from "#web/certificates/downloads.ts";
import { IssuedDetails } from "#web/certificates/IssuedDetails.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { type Certificate, certificates, certificateState } from "#shared/certificates/certificates.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { paths } from "#shared/paths/paths.ts";

/** The most courses and paths that the filters offer. */
const MAX_COURSES = 200;
const MAX_PATHS = 200;

/** All issued certificates, for admins. */
export function IssuedCertificates() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<string | null>(null);
  const { data: ofCompanies } = useQuery({ ...queryFor(companies.choices), staleTime: 60_000 });
  const { data: ofCourses } = useQuery({
    ...queryFor(courses.list, { query: { size: MAX_COURSES, sort: "title" } }),
    staleTime: 60_000,
  });
  const { data: ofPaths } = useQuery({
    ...queryFor(paths.list, { query: { size: MAX_PATHS, sort: "title" } }),
    staleTime: 60_000,
  });
  return (
    <>
      <PageHead
        title={t("certificates.title")}
        line={t("certificates.line", { address: `${window.location.host}/verify` })}
        parent={{ to: "/courses", label: t("certificates.backToCourses") }}
      />
      <DataTable<Certificate>
        list={certificates.list}
        search={t("certificates.search")}
        noun={t("certificates.noun")}
        filters={[
          {
            key: "state",
            label: t("certificates.state"),
            options: certificateState.options.map((value) => ({ value, label: t(`certificates.is.${value}`) })),
          },
          {
            key: "companyId",
            label: t("certificates.company"),
            options: (ofCompanies?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "courseId",
            label: t("certificates.course"),
            options: (ofCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "pathId",
            label: t("certificates.learningPath"),
            options: (ofPaths?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "takenBack",
            label: t("certificates.takenBackFilter"),
            options: [{ value: "true", label: t("certificates.takenBackYes") }],
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.number}
        onOpen={(row) => setOpened(row.id)}
        columns={[
          { key: "number", head: t("certificates.number"), width: 150 },
          {
            key: "name",
            head: t("certificates.holder"),
            render: (row) => <bdi>{row.name ?? t("certificates.nameRemoved")}</bdi>,
          },
          {
            key: "course",
            head: t("certificates.courseOrPath"),
            render: (row) => (
              <>
                {row.course}
                {row.kind === "path" && <span className={classes.under}>{t("certificates.learningPath")}</span>}
              </>
            ),
          },
          { key: "company", head: t("certificates.company"), render: (row) => row.company, minor: true },
          { key: "completedOn", head: t("certificates.completed"), render: (row) => formatDate(row.completedOn) },
          {
            key: "validUntil",
            head: t("certificates.validUntil"),
            minor: "narrow",
            render: (row) => (row.validUntil ? formatDate(row.validUntil) : t("certificates.noEnd")),
          },
          {
            key: "state",
            head: t("certificates.state"),
            render: (row) => (
              <>
                <CertificateState state={row.state} />
                {row.takenBackAt && <span className={classes.under}>{t("certificates.takenBack")}</span>}
              </>
            ),
          },
        ]}
        phone={(row) => ({
          line: `${row.name ?? t("certificates.nameRemoved")}, ${row.course}`,
          side: <CertificateState state={row.state} />,
          sideLine: row.takenBackAt ? t("certificates.takenBack") : formatDate(row.completedOn),
        })}
        menu={(row) => (
          <>
            <Menu.Item disabled={row.name === null} onClick={() => void savePdf(row)}>
              {t("certificates.pdf")}
            </Menu.Item>
            <Menu.Item disabled={!row.sealed} onClick={() => void saveProof(row)}>
              {t("certificates.proof")}
            </Menu.Item>
            <Menu.Item component="a" href={`/verify/${row.number}`} target="_blank">
              {t("certificates.page")}
            </Menu.Item>
          </>
        )}
        empty={{ title: t("certificates.none"), text: t("certificates.noneText") }}
      />
      {opened && <IssuedDetails key={opened} id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
