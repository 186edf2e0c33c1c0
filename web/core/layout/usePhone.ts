import { useMediaQuery } from "@mantine/hooks";

/** True below 48em, from the first paint on. Not for what the server draws: it does not know, so that differs by style instead. */
export const usePhone = () =>
  useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false }) === true;
