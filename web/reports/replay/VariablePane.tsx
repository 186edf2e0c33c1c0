import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatExactTime, formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/replay.module.css";
import { indexAt, type ReplayClock, secondOf, useClock } from "#web/reports/replay/replayClock.ts";
import type { Timeline } from "#web/reports/replay/timeline.ts";
import { type Revealed, RevealDialog, type RevealProps } from "#web/reports/replay/RevealDialog.tsx";
import type { VariableTrack } from "#web/reports/replay/variableTracks.ts";
import { valueText } from "#web/variables/valueText.ts";
import type { ReplayVariable } from "#shared/reports/replays.ts";

/** How long a change is marked, in ms. */
const FRESH_MS = 10_000;

type Props = RevealProps & {
  index: Timeline;
  clock: ReplayClock;
  /** Text if there are no variables. */
  none: string;
};

/** Every variable with its value at the position; recent changes are marked. */
export function VariablePane({ name, onReveal, index, clock, none }: Props) {
  const { t } = useTranslation();
  const [askedVariable, setAskedVariable] = useState<ReplayVariable | null>(null);
  const [revealed, setRevealed] = useState<Record<string, Revealed>>({});
  return (
    <section className={classes.variables} aria-label={t("replay.variables.tab")}>
      <Title index={index} clock={clock} />
      {index.tracks.length === 0 && <p className={classes.none}>{none}</p>}
      <ul>
        {index.tracks.map((track) => (
          <Value
            key={track.variable.id}
            track={track}
            clock={clock}
            revealed={revealed[track.variable.id]}
            onAsk={() => setAskedVariable(track.variable)}
          />
        ))}
      </ul>
      {askedVariable && (
        <RevealDialog
          name={name}
          onReveal={onReveal}
          variable={askedVariable}
          onClose={() => setAskedVariable(null)}
          onShown={(values) => setRevealed({ ...revealed, [askedVariable.id]: values })}
        />
      )}
    </section>
  );
}

function Title({ index, clock }: Pick<Props, "index" | "clock">) {
  const { t } = useTranslation();
  const second = useClock(clock, secondOf);
  return (
    <div className={classes.paneHead}>
      <h2>{t("replay.variables.title", { time: formatOffset(second * 1000) })}</h2>
      <span>
        {formatExactTime(new Date(index.startsAt + second * 1000))
          .split(", ")
          .at(-1)}
      </span>
    </div>
  );
}

type ValueProps = { track: VariableTrack; clock: ReplayClock; revealed: Revealed | undefined; onAsk: () => void };

function Value({ track: { variable, times, changes }, clock, revealed, onAsk }: ValueProps) {
  const { t } = useTranslation();
  const at = useClock(clock, ({ now }) => indexAt(times, now()));
  const isFresh = useClock(clock, ({ now }) => at >= 0 && now() - (times[at] as number) < FRESH_MS);
  const change = changes[at];
  const next = changes[at + 1];
  const isMasked = variable.privacy === "sensitive" && !revealed;
  const shown = revealed ? revealed.valueAt(change?.id ?? null) : (change?.after ?? variable.start);
  const time = (ms: number) => formatOffset(ms);
  const isSet = isMasked ? change !== undefined : shown !== null;
  let note = variable.start === null && !revealed ? t("replay.variables.never") : t("replay.variables.before");
  if (!change && next) note = t("replay.variables.later", { time: time(next.t) });
  if (change) note = t("replay.variables.at", { time: time(change.t) });
  if (change && change.before !== null)
    note = t("replay.variables.was", { value: valueText(change.before, variable, t), time: time(change.t) });
  if (change?.refused) note = t("replay.variables.refused", { time: time(change.t) });
  return (
    <li className={classes.value} data-fresh={isFresh || undefined} data-later={!isSet || undefined}>
      <div className={classes.pair}>
        <span className={classes.label}>{variable.label}</span>
        <span className={classes.now}>
          <span className={classes.shown}>
            {isMasked && isSet ? (
              <>
                <IconLock size={14} stroke={1.8} aria-hidden /> {t("replay.variables.masked")}
              </>
            ) : (
              valueText(shown, variable, t) || "–"
            )}
          </span>
        </span>
      </div>
      <div className={classes.pair}>
        <code>{variable.key}</code>
        <span className={classes.note}>
          {isMasked && changes.length > 0 ? (
            <UnstyledButton
              className={classes.show}
              onClick={onAsk}
              aria-label={t("replay.variables.showLabel", { label: variable.label })}
            >
              {t("replay.variables.show")}
            </UnstyledButton>
          ) : (
            note
          )}
        </span>
      </div>
    </li>
  );
}
