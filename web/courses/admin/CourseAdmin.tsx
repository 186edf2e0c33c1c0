import { ActionIcon, Button, Menu, Tabs } from "@mantine/core";
import { IconDots, IconPencil, IconPlayerPlay, IconReportAnalytics } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { DesignTab } from "#web/certificates/design/DesignTab.tsx";
import { AssignDialog } from "#web/courses/admin/AssignDialog.tsx";
import classes from "#web/courses/admin/CourseAdmin.module.css";
import { CourseStatus } from "#web/courses/admin/CourseStatus.tsx";
import { LearnersTab } from "#web/courses/admin/LearnersTab.tsx";
import { OverviewTab } from "#web/courses/admin/OverviewTab.tsx";
import { SettingsTab } from "#web/courses/admin/SettingsTab.tsx";
import { UploadDialog } from "#web/courses/import/UploadDialog.tsx";
import { UploadNotice } from "#web/courses/import/UploadNotice.tsx";
import { useCourseStatus } from "#web/courses/admin/useCourseStatus.tsx";
import { usePreview } from "#web/courses/admin/usePreview.tsx";
import { VersionsTab } from "#web/courses/admin/VersionsTab.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatBytes, formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import tabClasses from "#web/core/layout/tabs.module.css";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { DuplicateDialog } from "#web/lessons/author/transfer/DuplicateDialog.tsx";
import { AuthorCodeTab } from "#web/variables/authoring/AuthorCodeTab.tsx";
import { type CourseDetail, courses } from "#shared/courses/courses.ts";
import { isWrittenHere } from "#shared/courses/completionRules.ts";

const tabs = ["overview", "learners", "versions", "settings", "certificate", "code"] as const;
type Tab = (typeof tabs)[number];

/** The administration of a course: header with key facts and actions, and its tabs. */
export function CourseAdmin({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: course } = useSuspenseQuery(queryFor(courses.get, { params: { id } }));
  const [params, setParams] = useSearchParams();
  const [assigning, setAssigning] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [copying, setCopying] = useState(false);
  const preview = usePreview();
  const tab = tabs.find((candidate) => candidate === params.get("tab")) ?? "overview";
  const tabList = useTabInView(tab);
  const assign = () => setAssigning(true);
  const upload = () => setUploading(true);
  const isWritten = isWrittenHere(course.kind);
  const counts: Partial<Record<Tab, number>> = { learners: course.learners, versions: course.versions.length };

  return (
    <>
      <PageHead
        title={course.title}
        parent={{ to: "/courses", label: t("courses.title") }}
        line={<Facts course={course} />}
        mark={
          <div className={classes.cover}>
            <Cover code={course.code} />
          </div>
        }
        actions={
          <HeaderActions
            course={course}
            onAssign={assign}
            onUpload={upload}
            onPreview={() => void preview.open(course)}
            onCopy={() => setCopying(true)}
          />
        }
      />
      <UploadNotice courseId={id} />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "overview" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} mb={22} className={tabClasses.tabs}>
          {tabs.map((name) =>
            isWritten && name === "code" ? null : (
              <Tabs.Tab key={name} value={name}>
                {t(`courses.tabs.${name}`)}
                {counts[name] !== undefined && <span className={classes.count}>{formatNumber(counts[name])}</span>}
              </Tabs.Tab>
            ),
          )}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab course={course} onAssign={assign} />
        </Tabs.Panel>
        <Tabs.Panel value="learners">
          <LearnersTab course={course} onAssign={assign} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsTab course={course} onUpload={upload} />
        </Tabs.Panel>
        <Tabs.Panel value="certificate">
          <DesignTab subject={{ kind: "course", id, title: course.title }} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          {!isWritten && <AuthorCodeTab courseId={id} isWebPage={course.kind === "html"} />}
        </Tabs.Panel>
        <Tabs.Panel value="settings" keepMounted>
          <SettingsTab course={course} />
        </Tabs.Panel>
      </Tabs>
      <AssignDialog opened={assigning} courses={[course]} onClose={() => setAssigning(false)} />
      <UploadDialog opened={uploading} course={course} onClose={() => setUploading(false)} />
      {isWritten && <DuplicateDialog course={course} opened={copying} onClose={() => setCopying(false)} />}
      {preview.dialog}
    </>
  );
}

function Facts({ course }: { course: CourseDetail }) {
  const { t } = useTranslation();
  const live = course.versions.find((version) => version.live);
  const facts = [
    t(`courses.kinds.${course.kind}`),
    t("courses.parts", { count: course.parts }),
    ...(live ? [t("courses.version", { number: live.number })] : []),
    ...(live && !isWrittenHere(course.kind) ? [formatBytes(live.bytes)] : []),
  ];
  return (
    <span className={classes.facts}>
      <CourseStatus course={course} plain />
      <span>{facts.join(", ")}</span>
    </span>
  );
}

type ActionProps = {
  course: CourseDetail;
  onAssign: () => void;
  onUpload: () => void;
  onPreview: () => void;
  onCopy: () => void;
};

function HeaderActions({ course, onAssign, onUpload, onPreview, onCopy }: ActionProps) {
  const { t } = useTranslation();
  const { publish, archive, restore, busy } = useCourseStatus();
  const isWritten = isWrittenHere(course.kind);
  const isEmpty = course.versions.length === 0;
  return (
    <>
      <Button
        variant="default"
        component={Link}
        to={`/reports/course/${course.id}`}
        leftSection={<IconReportAnalytics size={18} stroke={1.7} />}
      >
        {t("courses.report")}
      </Button>
      {!isEmpty && (
        <Button variant="default" leftSection={<IconPlayerPlay size={18} stroke={1.7} />} onClick={onPreview}>
          {t("courses.preview.action")}
        </Button>
      )}
      {isWritten && (
        <Button
          variant={isEmpty ? "filled" : "default"}
          component={Link}
          to={`/courses/${course.id}/edit`}
          leftSection={<IconPencil size={18} stroke={1.7} />}
        >
          {t("courses.edit")}
        </Button>
      )}
      {course.status === "draft" && !isEmpty && (
        <Button loading={busy} onClick={() => publish(course)}>
          {t("courses.publish.action")}
        </Button>
      )}
      {course.status === "published" && <Button onClick={onAssign}>{t("courses.assign.action")}</Button>}
      {course.status === "archived" && (
        <Button loading={busy} onClick={() => void restore(course)}>
          {t("courses.restore.action")}
        </Button>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            aria-label={t("courses.moreActions", { title: course.title })}
            title={t("courses.moreActions", { title: course.title })}
          >
            <IconDots size={18} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {course.status === "draft" && <Menu.Item onClick={onAssign}>{t("courses.assign.action")}</Menu.Item>}
          {!isWritten && <Menu.Item onClick={onUpload}>{t("courses.upload.newVersion")}</Menu.Item>}
          {isWritten && <Menu.Item onClick={onCopy}>{t("lessonDrafts.copy.action")}</Menu.Item>}
          {course.status !== "archived" && (
            <Menu.Item onClick={() => archive([course])}>{t("courses.archive.action")}</Menu.Item>
          )}
          <Menu.Item component={Link} to={`/admin/learner-data?courseId=${course.id}`}>
            {t("courses.rawData")}
          </Menu.Item>
          <Menu.Item component={Link} to={`/admin/delete-course-variables?courseId=${course.id}`}>
            {t("courses.deleteValues")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
