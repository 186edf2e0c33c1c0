import type { Registration } from "#shared/events/registrationRows.ts";

const normalise = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** People whose name, email, company or reference contains every word; those not checked in yet come first. */
export function findPeople<P extends Pick<Registration, "name" | "email" | "company" | "reference" | "attendedAt">>(
  people: P[],
  search: string,
): P[] {
  const words = normalise(search).split(/\s+/).filter(Boolean);
  const matches = ({ name, email, company, reference }: P) => {
    const text = normalise(`${name} ${email} ${company} ${reference}`);
    return words.every((word) => text.includes(word));
  };
  return people
    .filter(matches)
    .toSorted((a, b) => Number(a.attendedAt !== null) - Number(b.attendedAt !== null) || a.name.localeCompare(b.name));
}
