import { Button, Menu } from "@mantine/core";
import { IconBook2, IconChevronDown, IconPencil, IconUpload, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor, queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { AddCourseDialog, AddPageDialog, EnterTextDialog } from "#web/documents/AddDialogs.tsx";
import { DocumentMenu } from "#web/documents/DocumentMenu.tsx";
import { DocumentTrouble } from "#web/documents/DocumentTrouble.tsx";
import classes from "#web/documents/documents.module.css";
import { KindIcon } from "#web/documents/KindIcon.tsx";
import { languageName } from "#web/documents/languageName.ts";
import { UploadDocuments } from "#web/documents/UploadDocuments.tsx";
import { useDocumentActions, useProgress } from "#web/documents/useDocumentActions.ts";
import { VersionStateText } from "#web/documents/VersionStateText.tsx";
import { companies } from "#shared/companies/companies.ts";
import { type DocumentRow, documents } from "#shared/documents/documents.ts";

type Dialog = { kind: "upload" | "page" | "course" | "text"; document?: DocumentRow };
const icon = { size: 18, stroke: 1.7 };

/** The documents that chatbots may quote: ready, in progress, or failed with the reason. */
export function DocumentsPage() {
  const { t } = useTranslation();
  const actions = useDocumentActions();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { data: folders } = useQuery(queryFor(documents.folders));
  const { data: allCompanies } = useQuery(queryFor(companies.choices));
  const { data: counts } = useQuery(pagedQueryFor(documents.list, { query: { size: 1 } }));
  useProgress((counts?.working ?? 0) > 0);
  const close = () => setDialog(null);
  const uploadButton = (
    <Button leftSection={<IconUpload {...icon} />} onClick={() => setDialog({ kind: "upload" })}>
      {t("documents.upload")}
    </Button>
  );
  const noteOf = ({ folder, latest }: DocumentRow) =>
    [folder, latest.number > 1 && t("documents.versionNote", { number: latest.number })].filter(Boolean).join(", ");
  const companiesOf = ({ companies: some }: DocumentRow) => {
    const [first, ...others] = some;
    if (!first) return t("documents.all");
    return others.length === 0 ? first.name : `${first.name} ${t("documents.more", { count: others.length })}`;
  };
  const reviewOf = ({ reviewBy }: DocumentRow) => {
    if (!reviewBy) return <Num value={null} />;
    const isOver = reviewBy < new Date().toISOString().slice(0, 10);
    return isOver ? (
      <Pill tone="warn">{t("documents.since", { day: formatDate(reviewBy) })}</Pill>
    ) : (
      formatDate(reviewBy)
    );
  };
  const trouble = (document: DocumentRow) =>
    ["failed", "held"].includes(document.latest.state) ? (
      <DocumentTrouble
        document={document}
        onReplace={() => setDialog({ kind: "upload", document })}
        onEnterText={() => setDialog({ kind: "text", document })}
      />
    ) : null;
  const shown = (row: DocumentRow) => row.live ?? row.latest;
  return (
    <>
      <PageHead
        title={t("documents.title")}
        line={t("documents.line")}
        actions={
          <>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" rightSection={<IconChevronDown size={16} />}>
                  {t("documents.addOther")}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconWorld {...icon} />} onClick={() => setDialog({ kind: "page" })}>
                  {t("documents.addPage")}
                </Menu.Item>
                <Menu.Item leftSection={<IconBook2 {...icon} />} onClick={() => setDialog({ kind: "course" })}>
                  {t("documents.addCourse")}
                </Menu.Item>
                <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setDialog({ kind: "text" })}>
                  {t("documents.enterText")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            {uploadButton}
          </>
        }
      />
      <DataTable
        list={documents.list}
        sort="title"
        search={t("documents.search")}
        noun={t("documents.noun")}
        tools={
          counts && counts.working + counts.failed > 0 ? (
            <span className={classes.counts} role="status">
              {[
                counts.working > 0 && t("documents.working", { count: counts.working }),
                counts.failed > 0 && t("documents.failed", { count: counts.failed }),
              ]
                .filter(Boolean)
                .join(", ")}
            </span>
          ) : undefined
        }
        filters={[
          {
            key: "folder",
            label: t("documents.folder"),
            options: (folders?.items ?? []).map(({ folder }) => ({ value: folder, label: folder })),
          },
          {
            key: "state",
            label: t("documents.processing"),
            options: (["ready", "working", "held", "failed"] as const).map((value) => ({
              value,
              label: t(`documents.filters.${value}`),
            })),
          },
          {
            key: "companyId",
            label: t("documents.company"),
            options: (allCompanies?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "status",
            label: t("documents.status"),
            options: (["active", "archived"] as const).map((value) => ({ value, label: t(`documents.is.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.title}
        to={(row) => `/admin/documents/${row.id}`}
        mark={(row) => <KindIcon kind={row.latest.kind} />}
        note={noteOf}
        trouble={trouble}
        columns={[
          { key: "title", head: t("documents.document"), sort: true },
          { key: "state", head: t("documents.state"), render: (row) => <VersionStateText version={row.latest} /> },
          {
            key: "pages",
            head: t("documents.pages"),
            align: "right",
            minor: true,
            render: (row) => <Num value={shown(row).pages || null} />,
          },
          {
            key: "passages",
            head: t("documents.passages"),
            align: "right",
            render: (row) =>
              row.latest.state === "indexing" ? (
                t("documents.of", { done: row.latest.done, total: row.latest.total })
              ) : (
                <Num value={shown(row).passages} />
              ),
          },
          {
            key: "language",
            head: t("documents.language"),
            minor: true,
            render: (row) => languageName(row.language ?? shown(row).language) || <Num value={null} />,
          },
          { key: "companies", head: t("documents.companies"), minor: true, render: companiesOf },
          { key: "reviewBy", head: t("documents.reviewBy"), sort: true, minor: true, render: reviewOf },
        ]}
        phone={(row) => ({
          line: noteOf(row),
          side: <VersionStateText version={row.latest} />,
        })}
        menu={(row) => <DocumentMenu document={row} actions={actions} />}
        empty={{ title: t("documents.none"), text: t("documents.noneText"), action: uploadButton }}
      />
      {dialog?.kind === "upload" && (
        <UploadDocuments onClose={close} {...(dialog.document && { document: dialog.document })} />
      )}
      {dialog?.kind === "page" && <AddPageDialog onClose={close} />}
      {dialog?.kind === "course" && <AddCourseDialog onClose={close} />}
      {dialog?.kind === "text" && (
        <EnterTextDialog onClose={close} {...(dialog.document && { document: dialog.document })} />
      )}
    </>
  );
}
