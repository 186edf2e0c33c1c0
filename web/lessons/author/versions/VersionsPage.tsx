import { Button, NativeSelect } from "@mantine/core";
import { IconArrowBackUp, IconArrowLeft } from "@tabler/icons-react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { ChangedLessons } from "#web/lessons/author/versions/ChangedLessons.tsx";
import { LessonDiff } from "#web/lessons/author/versions/LessonDiff.tsx";
import { useRestore } from "#web/lessons/author/versions/useRestore.ts";
import classes from "#web/lessons/author/versions/versions.module.css";
import { Restores, Written } from "#web/lessons/author/versions/Written.tsx";
import { type CourseHistory, lessonVersions, type Side, side } from "#shared/lessons/versions/versions.ts";

/** `/courses/:id/versions`: what changed between versions and the draft, who wrote it, and the way back. */
export function VersionsPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const { data: history } = useSuspenseQuery(queryFor(lessonVersions.history, { params: { id } }));
  return (
    <>
      <header className={classes.head}>
        <div>
          <Link to={`/courses/${id}`} className={classes.course}>
            {history.title}
          </Link>
          <Heading>{t("lessonVersions.title", { title: history.title })}</Heading>
        </div>
        <Button
          component={Link}
          to={`/courses/${id}/edit`}
          leftSection={<IconArrowLeft size={18} stroke={1.7} className={classes.arrow} />}
        >
          {t("lessonVersions.toDraft")}
        </Button>
      </header>
      {history.versions.length === 0 ? (
        <p className={classes.dim}>{t("lessonVersions.none")}</p>
      ) : (
        <Compared id={id} history={history} />
      )}
      <Restores restores={history.restores} />
    </>
  );
}

function Compared({ id, history }: { id: string; history: CourseHistory }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const numbers = history.versions.map(({ number }) => number);
  const read = (name: "from" | "to", fallback: Side): Side => {
    const value = side.safeParse(params.get(name) ?? fallback).data ?? fallback;
    return value === "draft" || numbers.includes(value) ? value : fallback;
  };
  const sides = { from: read("from", numbers[0]!), to: read("to", "draft") };
  const nameOf = (one: Side) =>
    one === "draft" ? t("lessonVersions.draft") : t("lessonVersions.version", { number: one });
  const inText = (one: Side) =>
    one === "draft" ? t("lessonVersions.draftInText") : t("lessonVersions.versionInText", { number: one });
  const { data, error, refetch } = useQuery({
    ...queryFor(lessonVersions.compare, { params: { id }, query: sides }),
    staleTime: 0,
  });
  const number = sides.to === "draft" && sides.from !== "draft" ? sides.from : null;
  const onRestore = useRestore(id, number);
  const set = (change: Record<string, string>) => setParams({ ...Object.fromEntries(params), ...change });
  const options = (isDraftFirst: boolean) => {
    const versions = numbers.map((one) => ({ value: String(one), label: nameOf(one) }));
    return isDraftFirst ? [{ value: "draft", label: nameOf("draft") }, ...versions] : versions;
  };
  const lessonId = params.get("lesson");
  const open = data?.lessons.find((lesson) => lesson.id === lessonId);
  const isChanged = data?.lessons.some(({ state, isMoved }) => state !== "same" || isMoved) === true;
  return (
    <>
      <div className={classes.sides}>
        {(["from", "to"] as const).map((name) => (
          <div key={name} className={classes.side}>
            <NativeSelect
              label={t(`lessonVersions.${name}`)}
              value={String(sides[name])}
              data={options(name === "to")}
              onChange={(event) => set({ [name]: event.currentTarget.value })}
            />
            <Written history={history} side={sides[name]} />
          </div>
        ))}
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data && !isChanged && data.modules.length === 0 && (
        <p role="status" className={classes.nothing}>
          {t("lessonVersions.nothing", { from: inText(sides.from), to: inText(sides.to) })}
        </p>
      )}
      {data && (isChanged || data.modules.length > 0) && (
        <div className={classes.columns}>
          <div>
            <ChangedLessons comparison={data} openId={open?.id ?? null} onOpen={(lesson) => set({ lesson })} />
            {onRestore && number !== null && (
              <Button
                variant="default"
                mt={16}
                leftSection={<IconArrowBackUp size={18} stroke={1.7} aria-hidden />}
                onClick={() =>
                  onRestore({
                    scope: "version",
                    title: "",
                    outlineVersion: data.outlineVersion,
                    seen: Object.fromEntries(
                      data.lessons.flatMap(({ id: one, updates }) => (updates === null ? [] : [[one, updates]])),
                    ),
                  })
                }
              >
                {t("lessonVersions.restore.version", { number })}
              </Button>
            )}
          </div>
          {open ? (
            <LessonDiff
              key={open.id}
              courseId={id}
              lessonId={open.id}
              language={data.language}
              sides={sides}
              nameOf={inText}
              onRestore={onRestore}
            />
          ) : (
            <p className={classes.pick}>{t("lessonVersions.pick")}</p>
          )}
        </div>
      )}
    </>
  );
}
