// Statements as xAPI writes them, after they were checked. Only what the server reads is named.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
export type LanguageMap = { [tag: string]: string };
export type Account = { homePage: string; name: string };
export type Agent = {
  objectType?: "Agent";
  name?: string;
  mbox?: string;
  mbox_sha1sum?: string;
  openid?: string;
  account?: Account;
};
export type Group = Omit<Agent, "objectType"> & { objectType: "Group"; member?: Agent[] };
export type Actor = Agent | Group;
export type Definition = {
  name?: LanguageMap;
  description?: LanguageMap;
  type?: string;
  moreInfo?: string;
  extensions?: { [iri: string]: Json };
  [interaction: string]: Json | undefined;
};
export type Activity = { objectType?: "Activity"; id: string; definition?: Definition };
export type StatementRef = { objectType: "StatementRef"; id: string };
export type Verb = { id: string; display?: LanguageMap };
export type Result = {
  score?: { scaled?: number; raw?: number; min?: number; max?: number };
  success?: boolean;
  completion?: boolean;
  response?: string;
  duration?: string;
  extensions?: { [iri: string]: Json };
};
export type ContextActivities = { [kind in "parent" | "grouping" | "category" | "other"]?: Activity[] };
export type Context = {
  registration?: string;
  instructor?: Actor;
  team?: Group;
  contextAgents?: { objectType: "contextAgent"; agent: Agent; relevantTypes?: string[] }[];
  contextGroups?: { objectType: "contextGroup"; group: Group; relevantTypes?: string[] }[];
  contextActivities?: ContextActivities;
  revision?: string;
  platform?: string;
  language?: string;
  statement?: StatementRef;
  extensions?: { [iri: string]: Json };
};
export type Attachment = {
  usageType: string;
  display: LanguageMap;
  description?: LanguageMap;
  contentType: string;
  length: number;
  sha2: string;
  fileUrl?: string;
};
export type SubStatement = Omit<Statement, "id" | "stored" | "version" | "authority" | "object"> & {
  objectType: "SubStatement";
  object: Exclude<StatementObject, SubStatement>;
};
export type StatementObject = Activity | Actor | StatementRef | SubStatement;
/** As it was sent: `id`, `timestamp`, `version` may be missing, `stored` and `authority` are set by the store. */
export type Statement = {
  id?: string;
  actor: Actor;
  verb: Verb;
  object: StatementObject;
  result?: Result;
  context?: Context;
  timestamp?: string;
  stored?: string;
  authority?: Actor;
  version?: string;
  attachments?: Attachment[];
};
export type StoredStatement = Statement &
  Required<Pick<Statement, "id" | "timestamp" | "stored" | "version" | "authority">>;

export const VOIDED = "http://adlnet.gov/expapi/verbs/voided";
export const SIGNATURE = "http://adlnet.gov/expapi/attachments/signature";
