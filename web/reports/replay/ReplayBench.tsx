import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { usePersistedState } from "#web/core/session/persistedState.ts";
import { EventList } from "#web/reports/replay/EventList.tsx";
import { type Cut, Lanes } from "#web/reports/replay/Lanes.tsx";
import classes from "#web/reports/replay/replay.module.css";
import { createReplayClock, type ReplayClock } from "#web/reports/replay/replayClock.ts";
import type { RevealProps } from "#web/reports/replay/RevealDialog.tsx";
import type { Lane, Timeline } from "#web/reports/replay/timeline.ts";
import { Transport } from "#web/reports/replay/Transport.tsx";
import { useReplayKeys } from "#web/reports/replay/useReplayKeys.ts";
import { VariablePane } from "#web/reports/replay/VariablePane.tsx";

/** Time from the URL (`?t=`, in seconds) in ms; 0 without one. */
const startOf = (params: URLSearchParams) => Math.max(0, Number(params.get("t")) || 0) * 1000;

type Props = RevealProps & {
  index: Timeline;
  /** Returns the URL of a second. */
  linkTo: (second: number) => string;
  cut: Cut | null;
  texts: { slider: string; empty: string; emptyText: string; noVariables: string };
  head: (clock: ReplayClock) => ReactNode;
  stage: (clock: ReplayClock) => ReactNode;
  /** Pane next to the stage, above the variables. */
  facts?: { title: string; pane: (clock: ReplayClock) => ReactNode };
};

/** Three panes and a timeline on one clock. */
export function ReplayBench({ index, linkTo, cut, texts, head, stage, facts, name, onReveal }: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const isPhone = useIsPhone();
  const [clock] = useState(() => createReplayClock(index.duration, index.idle, startOf(params)));
  const start = startOf(params);
  useEffect(() => clock.seek(start), [clock, start]);
  useEffect(() => clock.pause, [clock]);
  const [hidden, setHidden] = useState<ReadonlySet<Lane>>(new Set());
  const [hasKeys, setHasKeys] = usePersistedState("replay-keys", true);
  const entries = useMemo(() => index.entries.filter(({ lane }) => !hidden.has(lane)), [index, hidden]);
  useReplayKeys({ clock, index, entries, linkTo, isOn: hasKeys });
  const toggle = (lane: Lane) =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(lane)) after.add(lane);
      return after;
    });

  if (index.entries.length === 0)
    return (
      <>
        {head(clock)}
        <EmptyState title={texts.empty} text={texts.emptyText} />
      </>
    );
  const events = <EventList entries={entries} clock={clock} hidden={hidden.size} all={index.lanes.length} />;
  const variables = (
    <VariablePane name={name} onReveal={onReveal} index={index} clock={clock} none={texts.noVariables} />
  );
  const transport = (
    <Transport clock={clock} index={index} entries={entries} hasKeys={hasKeys} onKeys={setHasKeys} isPhone={isPhone} />
  );
  const timeline = (
    <Lanes
      index={index}
      cut={cut}
      label={texts.slider}
      clock={clock}
      hidden={hidden}
      onToggle={toggle}
      isPhone={isPhone}
    />
  );
  if (isPhone)
    return (
      <div className={classes.phone}>
        {head(clock)}
        {stage(clock)}
        {transport}
        {timeline}
        <Tabs defaultValue="events" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="events">{t("replay.events")}</Tabs.Tab>
            {facts && <Tabs.Tab value="facts">{facts.title}</Tabs.Tab>}
            <Tabs.Tab value="variables">
              {t("replay.variables.tab")} {index.tracks.length}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="events">{events}</Tabs.Panel>
          {facts && <Tabs.Panel value="facts">{facts.pane(clock)}</Tabs.Panel>}
          <Tabs.Panel value="variables">{variables}</Tabs.Panel>
        </Tabs>
      </div>
    );
  return (
    <div className={classes.bench}>
      {head(clock)}
      <div className={classes.panes}>
        {events}
        {stage(clock)}
        <div
          className={classes.aside}
          tabIndex={0}
          role="group"
          aria-label={facts ? facts.title : t("replay.variables.tab")}
        >
          {facts?.pane(clock)}
          {variables}
        </div>
      </div>
      {transport}
      {timeline}
    </div>
  );
}
