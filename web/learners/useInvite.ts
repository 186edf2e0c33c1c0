import { useMemo, useState } from "react";
import { useApiMutation } from "#web/core/api/api.ts";
import { checkPeople, formatPerson, parsePeople, type Person } from "#web/learners/parsePeople.ts";
import { isDeliveryDisabled } from "#web/learners/isDeliveryDisabled.ts";
import { INVITE_LIMIT, type inviteOutcome, learners } from "#shared/learners/learners.ts";
import type { z } from "zod";

export type Outcome = z.infer<typeof inviteOutcome>;
export type Row = Person & { status: ReturnType<typeof checkPeople>[number] };

/**
 * State of the invitation form. The text is the single source of truth: rows are parsed from it, and editing a cell
 * rewrites it. It is kept when the dialog closes; only sent rows are removed from it.
 */
export function useInvite() {
  const [text, setText] = useState("");
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null);
  const [deliveryDisabled, setDeliveryDisabled] = useState(false);
  const invite = useApiMutation(learners.invite, {
    quiet: true,
  });
  const rows = useMemo<Row[]>(() => {
    const people = parsePeople(text);
    const statuses = checkPeople(people);
    return people.map((person, at) => ({ ...person, status: statuses[at] ?? "badAddress" }));
  }, [text]);
  const validRows = rows.filter(({ status }) => status === "ok");
  const write = (people: Person[]) => setText(people.map(formatPerson).join("\n"));

  const change = (at: number, part: Partial<Person>) =>
    write(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  const remove = (at: number) => write(rows.filter((_, i) => i !== at));
  const append = (added: string) => setText((before) => [before.trimEnd(), added.trim()].filter(Boolean).join("\n"));

  const send = async (companyId: string, courseIds: string[]) => {
    const sent: Outcome[] = [];
    let rest: Person[] = rows.filter(({ status }) => status !== "duplicate");
    try {
      for (let at = 0; at < validRows.length; at += INVITE_LIMIT) {
        const batch = validRows.slice(at, at + INVITE_LIMIT);
        const reply = await invite.mutateAsync({
          body: { companyId, people: batch.map(({ name, email }) => ({ name, email })), courseIds },
        });
        sent.push(...reply.outcomes);
        rest = rest.filter((row) => !batch.includes(row as Row));
      }
      setDeliveryDisabled(await isDeliveryDisabled());
    } catch {
      // The dialog shows invite.error; unsent rows are still in the text.
    }
    if (sent.length > 0) {
      write(rest);
      setOutcomes(sent);
    }
  };
  const again = () => {
    setOutcomes(null);
    invite.reset();
  };
  return {
    text,
    setText,
    append,
    rows,
    validRows,
    change,
    remove,
    send,
    outcomes,
    again,
    isDeliveryDisabled: deliveryDisabled,
    busy: invite.isPending,
    failure: invite.error,
  };
}
export type Invite = ReturnType<typeof useInvite>;
