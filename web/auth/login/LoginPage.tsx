import { useState } from "react";
import { useLocation } from "react-router";
import { ForgotPasswordForm } from "#web/auth/login/ForgotPasswordForm.tsx";
import { LoginForm } from "#web/auth/login/LoginForm.tsx";
import { type Method, SecondStep } from "#web/auth/login/SecondStep.tsx";

/** /login and /forgot-password. The guard (`guests` in screens.ts) redirects after a login. */
export function LoginPage() {
  const { pathname } = useLocation();
  const [step, setStep] = useState<Method[] | null>(null);
  if (pathname === "/forgot-password") return <ForgotPasswordForm />;
  if (step) return <SecondStep methods={step} onBack={() => setStep(null)} />;
  return <LoginForm onStep={setStep} />;
}
