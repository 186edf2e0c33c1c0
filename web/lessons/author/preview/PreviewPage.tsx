import { Button, SegmentedControl } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { call } from "#web/core/api/api.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useWorkBench } from "#web/core/layout/workBench.ts";
import classes from "#web/lessons/author/preview/preview.module.css";
import { PreviewedLesson } from "#web/lessons/author/preview/PreviewedLesson.tsx";
import { drafts } from "#shared/lessons/drafts.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import { listMedia } from "#shared/lessons/walk.ts";

const widths = ["desktop", "phone"] as const;
/** Files that one request asks for. */
const MAX_FILES = 1000;

/** `/courses/:id/preview`: the lessons of a draft as learners would see them. Nothing is stored. */
export function PreviewPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [width, setWidth] = useState<(typeof widths)[number]>("desktop");
  useWorkBench();
  const { data } = useSuspenseQuery({
    queryKey: ["lessonPreview", id],
    queryFn: async ({ signal }) => {
      const { modules } = await call(drafts.preview, { params: { id } }, signal);
      const lessons = listLessons({ modules });
      const fileIds = listMedia(lessons).slice(0, MAX_FILES);
      const { files } = await call(drafts.files, { params: { id }, body: { fileIds } }, signal);
      return { lessons, urls: new Map(files.map(({ fileId, url }) => [fileId, url])) };
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { lessons, urls } = data;
  const lesson = lessons.find((one) => one.id === params.get("lesson")) ?? lessons[0];
  return (
    <div className={classes.bench}>
      <header className={classes.head}>
        <div>
          <Heading>
            {lesson ? t("lessonDrafts.preview.title", { title: lesson.title }) : t("lessonDrafts.preview.action")}
          </Heading>
          <p className={classes.note}>{t("lessonDrafts.preview.note")}</p>
        </div>
        <SegmentedControl
          value={width}
          aria-label={t("lessonDrafts.preview.width")}
          data={widths.map((value) => ({ value, label: t(`lessonDrafts.preview.widths.${value}`) }))}
          onChange={(value) => setWidth(value as "phone")}
        />
        <Button
          component={Link}
          to={`/courses/${id}/edit?lesson=${lesson?.id ?? ""}`}
          leftSection={<IconArrowLeft size={18} stroke={1.7} className={classes.arrow} />}
        >
          {t("lessonDrafts.preview.back")}
        </Button>
      </header>
      {lesson ? (
        <PreviewedLesson
          key={lesson.id}
          lesson={lesson}
          lessons={lessons}
          urls={urls}
          isNarrow={width === "phone"}
          onOpen={(next) => setParams({ lesson: next })}
        />
      ) : (
        <p className={classes.none}>{t("lessonDrafts.preview.none")}</p>
      )}
    </div>
  );
}
