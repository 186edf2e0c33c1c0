import { useMediaQuery } from "@mantine/hooks";

/** True below 48em. Not for server-rendered pages, where the width is unknown: use CSS there. */
export const useIsPhone = () =>
  useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false }) === true;
