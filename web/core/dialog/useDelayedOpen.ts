import { useEffect, useState } from "react";

/**
 * True one render after `opened`. A dialog that is mounted on demand must be rendered closed first; otherwise it does
 * not know which element to return the focus to.
 */
export function useDelayedOpen(opened: boolean) {
  const [delayed, setDelayed] = useState(false);
  useEffect(() => setDelayed(opened), [opened]);
  return delayed;
}
