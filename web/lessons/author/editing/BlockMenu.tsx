import { Drawer, Portal } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { insertBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { blockKinds, groups } from "#web/lessons/author/editing/blockKinds.ts";
import classes from "#web/lessons/author/editing/blockMenu.module.css";
import { slash, type Slash, slashKeys } from "#web/lessons/author/editing/slash.ts";
import { type BlockName, blockNames } from "#web/lessons/author/nodes/templates.ts";

/** The menu of blocks, while there is a slash. The editor keeps the focus and passes its keys on. */
export function BlockMenu({ editor }: { editor: Editor }) {
  const open = slash.use();
  return open ? <OpenMenu editor={editor} open={open} /> : null;
}

function OpenMenu({ editor, open }: { editor: Editor; open: Slash }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<BlockName | null>(null);
  const found = useMemo(() => {
    const query = open.query.trim().toLocaleLowerCase();
    return blockNames.filter((name) =>
      [t(`lessonDrafts.blocks.${name}.name`), t(`lessonDrafts.blocks.${name}.words`)]
        .join(" ")
        .toLocaleLowerCase()
        .split(/[\s,]+/)
        .some((word, _n, all) => word.startsWith(query) || all.join(" ").includes(query)),
    );
  }, [open.query, t]);
  const current =
    chosen && found.includes(chosen)
      ? chosen
      : bestOf(found, open.query, (name) => t(`lessonDrafts.blocks.${name}.name`));
  const columns = groups
    .map((group) => ({ group, names: found.filter((name) => blockKinds[name].group === group) }))
    .filter(({ names }) => names.length > 0);
  const add = (name: BlockName) => {
    const { range } = open;
    slash.set(null);
    insertBlock(editor, name, range);
  };
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key === "Enter" || event.key === "Tab") {
        if (!current) return false;
        add(current);
        return true;
      }
      const next = current && nextName(columns, current, event.key);
      if (!next) return false;
      setChosen(next);
      return true;
    };
    slashKeys.set(handle);
    return () => slashKeys.set(null);
  });
  const place = usePlace(box, open, found.length);
  const menu = (
    <>
      <div className={classes.columns} role="listbox" aria-label={t("lessonDrafts.menu.title")}>
        {columns.map(({ group, names }) => (
          <div key={group} role="group" aria-label={t(`lessonDrafts.groups.${group}`)}>
            <p className={classes.group}>{t(`lessonDrafts.groups.${group}`)}</p>
            {names.map((name) => {
              const { icon: Icon } = blockKinds[name];
              return (
                <div
                  key={name}
                  role="option"
                  tabIndex={-1}
                  aria-selected={name === current}
                  className={classes.option}
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseMove={() => setChosen(name)}
                  onClick={() => add(name)}
                  onKeyDown={(event) => event.key === "Enter" && add(name)}
                >
                  <Icon size={18} stroke={1.6} aria-hidden />
                  {t(`lessonDrafts.blocks.${name}.name`)}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={classes.none}>{t("lessonDrafts.menu.none")}</p>}
    </>
  );
  const announced = current
    ? `${t(`lessonDrafts.blocks.${current}.name`)}. ${t(`lessonDrafts.blocks.${current}.text`)}`
    : t("lessonDrafts.menu.none");
  if (isPhone)
    return (
      <Drawer
        opened
        onClose={() => slash.set(null)}
        position="bottom"
        size="70%"
        title={t("lessonDrafts.menu.title")}
        trapFocus={false}
      >
        <div className={classes.sheet}>{menu}</div>
      </Drawer>
    );
  return (
    <Portal>
      <div ref={box} className={classes.menu} style={place}>
        <div className={classes.head}>
          <span className={classes.title}>{t("lessonDrafts.menu.title")}</span>
          <span className={classes.hint}>{t("lessonDrafts.menu.hint", { count: blockNames.length })}</span>
        </div>
        {menu}
        {current && (
          <div className={classes.foot}>
            <span>
              <strong>{t(`lessonDrafts.blocks.${current}.name`)}</strong> {t(`lessonDrafts.blocks.${current}.text`)}
            </span>
            <span className={classes.keys}>
              <kbd>Enter</kbd> {t("lessonDrafts.menu.add")} <kbd>Esc</kbd> {t("lessonDrafts.menu.close")}
            </span>
          </div>
        )}
      </div>
      <p className="ly-hidden" aria-live="polite">
        {announced}
      </p>
    </Portal>
  );
}

/** The first block whose name starts with what was typed; otherwise the first one found. */
function bestOf(found: BlockName[], query: string, nameOf: (name: BlockName) => string) {
  const typed = query.trim().toLocaleLowerCase();
  const named = (fits: (name: string) => boolean) => found.find((name) => fits(nameOf(name).toLocaleLowerCase()));
  return named((name) => name === typed) ?? named((name) => name.startsWith(typed)) ?? found[0];
}

type Columns = { names: BlockName[] }[];
/** The block beside the current one in the direction of an arrow. */
function nextName(columns: Columns, current: BlockName, key: string): BlockName | null {
  const x = columns.findIndex(({ names }) => names.includes(current));
  const y = columns[x]?.names.indexOf(current) ?? 0;
  const isBack = document.documentElement.dir === "rtl" ? key === "ArrowRight" : key === "ArrowLeft";
  const all = columns.flatMap(({ names }) => names);
  const index = all.indexOf(current);
  if (key === "ArrowDown") return all[(index + 1) % all.length] ?? null;
  if (key === "ArrowUp") return all.at(index - 1) ?? null;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const column = columns.at((x + (isBack ? -1 : 1)) % columns.length);
  return column?.names[Math.min(y, column.names.length - 1)] ?? null;
}

const GAP = 6;
/** Below the slash where there is room, otherwise above it. */
function usePlace(box: React.RefObject<HTMLDivElement | null>, { rect }: Slash, count: number) {
  const [place, setPlace] = useState<React.CSSProperties>({ visibility: "hidden" });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !rect) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const isBelow = rect.bottom + GAP + height < innerHeight || rect.top < height;
    const left = Math.max(8, Math.min(rect.left - 40, innerWidth - width - 8));
    setPlace({
      left,
      top: Math.max(8, isBelow ? Math.min(rect.bottom + GAP, innerHeight - height - 8) : rect.top - GAP - height),
    });
  }, [box, rect, count]);
  return place;
}
