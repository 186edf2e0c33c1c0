import type { Certificate } from "#shared/certificates/certificates.ts";

type Shown = Pick<Certificate, "number" | "course" | "company" | "issuedOn" | "validUntil">;

/** LinkedIn's form for a new certification in one's own profile, filled in. `origin`: that of the public page. */
export function linkedInAddress({ number, course, company, issuedOn, validUntil }: Shown, origin: string) {
  const monthOf = (day: string) => day.split("-").slice(0, 2).map(Number);
  const [issueYear, issueMonth] = monthOf(issuedOn);
  const [expirationYear, expirationMonth] = validUntil ? monthOf(validUntil) : [];
  const fields = {
    startTask: "CERTIFICATION_NAME",
    name: course,
    organizationName: company,
    issueYear,
    issueMonth,
    expirationYear,
    expirationMonth,
    certUrl: `${origin}/verify/${number}`,
    certId: number,
  };
  const address = new URL("https://www.linkedin.com/profile/add");
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address.href;
}
