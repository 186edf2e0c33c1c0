import { ActionIcon, Button, CloseButton, TextInput, UnstyledButton } from "@mantine/core";
import { IconArrowLeft, IconCheck, IconCloudOff, IconSearch, IconVolume, IconVolumeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatTime } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { CheckInResult } from "#web/events/checkin/CheckInResult.tsx";
import classes from "#web/events/checkin/CheckInPage.module.css";
import { findPeople } from "#web/events/checkin/findPeople.ts";
import { type CachedCheckIn, readCheckInCache } from "#web/events/checkin/checkInCache.ts";
import { prepareOffline } from "#web/events/checkin/prepareOffline.ts";
import { Scanner } from "#web/events/checkin/Scanner.tsx";
import { looksLikeCode, useCheckIn, useCacheUpdates } from "#web/events/checkin/useCheckIn.ts";
import { isTransient } from "#web/events/checkin/useCheckInQueue.ts";
import { events } from "#shared/events/events.ts";

/** Number of people shown without a search. */
const MAX_SHOWN = 60;

/** /admin/events/{id}/check-in: check-in by camera, handheld scanner or name. Works offline, also after a reload. */
export function CheckInPage() {
  const { id = "" } = useParams();
  const userId = useUser()?.id;
  const [cached, setCached] = useState<CachedCheckIn | null | undefined>();
  useEffect(() => {
    void readCheckInCache(id, userId)
      .catch(() => null)
      .then(setCached);
    void prepareOffline().catch(() => {});
  }, [id, userId]);
  return cached === undefined ? <PageSkeleton /> : <CheckIn key={id} id={id} cached={cached} />;
}

