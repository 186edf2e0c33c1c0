import { MAX_PIN_DIGITS } from "#shared/auth/pins.ts";

/** Properties of a field for a PIN. */
export const DIGITS = { inputMode: "numeric", autoComplete: "off", maxLength: MAX_PIN_DIGITS } as const;
