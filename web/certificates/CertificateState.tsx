import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { CertificateState as State } from "#shared/certificates/certificates.ts";

const tones: Record<State, Tone> = { valid: "ok", expired: "warn", revoked: "bad", replaced: "idle" };

export function CertificateState({ state }: { state: State }) {
  const { t } = useTranslation();
  return <StatusDot tone={tones[state]}>{t(`certificates.is.${state}`)}</StatusDot>;
}
