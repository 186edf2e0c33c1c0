import { z } from "zod";

// The categories of cookies that a visitor can choose, and which are on by default

export const preferences = z.strictObject({
  essential: z.literal(true),
  analytical: z.boolean(),
  functional: z.boolean(),
  targeting: z.boolean(),
});
export type Preferences = z.infer<typeof preferences>;

/** Initial state of the toggles. A default is never a consent. */
export const DEFAULT_PREFERENCES: Preferences = {
  essential: true,
  analytical: true,
  functional: true,
  targeting: false,
};
export const ALL_PREFERENCES: Preferences = { essential: true, analytical: true, functional: true, targeting: true };
export const ONLY_ESSENTIAL: Preferences = { essential: true, analytical: false, functional: false, targeting: false };
