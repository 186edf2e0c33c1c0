import { queriesOf } from "#web/core/api/api.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useUser } from "#web/core/session/session.tsx";
import { replayJournal } from "#web/player/replay.ts";
import { courses } from "#shared/courses.ts";

/**
 * Sends unsent events of earlier sessions in this browser when the page opens and when the connection is restored. Returns
 * true once events were stored.
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
      if ((await replayJournal(userId)) === 0) return;
      setReplayed(true);
      await client.invalidateQueries(queriesOf(courses.list));
    };
    if (!hasStarted.current) {
      hasStarted.current = true;
      void replay();
    }
    const onOnline = () => void replay();
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, [userId, client]);
  return isReplayed;
}
