import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import classes from "#web/reports/replay/stage.module.css";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import { RebuiltPart } from "#web/reports/replay/RebuiltPart.tsx";
import { RecordedPage } from "#web/reports/replay/RecordedPage.tsx";
import { ReplayedLesson } from "#web/reports/replay/ReplayedLesson.tsx";
import { OpenedPart } from "#web/reports/replay/OpenedPart.tsx";
import { type Replay, replays } from "#shared/reports/replays.ts";

type Props = { replay: Replay; index: ReplayIndex; clock: ReplayClock };
type Mode = "rebuilt" | "lesson" | "recording";

/** What the learner saw: the part itself with the values at the position, or a reconstruction from events. */
export function Stage({ replay, index, clock }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Mode | null>(null);
  const { data: stage } = useQuery({
    ...queryFor(replays.replayStage, { params: { id: replay.session.id } }),
    staleTime: Infinity,
  });
  const { data: recording } = useQuery({
    ...queryFor(replays.replayRecording, { params: { id: replay.session.id } }),
    staleTime: Infinity,
  });
  const at = useClock(clock, ({ now }) => indexAt(index.partTimes, now()));
  const part = index.parts[at];
  const total = replay.parts.filter(({ isHeading }) => !isHeading).length;
  const canOpen = Boolean(stage?.shell) && part !== undefined;
  const isLesson = stage?.parts.find(({ sco }) => sco === part?.sco)?.kind === "lesson";
  const hasLessons = stage?.parts.some(({ kind }) => kind === "lesson");
  const viewer = recording?.viewer;
  const closed = stage?.closed ?? recording?.closed;
  const modes: Mode[] = [
    "rebuilt",
    ...(stage?.shell || hasLessons ? (["lesson"] as const) : []),
    ...(viewer ? (["recording"] as const) : []),
  ];
  const mode = chosen ?? (isLesson ? "lesson" : "rebuilt");
  return (
    <section className={classes.stage} aria-label={t("replay.stage.title")}>
      <div className={classes.bar}>
        <strong>{part?.title ?? t("replay.stage.none")}</strong>
        {part && (
          <span className={classes.place}>
            {t("replay.stage.place", { number: part.number, all: total, version: replay.version })}
          </span>
        )}
        <span className={classes.columns}>
          {part && total > 1 && (
            <Colonnade
              total={total}
              done={part.number - 1}
              current={part.number}
              label={t("replay.stage.place", { number: part.number, all: total, version: replay.version })}
            />
          )}
        </span>
      </div>
      <div className={classes.body}>
        {mode === "recording" && viewer && <RecordedPage viewer={viewer} sessionId={replay.session.id} clock={clock} />}
        {mode === "lesson" && isLesson && <ReplayedLesson replay={replay} index={index} clock={clock} part={part} />}
        {mode === "lesson" && !isLesson && canOpen && part && (
          <OpenedPart replay={replay} index={index} clock={clock} part={part} />
        )}
        {(mode === "rebuilt" || (mode === "lesson" && !isLesson && !canOpen)) && (
          <RebuiltPart replay={replay} index={index} clock={clock} part={part} />
        )}
      </div>
      <div className={classes.mode}>
        {modes.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label={t("replay.stage.mode")}
            value={mode}
            onChange={(value) => setChosen(value as Mode)}
            data={modes.map((value) => ({ value, label: t(`replay.stage.${value}`) }))}
          />
        ) : (
          <span>{t("replay.stage.rebuilt")}</span>
        )}
        {closed && <span>{t(`replay.stage.${closed}`)}</span>}
      </div>
    </section>
  );
}
