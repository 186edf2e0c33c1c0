import { queriesOf } from "#web/core/api/api.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { hasDatabase } from "#web/core/storage/hasDatabase.ts";
import { useUser } from "#web/core/session/session.tsx";
import { JOURNAL_DATABASE } from "#shared/consent/consent.ts";
import { courses } from "#shared/courses/courses.ts";

/**
 * Sends unsent events of earlier sessions in this browser when the page opens and when the connection is restored.
 * Returns true once events were stored.
 */
export function useJournalReplay() {
  const user = useUser();
  const client = useQueryClient();
  const hasStarted = useRef(false);
  const [isReplayed, setReplayed] = useState(false);
  const userId = user?.id;

  useEffect(() => {
    if (!userId) return;
    const replay = async () => {
      // Without a journal there is nothing to send, so the code is not loaded.
      if (!(await hasDatabase(JOURNAL_DATABASE))) return;
      const { replayJournal } = await import("#web/player/session/replay.ts");
      if ((await replayJournal(userId)) === 0) return;
      setReplayed(true);
      await client.invalidateQueries(queriesOf(courses.list));
    };
    if (!hasStarted.current) {
      hasStarted.current = true;
      void replay().catch(() => {});
    }
    const onOnline = () => void replay().catch(() => {});
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, [userId, client]);
  return isReplayed;
}
