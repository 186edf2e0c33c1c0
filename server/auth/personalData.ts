import { sql } from "kysely";
import {
  contract,
  deleted,
  interest,
  OTHER_PERSON,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";

/** Null is in no text, and an empty text would be in all of them. */
const lower = ({ email }: Person) => sql`${email?.toLowerCase() ?? null}::text`;
const ofUser = ownedBy("user_id");

export const personalData: PersonalData = {
  entries: [
    deleted(
      "verifications",
      "auth_verifications",
      "Pending login links",
      (person) =>
        sql`position(${person.id} in value) > 0
          or position(${lower(person)} in lower(value)) > 0
          or position(${lower(person)} in lower(identifier)) > 0`,
    ),
    deleted(
      "links.tickets",
      "auth_one_time_tokens",
      "Pending links to set a password or confirm your email address",
      ofUser,
    ),
    deleted(
      "links.flows",
      "auth_oauth_flows",
      "Pending logins with Google or your company",
      (person) =>
        sql`user_id = ${person.id}
          or position(${lower(person)} in lower(concat(profile::text, request::text))) > 0`,
    ),
    deleted("links.email", "auth_email_changes", "A new email address that is not confirmed yet", ofUser),
    deleted("links.challenges", "auth_challenges", "Pending passkey challenges", ofUser),
    deleted("factors", "auth_factors", "Your authenticator app", ofUser),
    deleted("factors.codes", "auth_recovery_codes", "Your recovery codes", ofUser),
    deleted("passkeys", "auth_passkeys", "Your passkeys", ofUser),
    deleted("pins", "auth_pins", "Your PIN and your card", ofUser),
    deleted("signIns", "auth_sessions", "Logins, with network address and browser", ofUser),
    deleted("accounts", "auth_accounts", "Login methods", ofUser),
  ],
  sections: [
    {
      key: "signInMethods",
      purpose: "Logging in",
      basis: contract,
      retention: untilErased,
      table: "auth_accounts",
      extra: "password is not null as has_password",
      omit: { user_id: SAME_PERSON, password: SECRET, access_token: SECRET, refresh_token: SECRET, id_token: SECRET },
      keys: ["id"],
      where: ofUser,
    },
    {
      key: "signIns",
      purpose: "Staying logged in; detecting misuse",
      basis: interest,
      retention:
        "14 days after the last visit, at most 30 days after the login; at most 12 hours after a company login",
      table: "auth_sessions",
      omit: { user_id: SAME_PERSON, token: SECRET },
      keys: ["id"],
      where: ofUser,
    },
    {
      key: "pin",
      purpose: "Logging in",
      basis: contract,
      retention: untilErased,
      table: "auth_pins",
      omit: { user_id: SAME_PERSON, pin_hash: SECRET, card_hash: SECRET, issued_by: OTHER_PERSON },
      keys: ["user_id"],
      where: ofUser,
    },
    {
      key: "secondFactor",
      purpose: "Logging in",
      basis: contract,
      retention: untilErased,
      table: "auth_factors",
      omit: { secret: SECRET, last_step: SECRET },
      keys: ["user_id"],
      where: ofUser,
    },
    {
      key: "passkeys",
      purpose: "Logging in",
      basis: contract,
      retention: untilErased,
      table: "auth_passkeys",
      omit: { user_id: SAME_PERSON, credential_id: SECRET, public_key: SECRET },
      keys: ["id"],
      where: ofUser,
    },
  ],
};
