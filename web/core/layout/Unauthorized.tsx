import { Navigate } from "react-router";

/** Why a page was refused; shown on `/unauthorized`. */
export type Refusal = "admins" | "managers" | "report" | "launch";

/** Redirects to `/unauthorized` with the reason. */
export const Unauthorized = ({ reason }: { reason: Refusal }) => (
  <Navigate to="/unauthorized" replace state={{ reason }} />
);
