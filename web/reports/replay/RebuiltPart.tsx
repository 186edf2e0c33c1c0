import { IconCheck, IconVariable, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { AskTodayButton } from "#web/chatbots/comparison/AskTodayButton.tsx";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/stage.module.css";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import type { Entry, PartSpan } from "#web/reports/replay/timeline.ts";
import { TurnFacts } from "#web/reports/replay/TurnFacts.tsx";
import type { Replay } from "#shared/reports/replays.ts";

/** Maximum number of entries shown. */
const SHOWN = 6;
const LOCATIONS = ["cmi.core.lesson_location", "cmi.location"];

const icons = {
  variable: <IconVariable key="variable" size={16} stroke={1.8} aria-hidden />,
  wrong: <IconX key="wrong" size={16} stroke={1.8} aria-hidden />,
  right: <IconCheck key="right" size={16} stroke={1.8} aria-hidden />,
};
const iconOf = ({ lane, tone }: Entry) => {
  if (lane === "variables") return icons.variable;
  return tone === "bad" ? icons.wrong : icons.right;
};

type Props = { replay: Replay; index: ReplayIndex; clock: ReplayClock; part: PartSpan | undefined };

/** The latest answers, messages and values of the part at the position. Always light, as courses are. */
export function RebuiltPart({ replay, index, clock, part }: Props) {
  const { t } = useTranslation();
  const told = useMemo(
    () => index.entries.filter(({ lane }) => lane === "answers" || lane === "chat" || lane === "variables"),
    [index],
  );
  const times = useMemo(() => told.map((entry) => entry.t), [told]);
  const turns = useMemo(() => new Map(index.turns.map((turn) => [`t${turn.id}`, turn])), [index]);
  const places = useMemo(
    () => index.events.filter(({ type, key = "" }) => type === "scorm.set" && LOCATIONS.includes(key)),
    [index],
  );
  const placeTimes = useMemo(() => places.map((event) => event.t), [places]);
  const last = useClock(clock, ({ now }) => indexAt(times, now()));
  const placeAt = useClock(clock, ({ now }) => indexAt(placeTimes, now()));
  const place = places[placeAt];
  const from = part?.from ?? 0;
  const shown = told.slice(Math.max(0, last + 1 - SHOWN), last + 1).filter((entry) => entry.t >= from);
  return (
    <div className={classes.paper} tabIndex={0} role="group" aria-label={t("replay.stage.title")}>
      <div>
        <h3>{part?.title ?? replay.session.course}</h3>
        {place && place.t >= from && place.value && (
          <p className={classes.where}>{t("replay.stage.location", { value: place.value })}</p>
        )}
        {shown.length === 0 && <p className={classes.where}>{t("replay.stage.nothing")}</p>}
        <ol>
          {shown.map((entry, i) => {
            const turn = turns.get(entry.id);
            return (
              // Lines are recycled, because changing one is cheaper than creating one; not messages, whose buttons have
              // state.
              <li key={turn ? entry.id : i} data-lane={entry.lane} data-tone={entry.tone}>
                {!turn && iconOf(entry)}
                <span className={classes.said}>
                  {turn ? turn.text : entry.text}
                  {!turn && entry.detail && <em>{entry.detail}</em>}
                  {turn && <TurnFacts turn={turn} />}
                  {turn?.role === "user" && <AskTodayButton questionId={turn.id} className={classes.askToday} />}
                </span>
                <time>{formatOffset(entry.t)}</time>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