function CheckIn({ id, cached }: { id: string; cached: CachedCheckIn | null }) {
  const { t } = useTranslation();
  const { data, error: eventError } = useQuery(queryFor(events.get, { params: { id } }));
  const event = data ?? cached ?? undefined;
  const list = useCheckIn(id, cached);
  const { people, isLoading, error, result, scan, enter: enterCode, checkIn, undo, queue, clear } = list;
  const { isSoundOn, setSoundOn } = list;
  useCacheUpdates(id, useUser()?.id, event, list);
  const [search, setSearch] = useState("");
  const input = useRef<HTMLInputElement>(null);
  // A device can be connected to a network without internet access: then only failed requests show that it is offline.
  const offline = useOffline() || error?.status === 0;
  if (eventError && !data && !(cached && isTransient(eventError))) throw eventError;
  if (!event) return <PageSkeleton />;

  const expected = people.filter(({ state, attendedAt }) => state === "confirmed" || attendedAt);
  const attended = expected.filter(({ attendedAt }) => attendedAt).length;
  const matches = findPeople(expected, search);
  /** On Enter: a handheld scanner types the ticket and Enter; a name checks in the only match. */
  const enter = (press: FormEvent) => {
    press.preventDefault();
    const [only] = matches;
    if (matches.length === 1 && only && search.trim().length > 1) checkIn(only);
    else if (matches.length === 0 && looksLikeCode(search)) enterCode(search);
    else return;
    setSearch("");
    input.current?.focus();
  };
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <ActionIcon
          component={Link}
          to={`/admin/events/${id}/registrations`}
          size={44}
          aria-label={t("events.checkIn.back")}
          title={t("events.checkIn.back")}
        >
          <IconArrowLeft size={22} stroke={1.7} />
        </ActionIcon>
        <Heading className={classes.title} title={t("events.checkIn.title", { title: event.title })}>
          {event.title}
        </Heading>
        <span
          className={classes.count}
          role="status"
          aria-label={t("events.checkIn.count", { attended, count: expected.length })}
        >
          {attended}
          <span> / {expected.length}</span>
        </span>
        <ActionIcon
          size={44}
          aria-label={t("events.checkIn.sound")}
          title={t("events.checkIn.sound")}
          aria-pressed={isSoundOn}
          onClick={() => setSoundOn(!isSoundOn)}
        >
          {isSoundOn ? <IconVolume size={22} stroke={1.7} /> : <IconVolumeOff size={22} stroke={1.7} />}
        </ActionIcon>
      </header>
      <main id="content" className={classes.main}>
        {(offline || queue.waiting.length > 0) && (
          <div className={classes.offline} role="status">
            <IconCloudOff size={20} stroke={1.7} aria-hidden />
            <span>
              {queue.waiting.length > 0
                ? t("events.checkIn.waiting", { count: queue.waiting.length })
                : t("events.checkIn.offline")}
              {offline &&
                list.asOf > 0 &&
                ` ${t("events.checkIn.listFrom", { time: formatTime(new Date(list.asOf)) })}`}
            </span>
            {queue.waiting.length > 0 && !offline && (
              <Button size="compact-sm" variant="default" onClick={() => void queue.flush()}>
                {t("events.checkIn.sendNow")}
              </Button>
            )}
          </div>
        )}
        {queue.refused.map(({ id: queuedId, name, value, refused }) => (
          <div key={queuedId} className={classes.refused} role="alert">
            <span>
              {t("events.checkIn.rejected", {
                name: name || value.slice(0, 10),
                reason: refused === "not_confirmed" ? t("events.checkIn.notConfirmed") : refused,
              })}
            </span>
            <CloseButton size="lg" aria-label={t("core.close")} onClick={() => void queue.remove(queuedId)} />
          </div>
        ))}
        <CheckInResult result={result} onUndo={(outcome) => void undo(outcome)} onClear={clear} />
        <Scanner onCode={scan} />
        <form onSubmit={enter} role="search">
          <TextInput
            ref={input}
            size="lg"
            type="search"
            aria-label={t("events.checkIn.find")}
            placeholder={t("events.checkIn.find")}
            value={search}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            leftSection={<IconSearch size={20} stroke={1.6} />}
            onChange={(change) => setSearch(change.currentTarget.value)}
            data-autofocus
            rightSection={
              search && <CloseButton aria-label={t("web.table.clearSearch")} onClick={() => setSearch("")} />
            }
          />
        </form>
        {error && people.length === 0 && <ErrorPanel error={error} />}
        {!isLoading && expected.length === 0 && <p className={classes.none}>{t("events.checkIn.noGuests")}</p>}
        {matches.length === 0 && expected.length > 0 && !looksLikeCode(search) && (
          <p className={classes.none}>{t("events.checkIn.noMatch")}</p>
        )}
        <ul className={classes.people}>
          {matches.slice(0, MAX_SHOWN).map((person) => (
            <li key={person.id}>
              <UnstyledButton
                className={classes.person}
                data-attended={person.attendedAt !== null || undefined}
                disabled={person.attendedAt !== null}
                onClick={() => checkIn(person)}
              >
                <PersonMark name={person.name} size={40} />
                <span className={classes.name}>
                  <strong>{person.name}</strong>
                  <span className={classes.contact}>{person.company || person.email}</span>
                  {person.attendedAt && (
                    <span className={classes.attended}>
                      <IconCheck size={18} stroke={2} aria-hidden />{" "}
                      {t("events.checkIn.attendedAt", { time: formatTime(person.attendedAt) })}
                    </span>
                  )}
                </span>
                {!person.attendedAt && <span className={classes.verb}>{t("events.checkIn.checkIn")}</span>}
              </UnstyledButton>
              {person.attendedAt && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  onClick={() => void undo({ at: 0, outcome: "checked_in", name: person.name, person })}
                >
                  {t("core.undo")}
                  <span className="ly-hidden"> {person.name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
        {matches.length > MAX_SHOWN && (
          <p className={classes.none}>{t("events.checkIn.more", { count: matches.length - MAX_SHOWN })}</p>
        )}
      </main>
    </div>
  );
}

function useOffline() {
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return offline;
}
