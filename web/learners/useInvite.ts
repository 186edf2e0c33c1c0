import { useMemo, useState } from "react";
import { useApiMutation } from "#web/core/api/api.ts";
import { judge, lineOf, parsePeople, type Person } from "#web/learners/parsePeople.ts";
import { staysInOutbox } from "#web/learners/staysInOutbox.ts";
import { INVITE_LIMIT, type inviteOutcome, learners } from "#shared/learners.ts";
import type { z } from "zod";

export type Outcome = z.infer<typeof inviteOutcome>;
export type Row = Person & { verdict: ReturnType<typeof judge>[number] };

/**
 * The text is the one truth: rows are read from it, and a cell that is edited rewrites it. It outlives the dialog, and
 * only rows that were sent leave it, so nothing typed is lost.
 */
export function useInvite() {
  const [text, setText] = useState("");
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null);
  const [kept, setKept] = useState(false);
  const invite = useApiMutation(learners.invite, {
    alsoInvalidate: ["companies", "courses", "enrolments", "mails", "dashboard"],
    quiet: true,
  });
  const rows = useMemo<Row[]>(() => {
    const people = parsePeople(text);
    const verdicts = judge(people);
    return people.map((person, at) => ({ ...person, verdict: verdicts[at] ?? "badAddress" }));
  }, [text]);
  const good = rows.filter(({ verdict }) => verdict === "ok");
  const write = (people: Person[]) => setText(people.map(lineOf).join("\n"));

  const change = (at: number, part: Partial<Person>) =>
    write(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  const drop = (at: number) => write(rows.filter((_, i) => i !== at));
  const append = (more: string) => setText((before) => [before.trimEnd(), more.trim()].filter(Boolean).join("\n"));

  const send = async (companyId: string, courseIds: string[]) => {
    const done: Outcome[] = [];
    let rest: Person[] = rows.filter(({ verdict }) => verdict !== "duplicate");
    try {
      for (let at = 0; at < good.length; at += INVITE_LIMIT) {
        const portion = good.slice(at, at + INVITE_LIMIT);
        const reply = await invite.mutateAsync({
          body: { companyId, people: portion.map(({ name, email }) => ({ name, email })), courseIds },
        });
        done.push(...reply.outcomes);
        rest = rest.filter((row) => !portion.includes(row as Row));
      }
      setKept(await staysInOutbox());
    } catch {
      // The dialog shows invite.error; what was not sent is still in the text.
    }
    if (done.length > 0) {
      write(rest);
      setOutcomes(done);
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
    good,
    change,
    drop,
    send,
    outcomes,
    again,
    kept,
    busy: invite.isPending,
    failure: invite.error,
  };
}
export type Invite = ReturnType<typeof useInvite>;
