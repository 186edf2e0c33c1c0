import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { IconDots, IconPackage, IconPlus } from "@tabler/icons-react";
import { type DragEvent, Fragment, type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { newId } from "#web/core/random.ts";
import { initials } from "#web/core/format/format.ts";
import classes from "#web/lessons/author/contents/contents.module.css";
import { PoolLines } from "#web/lessons/author/contents/PoolLines.tsx";
import { Renamed } from "#web/lessons/author/contents/Renamed.tsx";
import { PackageDialog } from "#web/lessons/author/packages/PackageDialog.tsx";
import type { PackageTarget } from "#web/lessons/author/packages/draftPackageUpload.ts";
import { useOutline } from "#web/lessons/author/contents/useOutline.ts";
import type { LessonFacts } from "#web/lessons/author/settings/useLessonFacts.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import { type DraftLesson, lessonsOf } from "#shared/lessons/outline.ts";

type Props = { draft: CourseDraft; lessonId: string; onOpen: (lessonId: string) => void; facts: LessonFacts | null };
type Module = CourseDraft["modules"][number];

/** The table of contents: lessons by module, moved by drag or by Alt and the arrows. */
export function Contents({ draft, lessonId, onOpen, facts }: Props) {
  const { t } = useTranslation();
  const minutes = facts?.minutes ?? null;
  const outline = useOutline(draft.id);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [packageTarget, setPackageTarget] = useState<PackageTarget | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const lessons = lessonsOf(draft);
  const total = lessons.reduce((sum, { id, minutes: own }) => sum + (own ?? (id === lessonId ? (minutes ?? 0) : 0)), 0);

  const addLesson = async (module: Module) => {
    const id = await outline.addLesson(module.id, module.lessons.length, t("lessonDrafts.contents.newLesson"));
    if (!id) return;
    onOpen(id);
    setRenamed(id);
  };
  /** The module of the open lesson, otherwise the last one. */
  const currentModule = () =>
    draft.modules.find(({ lessons: list }) => list.some(({ id }) => id === lessonId)) ?? draft.modules.at(-1);
  const addPackage = (module: Module) =>
    setPackageTarget({ courseId: draft.id, id: newId(), moduleId: module.id, at: module.lessons.length });
  const addModule = async () => {
    await outline.addModule(draft.modules.length, t("lessonDrafts.contents.newModule"));
  };
  const removeLesson = async (lesson: DraftLesson, module: Module, at: number) => {
    const all = lessonsOf(draft);
    const next = all.find(({ id }) => id !== lesson.id);
    if (lesson.id === lessonId && next) onOpen(next.id);
    await outline.removeLesson(lesson, module.id, at);
  };
  /** Past its neighbour, into the next module at the end of its own. */
  const move = (lesson: DraftLesson, module: Module, by: 1 | -1) => {
    const at = module.lessons.indexOf(lesson) + by;
    if (at >= 0 && at < module.lessons.length)
      return void outline.change({ kind: "moveLesson", id: lesson.id, moduleId: module.id, at });
    const next = draft.modules[draft.modules.indexOf(module) + by];
    if (next)
      void outline.change({
        kind: "moveLesson",
        id: lesson.id,
        moduleId: next.id,
        at: by > 0 ? 0 : next.lessons.length,
      });
  };
  const onKey = (lesson: DraftLesson, module: Module, at: number) => (event: KeyboardEvent) => {
    const isArrow = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.altKey && isArrow) move(lesson, module, event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "F2") setRenamed(lesson.id);
    else if (event.key === "Delete") void removeLesson(lesson, module, at);
    else if ((event.ctrlKey || event.metaKey) && event.key === "d") void outline.copyLesson(lesson);
    else return;
    event.preventDefault();
  };
  const drop = (module: Module, at: number) => (event: DragEvent) => {
    const id = event.dataTransfer.getData("application/x-lesson");
    setOver(null);
    if (!id) return;
    event.preventDefault();
    const from = module.lessons.findIndex((lesson) => lesson.id === id);
    void outline.change({ kind: "moveLesson", id, moduleId: module.id, at: from >= 0 && from < at ? at - 1 : at });
  };
  const dropZone = (module: Module, at: number, key: string) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("application/x-lesson")) return;
      event.preventDefault();
      setOver(key);
    },
    onDragLeave: () => setOver(null),
    onDrop: drop(module, at),
    "data-over": over === key || undefined,
  });

  return (
    <nav className={classes.contents} aria-label={t("lessonDrafts.contents.title")}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t("lessonDrafts.contents.title")}</h2>
        <span className={classes.facts}>
          {t("lessonDrafts.contents.lessons", { count: lessons.length })}
          {total > 0 && `, ${t("lessonDrafts.contents.minutes", { count: total })}`}
        </span>
      </div>
      {draft.modules.map((module, place) => (
        <section key={module.id} className={classes.module}>
          {(module.title !== "" || draft.modules.length > 1 || renamed === module.id) && (
            <div className={classes.moduleHead} {...dropZone(module, 0, module.id)}>
              <Renamed
                value={module.title}
                label={t("lessonDrafts.contents.moduleName")}
                placeholder={t("lessonDrafts.contents.unnamed")}
                isOpen={renamed === module.id}
                onDone={(title) => {
                  setRenamed(null);
                  if (title !== null && title !== module.title)
                    void outline.change({ kind: "renameModule", id: module.id, title });
                }}
              />
              <Menu position="bottom-end" width={210}>
                <Menu.Target>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={26}
                    aria-label={t("lessonDrafts.contents.moduleActions", { title: module.title })}
                  >
                    <IconDots size={17} stroke={1.8} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setRenamed(module.id)}>{t("lessonDrafts.contents.rename")}</Menu.Item>
                  <Menu.Item onClick={() => void outline.copyModule(module)}>
                    {t("lessonDrafts.block.duplicate")}
                  </Menu.Item>
                  <Menu.Item onClick={() => void addLesson(module)}>{t("lessonDrafts.contents.addLesson")}</Menu.Item>
                  {place > 0 && (
                    <Menu.Item
                      onClick={() => void outline.change({ kind: "moveModule", id: module.id, at: place - 1 })}
                    >
                      {t("lessonDrafts.block.up")}
                    </Menu.Item>
                  )}
                  {place < draft.modules.length - 1 && (
                    <Menu.Item
                      onClick={() => void outline.change({ kind: "moveModule", id: module.id, at: place + 1 })}
                    >
                      {t("lessonDrafts.block.down")}
                    </Menu.Item>
                  )}
                  {draft.modules.length > 1 && (
                    <Menu.Item onClick={() => void outline.removeModule(module, place)}>
                      {t("lessonDrafts.contents.removeModule")}
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            </div>
          )}
          <ol className={classes.lessons}>
            {module.lessons.map((lesson, at) => {
              const isOpen = lesson.id === lessonId;
              const here = draft.present.filter((one) => one.lessonId === lesson.id);
              return (
                <Fragment key={lesson.id}>
                  <li className={classes.lesson} data-open={isOpen || undefined} {...dropZone(module, at, lesson.id)}>
                    {renamed === lesson.id ? (
                      <Renamed
                        value={lesson.title}
                        label={t("lessonDrafts.settings.name")}
                        isOpen
                        onDone={(title) => {
                          setRenamed(null);
                          if (title && title !== lesson.title)
                            void outline.change({ kind: "changeLesson", id: lesson.id, title });
                        }}
                      />
                    ) : (
                      <button
                        type="button"
                        className={classes.link}
                        aria-current={isOpen ? "page" : undefined}
                        draggable
                        onDragStart={(event) => event.dataTransfer.setData("application/x-lesson", lesson.id)}
                        onClick={() => onOpen(lesson.id)}
                        onDoubleClick={() => setRenamed(lesson.id)}
                        onKeyDown={onKey(lesson, module, at)}
                      >
                        <span className={classes.column} aria-hidden />
                        <span className={classes.name}>{lesson.title}</span>
                        {here.map(({ id, name }) => (
                          <Tooltip key={id} label={name}>
                            <span
                              className={classes.person}
                              role="img"
                              aria-label={t("lessonDrafts.contents.here", { name })}
                            >
                              {initials(name)}
                            </span>
                          </Tooltip>
                        ))}
                        {lesson.packageId && (
                          <IconPackage
                            size={16}
                            stroke={1.6}
                            className={classes.kind}
                            role="img"
                            aria-label={t("lessonDrafts.package.is")}
                          />
                        )}
                        {lesson.quiz && <span className={classes.badge}>{t("lessonDrafts.quiz.badge")}</span>}
                        <span className={classes.minutes}>{lesson.minutes ?? (isOpen ? minutes : "")}</span>
                      </button>
                    )}
                    <Menu position="bottom-end" width={230}>
                      <Menu.Target>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size={26}
                          className={classes.more}
                          aria-label={t("lessonDrafts.contents.lessonActions", { title: lesson.title })}
                        >
                          <IconDots size={16} stroke={1.8} />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        <Menu.Item onClick={() => setRenamed(lesson.id)}>{t("lessonDrafts.contents.rename")}</Menu.Item>
                        <Menu.Item onClick={() => void outline.copyLesson(lesson)}>
                          {t("lessonDrafts.block.duplicate")}
                        </Menu.Item>
                        <Menu.Item onClick={() => move(lesson, module, -1)}>{t("lessonDrafts.block.up")}</Menu.Item>
                        <Menu.Item onClick={() => move(lesson, module, 1)}>{t("lessonDrafts.block.down")}</Menu.Item>
                        {lessons.length > 1 && (
                          <Menu.Item onClick={() => void removeLesson(lesson, module, at)}>
                            {t("lessonDrafts.contents.remove")}
                          </Menu.Item>
                        )}
                      </Menu.Dropdown>
                    </Menu>
                  </li>
                  {lesson.quiz && lesson.quiz.pools.length > 0 && (
                    <li>
                      <PoolLines pools={lesson.quiz.pools} questions={isOpen ? (facts?.questions ?? null) : null} />
                    </li>
                  )}
                </Fragment>
              );
            })}
            <li aria-hidden className={classes.end} {...dropZone(module, module.lessons.length, `${module.id} end`)} />
          </ol>
        </section>
      ))}
      <div className={classes.adding}>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconPlus size={17} stroke={1.8} />}
          onClick={() => {
            const module = currentModule();
            if (module) void addLesson(module);
          }}
        >
          {t("lessonDrafts.contents.addLesson")}
        </Button>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconPlus size={17} stroke={1.8} />}
          onClick={() => {
            const module = currentModule();
            if (module) addPackage(module);
          }}
        >
          {t("lessonDrafts.package.add")}
        </Button>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconPlus size={17} stroke={1.8} />}
          onClick={() => void addModule()}
        >
          {t("lessonDrafts.contents.addModule")}
        </Button>
      </div>
      {packageTarget && (
        <PackageDialog opened target={packageTarget} onClose={() => setPackageTarget(null)} onAdded={onOpen} />
      )}
    </nav>
  );
}
