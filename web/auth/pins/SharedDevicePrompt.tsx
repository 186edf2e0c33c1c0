import { lazy, Suspense } from "react";
import { useUser } from "#web/core/session/session.tsx";

const LazySharedDevice = lazy(() =>
  import("#web/auth/pins/SharedDevice.tsx").then(({ SharedDevice }) => ({ default: SharedDevice })),
);

/** The lock of a device that several people use; its code is loaded there only. */
export function SharedDevicePrompt() {
  const user = useUser();
  return <Suspense>{user?.onSharedDevice && <LazySharedDevice />}</Suspense>;
}
