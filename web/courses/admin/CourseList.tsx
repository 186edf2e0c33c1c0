import { Button, Menu } from "@mantine/core";
import {
  IconArchive,
  IconCertificate,
  IconPencil,
  IconPlus,
  IconRoute,
  IconUpload,
  IconUserPlus,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { AssignDialog } from "#web/courses/admin/AssignDialog.tsx";
import { CourseStatus } from "#web/courses/admin/CourseStatus.tsx";
import { WriteCourseDialog } from "#web/courses/admin/WriteCourseDialog.tsx";
import { UploadDialog } from "#web/courses/import/UploadDialog.tsx";
import { UploadNotice } from "#web/courses/import/UploadNotice.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { useCourseStatus } from "#web/courses/admin/useCourseStatus.tsx";
import { usePreview } from "#web/courses/admin/usePreview.tsx";
import { Cover } from "#web/core/brand/Cover.tsx";
import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { courseKind } from "#shared/courses/completionRules.ts";
import { type Course, courses, courseStatus } from "#shared/courses/courses.ts";
import { shareOf } from "#shared/core/percent.ts";

/** All courses, for admins. */
export function CourseList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const companies = useCompanies();
  const status = useCourseStatus();
  const preview = usePreview();
  const [uploading, setUploading] = useState(false);
  const [assigning, setAssigning] = useState<{ list: Course[]; done: () => void } | null>(null);
  const [writing, setWriting] = useState(false);
  const add = (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={18} stroke={1.7} />}>{t("courses.add")}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={18} stroke={1.7} />} onClick={() => setWriting(true)}>
          {t("courses.write")}
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={18} stroke={1.7} />} onClick={() => setUploading(true)}>
          {t("courses.upload.action")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );

  return (
    <>
      <PageHead
        title={t("courses.title")}
        line={t("courses.lead")}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to="/courses/paths"
              leftSection={<IconRoute size={18} stroke={1.7} />}
            >
              {t("paths.title")}
            </Button>
            <Button
              variant="default"
              component={Link}
              to="/certificates"
              leftSection={<IconCertificate size={18} stroke={1.7} />}
            >
              {t("certificates.open")}
            </Button>
            {add}
          </>
        }
      />
      <UploadNotice />
      <DataTable
        hasViews
        list={courses.list}
        sort="title"
        search={t("courses.search")}
        noun={t("courses.noun")}
        filters={[
          {
            key: "status",
            label: t("courses.status"),
            options: courseStatus.options.map((value) => ({ value, label: t(`courses.statuses.${value}`) })),
          },
          {
            key: "kind",
            label: t("courses.kind"),
            options: courseKind.options.map((value) => ({ value, label: t(`courses.kinds.${value}`) })),
          },
          {
            key: "companyId",
            label: t("courses.company"),
            options: companies.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.title}
        to={(row) => `/courses/${row.id}`}
        mark={(row) => <Cover code={row.code} tile />}
        columns={[
          { key: "title", head: t("courses.course"), sort: true },
          {
            key: "kind",
            head: t("courses.kind"),
            minor: true,
            render: (row) => <span style={dimmed}>{t(`courses.kinds.${row.kind}`)}</span>,
          },
          { key: "status", head: t("courses.status"), render: (row) => <CourseStatus course={row} /> },
          {
            key: "companies",
            head: t("courses.companies"),
            align: "right",
            minor: true,
            render: (row) => <Num value={row.companies} />,
          },
          {
            key: "learners",
            head: t("courses.assigned"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Num value={row.learners} />,
          },
          {
            key: "completed",
            head: t("courses.completed"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Meter percent={shareOf(row.completed, row.learners)} />,
          },
          {
            key: "length",
            head: t("courses.length"),
            align: "right",
            minor: true,
            render: (row) => <span style={dimmed}>{row.minutes ? formatDuration(row.minutes * 60) : "–"}</span>,
          },
        ]}
        phone={(row) => ({
          line: t("courses.kindAndLearners", { kind: t(`courses.kinds.${row.kind}`), count: row.learners }),
          side: formatPercent(shareOf(row.completed, row.learners)),
          ...(row.status !== "published" && { extra: <CourseStatus course={row} /> }),
        })}
        menu={(row) => (
          <>
            <Menu.Item onClick={() => void navigate(`/courses/${row.id}`)}>{t("courses.open")}</Menu.Item>
            <Menu.Item onClick={() => void navigate(`/reports/course/${row.id}`)}>{t("courses.report")}</Menu.Item>
            <Menu.Item onClick={() => void preview.open(row)}>{t("courses.preview.action")}</Menu.Item>
            {row.status !== "archived" && (
              <Menu.Item onClick={() => setAssigning({ list: [row], done: () => {} })}>
                {t("courses.assign.action")}
              </Menu.Item>
            )}
            {status.items(row)}
          </>
        )}
        actions={({ rows }, clear) => (
          <>
            <Button
              variant="default"
              leftSection={<IconUserPlus size={18} stroke={1.7} />}
              onClick={() => setAssigning({ list: rows, done: clear })}
            >
              {t("courses.assign.action")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconArchive size={18} stroke={1.7} />}
              onClick={() => status.archive(rows, clear)}
            >
              {t("courses.archive.action")}
            </Button>
          </>
        )}
        onExport={async (query) =>
          saveCsv("courses", await fetchAllRows(courses.list, query), [
            [t("courses.export.title"), (row) => row.title],
            [t("courses.export.code"), (row) => row.code],
            [t("courses.export.kind"), (row) => t(`courses.kinds.${row.kind}`)],
            [t("courses.export.status"), (row) => t(`courses.statuses.${row.status}`)],
            [t("courses.export.companies"), (row) => row.companies],
            [t("courses.export.learners"), (row) => row.learners],
            [t("courses.export.completed"), (row) => row.completed],
            [t("courses.export.inProgress"), (row) => row.inProgress],
            [t("courses.export.minutes"), (row) => row.minutes],
          ])
        }
        empty={{
          title: t("courses.none"),
          text: t("courses.noneText"),
          hint: t("courses.upload.hint"),
          action: (
            <Button
              variant="default"
              leftSection={<IconUpload size={18} stroke={1.7} />}
              onClick={() => setUploading(true)}
            >
              {t("courses.upload.action")}
            </Button>
          ),
        }}
      />
      <UploadDialog opened={uploading} onClose={() => setUploading(false)} />
      <WriteCourseDialog opened={writing} onClose={() => setWriting(false)} />
      <AssignDialog
        opened={assigning !== null}
        courses={assigning?.list ?? []}
        onClose={() => setAssigning(null)}
        onDone={() => assigning?.done()}
      />
      {preview.dialog}
    </>
  );
}

const dimmed = { color: "var(--mantine-color-dimmed)" };
