import { z } from "zod";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";

// What companies can choose to keep from their admins. Learners always see what is their own, managers never any of it.

export const measuredKinds = ["replay", "activeTime", "lastActivity", "conversations", "scores"] as const;
export type MeasuredKind = (typeof measuredKinds)[number];
export const measuredKind = z.enum(measuredKinds);

export const SMALLEST_GROUP = { least: MIN_GROUP, most: 50 } as const;
