import { useEffect, useState } from "react";

/**
 * True a moment after `opened`: a dialog that is mounted only when it is wanted must be there closed first, or it does not know
 * which element to give the focus back to.
 */
export function useDelayedOpen(opened: boolean) {
  const [late, setLate] = useState(false);
  useEffect(() => setLate(opened), [opened]);
  return late;
}
