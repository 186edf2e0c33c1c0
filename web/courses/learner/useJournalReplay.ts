import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useUser } from "#web/core/session/session.tsx";
import { replayJournal } from "#web/player/replay.ts";

/**
 * Sends what this browser still holds from earlier sessions: once when the page opens, and whenever the connection comes
 * back. True as soon as something arrived.
 */
export function useJournalReplay() {
  const user = useUser();
  const client = useQueryClient();
  const begun = useRef(false);
  const [arrived, setArrived] = useState(false);
  const userId = user?.id;

  useEffect(() => {
    if (!userId) return;
    const replay = async () => {
      if ((await replayJournal(userId)) === 0) return;
      setArrived(true);
      await client.invalidateQueries({ queryKey: ["courses"] });
    };
    if (!begun.current) {
      begun.current = true;
      void replay();
    }
    const again = () => void replay();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [userId, client]);
  return arrived;
}
