import { Tabs } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { useIsPhone } from "#web/core/layout/useIsPhone.ts";
import { usePersistedState } from "#web/core/session/persistedState.ts";
import { EventList } from "#web/reports/replay/EventList.tsx";
import classes from "#web/reports/replay/replay.module.css";
import { createReplayClock } from "#web/reports/replay/replayClock.ts";
import { ReplayHead } from "#web/reports/replay/ReplayHead.tsx";
import { indexReplay, type Lane, lanes, type ReplayData } from "#web/reports/replay/replayIndex.ts";
import { Stage } from "#web/reports/replay/Stage.tsx";
import { Lanes } from "#web/reports/replay/Lanes.tsx";
import { Transport } from "#web/reports/replay/Transport.tsx";
import { useReplayKeys } from "#web/reports/replay/useReplayKeys.ts";
import { VariablePane } from "#web/reports/replay/VariablePane.tsx";
import type { Replay } from "#shared/replays.ts";

/** Time of the address (`?t=` in seconds) in ms; the start without one. */
const startOf = (params: URLSearchParams) => Math.max(0, Number(params.get("t")) || 0) * 1000;

/** Three panes and a timeline on one clock. */
export function ReplayBench({ replay, data }: { replay: Replay; data: ReplayData }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const isPhone = useIsPhone();
  const index = useMemo(() => indexReplay(replay, data, t), [replay, data, t]);
  const [clock] = useState(() => createReplayClock(index.duration, index.idle, startOf(params)));
  const start = startOf(params);
  useEffect(() => clock.seek(start), [clock, start]);
  useEffect(() => clock.pause, [clock]);
  const [hidden, setHidden] = useState<ReadonlySet<Lane>>(new Set());
  const [hasKeys, setHasKeys] = usePersistedState("replay-keys", true);
  const entries = useMemo(() => index.entries.filter(({ lane }) => !hidden.has(lane)), [index, hidden]);
  useReplayKeys({ clock, index, entries, isOn: hasKeys });
  const toggle = (lane: Lane) =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(lane)) after.add(lane);
      return after;
    });

  const head = <ReplayHead replay={replay} index={index} clock={clock} />;
  if (index.entries.length === 0)
    return (
      <>
        {head}
        <EmptyState
          title={t("replay.empty")}
          text={t("replay.emptyText", { count: Math.round(index.duration / 1000) })}
        />
      </>
    );
  const events = <EventList entries={entries} clock={clock} hidden={hidden.size} all={lanes.length} />;
  const variables = <VariablePane replay={replay} index={index} clock={clock} />;
  const stage = <Stage replay={replay} index={index} clock={clock} />;
  const transport = (
    <Transport clock={clock} index={index} entries={entries} hasKeys={hasKeys} onKeys={setHasKeys} isPhone={isPhone} />
  );
  const timeline = (
    <Lanes replay={replay} index={index} clock={clock} hidden={hidden} onToggle={toggle} isPhone={isPhone} />
  );
  if (isPhone)
    return (
      <div className={classes.phone}>
        {head}
        {stage}
        {transport}
        {timeline}
        <Tabs defaultValue="events" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="events">{t("replay.events")}</Tabs.Tab>
            <Tabs.Tab value="variables">
              {t("replay.variables.tab")} {index.tracks.length}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="events">{events}</Tabs.Panel>
          <Tabs.Panel value="variables">{variables}</Tabs.Panel>
        </Tabs>
      </div>
    );
  return (
    <div className={classes.bench}>
      {head}
      <div className={classes.panes}>
        {events}
        {stage}
        {variables}
      </div>
      {transport}
      {timeline}
    </div>
  );
}
