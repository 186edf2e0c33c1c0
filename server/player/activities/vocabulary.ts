// Identifiers of cmi5 (Quartz, 1st edition) and of the xAPI verbs that it uses

export const CATEGORY = {
  cmi5: "https://w3id.org/xapi/cmi5/context/categories/cmi5",
  moveOn: "https://w3id.org/xapi/cmi5/context/categories/moveon",
} as const;

const EXTENSION = "https://w3id.org/xapi/cmi5/context/extensions/";
export const SESSION_ID = `${EXTENSION}sessionid`;
export const MASTERY_SCORE_EXTENSION = `${EXTENSION}masteryscore`;
export const LAUNCH_MODE = `${EXTENSION}launchmode`;
export const LAUNCH_URL = `${EXTENSION}launchurl`;
export const MOVE_ON_EXTENSION = `${EXTENSION}moveon`;
export const LAUNCH_PARAMETERS_EXTENSION = `${EXTENSION}launchparameters`;
const RESULT_EXTENSION = "https://w3id.org/xapi/cmi5/result/extensions/";
export const PROGRESS = `${RESULT_EXTENSION}progress`;

export const ACTIVITY_TYPES = {
  block: "https://w3id.org/xapi/cmi5/activitytype/block",
  course: "https://w3id.org/xapi/cmi5/activitytype/course",
} as const;

const ADL = "http://adlnet.gov/expapi/verbs/";
const CMI5 = "https://w3id.org/xapi/adl/verbs/";
/** Verbs by their names; those of AUs first (cmi5 9.3). */
export const VERBS = {
  initialized: `${ADL}initialized`,
  completed: `${ADL}completed`,
  passed: `${ADL}passed`,
  failed: `${ADL}failed`,
  terminated: `${ADL}terminated`,
  launched: `${ADL}launched`,
  abandoned: `${CMI5}abandoned`,
  satisfied: `${CMI5}satisfied`,
  answered: `${ADL}answered`,
  voided: `${ADL}voided`,
} as const;

/** What an AU may say by a cmi5 defined statement. */
export const unitVerbs = ["initialized", "completed", "passed", "failed", "terminated"] as const;
export type UnitVerb = (typeof unitVerbs)[number];
export const unitVerbOf = (id: string): UnitVerb | null => unitVerbs.find((name) => VERBS[name] === id) ?? null;

/** The document in which a launch tells the AU about itself, and the one with the wishes of the learner. */
export const LAUNCH_DATA = "LMS.LaunchData";
export const PREFERENCES = "cmi5LearnerPreferences";

export type LaunchMode = "Normal" | "Browse" | "Review";
