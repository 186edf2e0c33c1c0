import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/stage.module.css";
import { openReview } from "#web/reports/replay/openReview.ts";
import { type ReplayClock, secondOf, useClock } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import type { PartSpan } from "#web/reports/replay/timeline.ts";
import { type Replay, replays } from "#shared/reports/replays.ts";

type Props = { replay: Replay; index: ReplayIndex; clock: ReplayClock; part: PartSpan };

/**
 * The part itself, opened with the values at one time. It does not follow the position, which would reopen it all the
 * time.
 */
export function OpenedPart({ replay, index, clock, part }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const [opened, setOpened] = useState(() => ({ at: clock.now(), sco: part.sco }));
  const second = useClock(clock, secondOf);
  const openedSecond = Math.floor(opened.at / 1000);
  const seq = index.events.findLast((event) => event.t <= opened.at)?.seq ?? 0;
  const { data: stage } = useQuery({
    ...queryFor(replays.replayStage, { params: { id: replay.session.id }, query: { seq } }),
    staleTime: Infinity,
  });
  useEffect(
    () => (stage ? openReview(frame.current as HTMLIFrameElement, { stage, replay, index, ...opened }) : undefined),
    [stage, replay, index, opened],
  );
  return (
    <div className={classes.opened}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- course content has an origin of its own */}
      <iframe key={opened.at} ref={frame} title={t("replay.stage.frame")} referrerPolicy="no-referrer" />
      <p className={classes.note}>
        <span>{t("replay.stage.opened", { time: formatOffset(openedSecond * 1000) })}</span>
        {second !== openedSecond && (
          <Button size="compact-xs" variant="default" onClick={() => setOpened({ at: clock.now(), sco: part.sco })}>
            {t("replay.stage.again", { time: formatOffset(second * 1000) })}
          </Button>
        )}
      </p>
    </div>
  );
}
