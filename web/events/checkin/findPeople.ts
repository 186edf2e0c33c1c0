import type { Registration } from "#shared/eventRegistrations.ts";

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** People whose name, address, company or reference holds every word; who is not here yet comes first. */
export function findPeople<P extends Pick<Registration, "name" | "email" | "company" | "reference" | "attendedAt">>(
  people: P[],
  typed: string,
): P[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const fits = ({ name, email, company, reference }: P) => {
    const text = plain(`${name} ${email} ${company} ${reference}`);
    return words.every((word) => text.includes(word));
  };
  return people
    .filter(fits)
    .toSorted((a, b) => Number(a.attendedAt !== null) - Number(b.attendedAt !== null) || a.name.localeCompare(b.name));
}
