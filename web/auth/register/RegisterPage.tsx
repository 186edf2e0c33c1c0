import { useSearchParams } from "react-router";
import { InvitationPage } from "#web/auth/register/InvitationPage.tsx";
import { RegisterForm } from "#web/auth/register/RegisterForm.tsx";

/** /register: with an access code, or in the invited state with ?invitation=TOKEN. */
export function RegisterPage() {
  const [search] = useSearchParams();
  const invitation = search.get("invitation");
  return invitation ? <InvitationPage token={invitation} /> : <RegisterForm code={search.get("code") ?? ""} />;
}
