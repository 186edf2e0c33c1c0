import { type LaunchMode, SESSION_ID } from "#server/player/activities/vocabulary.ts";
import {
  ENTITLEMENT_KEY,
  LAUNCH_METHOD,
  LAUNCH_PARAMETERS,
  MASTERY_SCORE,
  MOVE_ON,
  PUBLISHER_ID,
  RETURN_PATH,
} from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";

/** LMS.LaunchData (cmi5 10): what an AU reads of its launch. */
export const launchDocument = (contentOrigin: string, launchId: string, { given }: Part, mode: LaunchMode) => ({
  contextTemplate: {
    contextActivities: { grouping: [{ objectType: "Activity", id: given[PUBLISHER_ID] ?? "" }] },
    extensions: { [SESSION_ID]: launchId },
  },
  launchMode: mode,
  launchMethod: given[LAUNCH_METHOD] ?? "AnyWindow",
  moveOn: given[MOVE_ON] ?? "NotApplicable",
  ...(given[LAUNCH_PARAMETERS] !== undefined && { launchParameters: given[LAUNCH_PARAMETERS] }),
  ...(given[MASTERY_SCORE] !== undefined && { masteryScore: Number(given[MASTERY_SCORE]) }),
  ...(given[ENTITLEMENT_KEY] !== undefined && { entitlementKey: { courseStructure: given[ENTITLEMENT_KEY] } }),
  returnURL: `${contentOrigin}${RETURN_PATH}`,
});
