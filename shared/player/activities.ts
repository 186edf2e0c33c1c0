// What a launch of an activity (cmi5, xAPI) needs of its package: names of values in `given` of a part

/** The id that the package gives to an activity, an assignable unit (AU) or a block. */
export const PUBLISHER_ID = "publisherId";
/** The id of the course that the package gives to all of its units. */
export const COURSE_ID = "courseId";
export const MOVE_ON = "moveOn";
export const MASTERY_SCORE = "masteryScore";
export const LAUNCH_METHOD = "launchMethod";
export const LAUNCH_PARAMETERS = "launchParameters";
export const ENTITLEMENT_KEY = "entitlementKey";
export const ACTIVITY_TYPE = "activityType";

/** When an AU is satisfied (cmi5 10.2.5). */
export const moveOnRules = ["NotApplicable", "Passed", "Completed", "CompletedAndPassed", "CompletedOrPassed"] as const;
export type MoveOn = (typeof moveOnRules)[number];
export const launchMethods = ["AnyWindow", "OwnWindow"] as const;

/** The page of the content origin to which an AU returns when it ends: its returnURL (cmi5 10.2.6). */
export const RETURN_PATH = "/activities/returned";

/** Parts whose content reports by statements to the record store, and not to the shell. */
export const reportsByStatements = (kind: string): kind is "cmi5" | "xapi" => kind === "cmi5" || kind === "xapi";

/** Names of the query that the launch adds to the address of an AU (cmi5 8.1). */
export const launchParameters = ["endpoint", "fetch", "actor", "registration", "activityId"] as const;
