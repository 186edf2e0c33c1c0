import { Navigate } from "react-router";

/** Why a page was refused; the page `/unauthorized` says it. */
export type Refusal = "admins" | "report" | "launch";

/** Redirects to `/unauthorized`, which then says why. */
export const Unauthorized = ({ reason }: { reason: Refusal }) => (
  <Navigate to="/unauthorized" replace state={{ reason }} />
);
